/// The declarations of Swift files, and the chains of names in them.
///
/// It covers only the part of the language that determines which class `Person` means in `Person.findByLastName`.
struct SwiftOutline {
    /// Names separated by dots, such as `LinkModel.Person.findByAge`.
    struct Chain {
        struct Name {
            let text: String
            /// The offset of its first byte in the file.
            let offset: Int
            let isQuoted: Bool

            /// Whether it is the `self` of `Person.self`.
            var isSelf: Bool { text == "self" && !isQuoted }
        }

        let names: [Name]
        let scope: SwiftScope
        let file: Int
    }

    /// The scope of all files.
    let module = SwiftScope(.module)
    /// The chains in file order.
    private(set) var chains: [Chain] = []
    /// All types, including extended types of other modules.
    private(set) var types: [SwiftScope] = []

    /// Reads the files.
    init(_ files: [SwiftTokens?]) {
        var extensions: [SwiftScope] = []
        for (number, tokens) in files.enumerated() {
            guard let tokens else { continue }
            var reader = SwiftOutlineReader(tokens, file: number, in: module)
            reader.read()
            chains += reader.chains
            types += reader.types
            extensions += reader.extensions
        }
        resolve(extensions)
    }

    private mutating func resolve(_ extensions: [SwiftScope]) {
        var foreign: [[String]: SwiftScope] = [:]
        func names(_ scope: SwiftScope) -> [String] { if case .extended(let names) = scope.kind { names } else { [] } }
        // A type that an extension declares can be extended by an extension with a longer name.
        for scope in extensions.sorted(by: { names($0).count < names($1).count }) {
            let names = names(scope)
            if case .type(let type) = meaning(of: names, from: scope.parent ?? module) {
                scope.extend(type)
            } else if let known = foreign[names] {
                scope.extend(known)
            } else {
                let type = SwiftScope(.foreign, in: module, path: names)
                foreign[names] = type
                types.append(type)
                scope.extend(type)
            }
        }
    }

    enum Meaning {
        case type(SwiftScope)
        /// The first name is declared in the files, but a following name is not.
        case nothing
        /// The first name is not declared in the files. Type aliases in the names are replaced.
        case elsewhere([String])
    }

    /// The type that names separated by dots mean.
    func meaning(of names: [String], from scope: SwiftScope) -> Meaning {
        var (names, scope) = (names, scope)
        // Aliases can form cycles.
        for _ in 0..<20 {
            var type: SwiftScope?
            var alias: SwiftScope.Alias?
            var rest = names[...]
            while alias == nil, let name = rest.popFirst() {
                switch type.map({ $0.member(named: name) }) ?? scope.declaration(named: name) {
                case .type(let next): type = next
                case .alias(let next): alias = next
                case nil: return type == nil ? .elsewhere(names) : .nothing
                }
            }
            guard let alias else { return type.map(Meaning.type) ?? .nothing }
            (names, scope) = (alias.names + rest, alias.scope)
        }
        return .nothing
    }
}

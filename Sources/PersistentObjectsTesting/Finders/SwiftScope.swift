/// A part of Swift sources that can contain declarations: the code between two braces, a file, or all files.
final class SwiftScope {
    enum Kind: Equatable {
        case module
        case file
        case type
        case protocolType
        /// An extension, with the names of the extended type.
        case extended([String])
        /// A type that the sources extend but do not declare.
        case foreign
        /// The body of a function, an accessor or a closure.
        case block
    }

    /// Names separated by dots, to be resolved in a scope.
    struct Alias {
        let names: [String]
        let scope: SwiftScope
    }

    enum Declaration {
        case type(SwiftScope)
        case alias(Alias)
    }

    let kind: Kind
    let parent: SwiftScope?
    /// The names of its enclosing types, followed by its own name.
    let path: [String]
    private let isPrivate: Bool
    /// The types that are declared in it, by name.
    var types: [String: SwiftScope] = [:]
    /// The type aliases that are declared in it, by name.
    var aliases: [String: Alias] = [:]
    /// Its other declarations, including `statics`.
    var members: Set<String> = []
    var statics: Set<String> = []
    /// The extended type, once all files are read.
    private(set) var extended: SwiftScope?

    init(_ kind: Kind, in parent: SwiftScope? = nil, path: [String] = [], isPrivate: Bool = false) {
        self.kind = kind
        self.parent = parent
        self.path = path
        self.isPrivate = isPrivate
    }

    var isTypeOrExtension: Bool {
        switch kind {
        case .type, .protocolType, .foreign, .extended: true
        case .module, .file, .block: false
        }
    }

    /// Whether names elsewhere cannot refer to it, and its runtime name does not contain its location.
    var isHidden: Bool {
        switch kind {
        case .module, .file, .foreign: false
        case .block: true
        case .extended: extended?.isHidden ?? false
        case .type, .protocolType: isPrivate || (parent?.isHidden ?? false)
        }
    }

    /// Sets the type of an extension, and moves the extension's declarations there.
    func extend(_ type: SwiftScope) {
        extended = type
        type.types.merge(types) { first, _ in first }
        type.aliases.merge(aliases) { first, _ in first }
        type.members.formUnion(members)
        type.statics.formUnion(statics)
    }

    /// The meaning of a name here, by Swift's lookup from the inside out.
    func declaration(named name: String) -> Declaration? {
        var next: SwiftScope? = self
        while let scope = next {
            if let declaration = (scope.extended ?? scope).member(named: name) { return declaration }
            next = scope.parent
        }
        return nil
    }

    /// The type or alias with this name that is declared in it.
    func member(named name: String) -> Declaration? {
        types[name].map(Declaration.type) ?? aliases[name].map(Declaration.alias)
    }

    /// The type that `Self` means here.
    var enclosingType: SwiftScope? {
        var next: SwiftScope? = self
        while let scope = next, !scope.isTypeOrExtension { next = scope.parent }
        return next.map { $0.extended ?? $0 }
    }
}

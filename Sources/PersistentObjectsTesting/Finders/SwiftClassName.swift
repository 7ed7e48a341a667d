/// The declaration context of a class, as the runtime reports it.
struct SwiftClassName {
    let module: String
    /// The names of its enclosing types, followed by its own name.
    let path: [String]
    /// Whether it is private, or local to a function.
    let isHidden: Bool
    let superclasses: [SwiftClassName]

    init(_ type: AnyClass) {
        // `App.Outer.(unknown context at $7f).Person<Swift.Int>`
        var parts = [""]
        var depth = 0
        var isHidden = false
        for character in String(reflecting: type) {
            switch character {
            case "(", "<", "[":
                depth += 1
                if character == "(", depth == 1 { isHidden = true }
            case ")", ">", "]": depth -= 1
            case "." where depth == 0: parts.append("")
            case "`": break
            default: if depth == 0 { parts[parts.count - 1].append(character) }
            }
        }
        self.isHidden = isHidden
        module = parts[0]
        path = parts.dropFirst().filter { !$0.isEmpty }
        superclasses =
            _getSuperclass(type).map { type in
                let superclass = SwiftClassName(type)
                return [superclass] + superclass.superclasses
            } ?? []
    }

    /// A type of the library.
    init(libraryType name: String) {
        (module, path, isHidden, superclasses) = ("PersistentObjects", [name], false, [])
    }

    /// Whether it is the name of a type in the sources.
    func isName(of type: SwiftScope) -> Bool {
        if type.kind == .foreign { return ([module] + path).suffix(type.path.count).elementsEqual(type.path) }
        return type.path == path && type.isHidden == isHidden
    }
}

internal import PersistentObjects

/// Determines which names in sources are finders of one class.
struct FinderSearch {
    /// The classification of a name after the class's name.
    enum Verdict {
        /// A declared member, or a name that does not resemble a finder.
        case other
        /// A finder, with its error if it is invalid.
        case finder((any Error)?)
    }

    private let check: FinderCheck
    private let className: SwiftClassName
    private let outline: SwiftOutline
    /// Whether the files declare the class.
    private let isDeclared: Bool
    private let ignored: Set<String>
    /// The members that the files declare in the class and in everything that it inherits from.
    private var statics: Set<String> = []
    private var members: Set<String> = []

    init(check: FinderCheck, className: SwiftClassName, _ outline: SwiftOutline, ignoring names: Set<String>) {
        self.check = check
        self.className = className
        self.outline = outline
        ignored = names
        isDeclared = outline.types.contains { $0.kind != .foreign && className.isName(of: $0) }
        let inherited = [className, SwiftClassName(libraryType: "Persistent")] + className.superclasses
        for type in outline.types {
            guard type.kind == .protocolType || inherited.contains(where: { $0.isName(of: type) }) else { continue }
            statics.formUnion(type.statics)
            members.formUnion(type.members)
        }
    }

    /// The member of the class that a chain names.
    func member(in chain: SwiftOutline.Chain) -> SwiftOutline.Chain.Name? {
        let names = chain.names
        for (place, name) in names.enumerated().dropFirst() where !name.isSelf {
            let before = names[..<place].filter { !$0.isSelf }.map(\.text)
            if denotes(before, from: chain.scope) { return name }
        }
        return nil
    }

    /// The error for `Self.` in a chain inside the class, whose member creates key paths; nil if it is correct.
    func misuseOfSelf(in chain: SwiftOutline.Chain) -> FinderSearchError? {
        let names = chain.names.filter { !$0.isSelf }.map(\.text)
        guard names.first == "Self", names.count > 1, denotes(["Self"], from: chain.scope) else { return nil }
        let makesKeyPaths =
            FinderSearch.keyPathMembers.contains(names[1])
            || (FinderSearch.queryMembers.contains(names[1]) && names.count > 2
                && FinderSearch.keyPathCalls.contains(names[2]))
        return makesKeyPaths ? .keyPathOfSelf(className: className.path.last ?? "", member: names[1]) : nil
    }

    private static let keyPathMembers: Set<String> = [
        "where", "findBy", "findFirstBy", "findLastBy", "findOnlyBy", "countBy", "existsBy", "deleteBy",
        "findOrCreateBy",
        "condition", "join", "leftJoin",
    ]
    private static let queryMembers: Set<String> = ["query", "unscoped", "withDeleted", "onlyDeleted", "history"]
    private static let keyPathCalls: Set<String> = [
        "where", "order", "findBy", "values", "distinct", "grouped", "counted", "groups", "including", "only", "sum",
        "total", "average", "min", "max", "concatenated", "update",
    ]

    /// Whether names separated by dots mean the class.
    private func denotes(_ names: [String], from scope: SwiftScope) -> Bool {
        if names == ["Self"] { return scope.enclosingType.map { className.isName(of: $0) } ?? false }
        switch outline.meaning(of: names, from: scope) {
        case .type(let type): return className.isName(of: type)
        case .nothing: return false
        case .elsewhere(let names):
            let whole = [className.module] + className.path
            return isDeclared ? !className.isHidden && names == whole : whole.suffix(names.count).elementsEqual(names)
        }
    }

    func verdict(_ name: String) -> Verdict {
        guard let first = name.unicodeScalars.first, !first.properties.isUppercase else { return .other }
        if statics.contains(name) || ignored.contains(name) || FinderSearch.ownNames.contains(name) { return .other }
        let problem = check.problem(name)
        if case .notAFinder(_, _, let suggestions)? = problem as? FinderError {
            // A method, or a static member that is declared elsewhere.
            if suggestions.isEmpty || members.contains(name) { return .other }
        }
        return .finder(problem)
    }

    /// Static members of every class.
    static let ownNames: Set<String> = Set(
        FinderCheck.staticNames + [
            "self", "init", "findBy", "findFirstBy", "findLastBy", "findOnlyBy", "countBy", "existsBy", "deleteBy",
            "where", "query",
            "identity", "deleteRules", "checkFinders", "findOrCreateBy", "search", "searchable", "timestamps",
            "versionProperty",
            "defaultScope", "condition", "unscoped", "softDeletes", "withDeleted", "onlyDeleted",
            "formerNames", "conversions", "join", "leftJoin", "finderOperators", "sendsEvents", "events", "onChange",
            "origin", "primaryKey", "columnNaming", "isReadOnly", "formerColumns", "properties", "insert", "create",
            "filter",
            "get", "getAll", "list", "exists", "findFirst", "findAllWhere",
            "keepsHistory", "history", "restored", "isSynced", "keepsEdited", "mergeRules",
        ])
}

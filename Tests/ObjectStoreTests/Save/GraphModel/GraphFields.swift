import PersistentObjects

/// The properties of the model, and the way to read and edit them in an object.
enum GraphField: String, CaseIterable {
    case next, lazyNext, buddy, list, optionalList, lazyList, group, table, tags, marks, scores, lazyTags, owner
    case part, extra
    case members, parts, spares
    case badgeOwner

    enum Kind { case reference, array, set, dictionary }

    var kind: Kind {
        switch self {
        case .next, .lazyNext, .buddy, .owner, .part, .badgeOwner: .reference
        case .list, .optionalList, .lazyList, .tags, .lazyTags, .extra, .members, .parts, .spares: .array
        case .group, .marks: .set
        case .table, .scores: .dictionary
        }
    }

    var isOptional: Bool {
        switch self {
        case .optionalList, .marks, .scores, .lazyTags, .extra: true
        default: false
        }
    }

    var isLazy: Bool { self == .lazyNext || self == .lazyList || self == .lazyTags }

    /// The class of the referenced objects; nil for values.
    var target: GraphKind? {
        switch self {
        case .next, .lazyNext, .buddy, .list, .optionalList, .lazyList, .group, .table: .node
        case .owner, .members, .badgeOwner: .owner
        case .part, .parts, .spares: .part
        case .tags, .marks, .scores, .lazyTags, .extra: nil
        }
    }

    var initial: GraphValue {
        switch kind {
        case .reference: .reference(nil)
        case .array: .array(isOptional ? nil : [])
        case .set: .set(isOptional ? nil : [])
        case .dictionary: .dictionary(isOptional ? nil : [:])
        }
    }
}

/// The classes of the model.
enum GraphKind: CaseIterable {
    case node, leaf, owner, badge, club, part

    /// The properties that can be edited at any time; the others have their own operations.
    var fields: [GraphField] {
        switch self {
        case .node:
            [
                .next, .lazyNext, .buddy, .list, .optionalList, .lazyList, .group, .table, .tags, .marks, .scores,
                .lazyTags, .owner,
            ]
        case .leaf: GraphKind.node.fields + [.part, .extra]
        case .owner, .part: []
        case .badge: [.badgeOwner]
        case .club: [.members, .parts, .spares]
        }
    }

    func make(_ key: Int) -> PersistentObject {
        switch self {
        case .node: with(Graph.Node()) { $0.key = key }
        case .leaf: with(Graph.Leaf()) { $0.key = key }
        case .owner: with(Graph.Owner()) { $0.key = key }
        case .badge: with(Graph.Badge()) { $0.key = key }
        case .club: with(Graph.Club()) { $0.key = key }
        case .part: with(Graph.Part()) { $0.key = key }
        }
    }

    private func with<T>(_ object: T, _ body: (T) -> Void) -> T {
        body(object)
        return object
    }

    /// All objects of all classes in the session.
    static func all() throws -> [PersistentObject] {
        let owners: [PersistentObject] = try Graph.Owner.all()
        let clubs: [PersistentObject] = try Graph.Club.all()
        let badges: [PersistentObject] = try Graph.Badge.all()
        let parts: [PersistentObject] = try Graph.Part.all()
        return owners + clubs + badges + parts + (try Graph.Node.all() as [PersistentObject])
    }

    static func key(of object: PersistentObject) -> Int {
        switch object {
        case let node as Graph.Node: node.key
        case let owner as Graph.Owner: owner.key
        case let badge as Graph.Badge: badge.key
        case let club as Graph.Club: club.key
        case let part as Graph.Part: part.key
        default: -1
        }
    }

    static func kind(of object: PersistentObject) -> GraphKind {
        switch object {
        case is Graph.Leaf: .leaf
        case is Graph.Node: .node
        case is Graph.Owner: .owner
        case is Graph.Badge: .badge
        case is Graph.Club: .club
        default: .part
        }
    }
}

extension GraphField {
    /// The value of the property in an object.
    func value(of object: PersistentObject) -> GraphValue {
        func key(_ object: PersistentObject?) -> Int? { object.map(GraphKind.key) }
        func keys(_ objects: [PersistentObject]) -> [Int] { objects.map(GraphKind.key) }
        func numbers(_ texts: [String]) -> [Int] { texts.map { Int($0) ?? -1 } }
        switch (self, object) {
        case (.next, let node as Graph.Node): return .reference(key(node.next))
        case (.lazyNext, let node as Graph.Node): return .reference(key(node.lazyNext))
        case (.buddy, let node as Graph.Node): return .reference(key(node.buddy))
        case (.list, let node as Graph.Node): return .array(keys(node.list))
        case (.optionalList, let node as Graph.Node): return .array(node.optionalList.map(keys))
        case (.lazyList, let node as Graph.Node): return .array(keys(node.lazyList))
        case (.group, let node as Graph.Node): return .set(Set(node.group.map(GraphKind.key)))
        case (.table, let node as Graph.Node):
            return .dictionary(
                Dictionary(node.table.map { (Int($0.key) ?? -1, $0.value.key) }, uniquingKeysWith: { $1 }))
        case (.tags, let node as Graph.Node): return .array(numbers(node.tags))
        case (.marks, let node as Graph.Node): return .set(node.marks)
        case (.scores, let node as Graph.Node): return .dictionary(node.scores.map { $0.mapValues { Int($0) } })
        case (.lazyTags, let node as Graph.Node): return .array(node.lazyTags.map(numbers))
        case (.owner, let node as Graph.Node): return .reference(key(node.owner))
        case (.part, let leaf as Graph.Leaf): return .reference(key(leaf.part))
        case (.extra, let leaf as Graph.Leaf): return .array(leaf.extra)
        case (.badgeOwner, let badge as Graph.Badge): return .reference(key(badge.owner))
        case (.members, let club as Graph.Club): return .array(keys(club.members))
        case (.parts, let club as Graph.Club): return .array(keys(club.parts))
        case (.spares, let club as Graph.Club): return .array(keys(club.spares))
        default: return initial
        }
    }

    /// Makes an edit in an object; `find` returns the objects for the model's keys.
    func apply(_ edit: GraphEdit, to object: PersistentObject, _ find: (Int) -> PersistentObject?) {
        func node(_ key: Int) -> Graph.Node { find(key) as? Graph.Node ?? Graph.Node() }
        func reference<T>(_ old: T?) -> T? {
            guard case .refer(let key) = edit else { return old }
            return key.flatMap { find($0) as? T }
        }
        switch (self, object) {
        case (.next, let node as Graph.Node): node.next = reference(node.next)
        case (.lazyNext, let node as Graph.Node):
            // Assigned without being loaded.
            if case .refer(let key) = edit { node.lazyNext = key.flatMap { find($0) as? Graph.Node } }
        case (.buddy, let node as Graph.Node): node.buddy = reference(node.buddy)
        case (.list, let it as Graph.Node): edit.apply(to: &it.list, node)
        case (.optionalList, let it as Graph.Node):
            edit.apply(toOptional: &it.optionalList, []) { edit.apply(to: &$0, node) }
        case (.lazyList, let it as Graph.Node):
            if case .empty = edit { it.lazyList = [] } else { edit.apply(to: &it.lazyList, node) }
        case (.group, let it as Graph.Node): edit.apply(to: &it.group, node)
        case (.table, let it as Graph.Node): edit.apply(to: &it.table, String.init, node)
        case (.tags, let it as Graph.Node): edit.apply(to: &it.tags, String.init)
        case (.marks, let it as Graph.Node): edit.apply(toOptional: &it.marks, []) { edit.apply(to: &$0) { $0 } }
        case (.scores, let it as Graph.Node):
            edit.apply(toOptional: &it.scores, [:]) { edit.apply(to: &$0, { $0 }, Double.init) }
        case (.lazyTags, let it as Graph.Node):
            if case .becomeNil = edit {
                it.lazyTags = nil
            } else {
                edit.apply(toOptional: &it.lazyTags, []) { edit.apply(to: &$0, String.init) }
            }
        case (.owner, let node as Graph.Node): node.owner = reference(node.owner)
        case (.part, let leaf as Graph.Leaf): leaf.part = reference(leaf.part)
        case (.extra, let leaf as Graph.Leaf):
            edit.apply(toOptional: &leaf.extra, []) { edit.apply(to: &$0) { $0 } }
        case (.badgeOwner, let badge as Graph.Badge): badge.owner = reference(badge.owner)
        case (.members, let club as Graph.Club):
            edit.apply(to: &club.members) { find($0) as? Graph.Owner ?? Graph.Owner() }
        case (.parts, let club as Graph.Club):
            edit.apply(to: &club.parts) { find($0) as? Graph.Part ?? Graph.Part() }
        case (.spares, let club as Graph.Club):
            edit.apply(to: &club.spares) { find($0) as? Graph.Part ?? Graph.Part() }
        default: break
        }
    }
}

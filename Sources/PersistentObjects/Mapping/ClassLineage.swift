/// Questions about classes and their superclasses, up to `PersistentObject`.
enum ClassLineage {
    /// The class and its superclasses below `PersistentObject`, the topmost first.
    static func classes(above type: PersistentObject.Type) -> [PersistentObject.Type] {
        var chain: [PersistentObject.Type] = []
        var next: PersistentObject.Type? = type
        while let current = next, current != PersistentObject.self {
            chain.append(current)
            next = _getSuperclass(current) as? PersistentObject.Type
        }
        return chain.reversed()
    }

    /// Whether one of the classes inherits from the other, or they are the same.
    static func areRelated(_ one: PersistentObject.Type, _ other: PersistentObject.Type) -> Bool {
        classes(above: one).contains { $0 == other } || classes(above: other).contains { $0 == one }
    }

    /// The classes that share the table, from the root down to the class.
    static func hierarchy(of map: ClassMap) -> [PersistentObject.Type] {
        let chain = classes(above: map.type)
        return Array(chain[(chain.firstIndex { $0 == map.root } ?? 0)...])
    }

    /// The class whose property it is; for one of an abstract superclass the root.
    static func declarer(of property: Property, in map: ClassMap) -> PersistentObject.Type {
        let chain = classes(above: map.type)
        let root = chain.firstIndex { $0 == map.root } ?? 0
        return chain[min(max(property.level, root), chain.count - 1)]
    }
}

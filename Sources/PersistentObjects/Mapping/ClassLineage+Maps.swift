extension ClassLineage {
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

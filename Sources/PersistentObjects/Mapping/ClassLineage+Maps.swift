extension ClassLineage {
    /// The classes that share the table, from the root down to the class.
    static func hierarchy(of map: ClassMap) -> [PersistentObject.Type] {
        let chain = classes(above: map.type)
        return Array(chain[(chain.firstIndex { $0 == map.root } ?? 0)...])
    }

    /// The class that declares the property; the root for a property of an abstract superclass.
    static func declarer(of property: Property, in map: ClassMap) -> PersistentObject.Type {
        let chain = classes(above: map.type)
        let root = chain.firstIndex { $0 == map.root } ?? 0
        return chain[min(max(property.level, root), chain.count - 1)]
    }
}

// What a class stores.
extension Persistent {
    /// The stored properties of the class, those of its superclasses first, in the order in which they are declared.
    ///
    /// ```swift
    /// let columns = try Person.properties.compactMap(\.column)
    /// ```
    ///
    /// `id`, which every class has, is not among them; `key` is, in classes
    /// with keys. No store is needed, and none is opened.
    ///
    /// - Throws: the `SchemaError` of a class that cannot be stored.
    public static var properties: [StoredProperty] {
        get throws {
            let map = try ClassMap.map(of: ObjectMemory.objectClass(self))
            return map.declaredProperties.map { StoredProperty($0, of: map) }
        }
    }
}

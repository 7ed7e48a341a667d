// The stored properties of a class.
extension Persistent {
    /// The stored properties of the class, superclass properties first, in declaration order.
    ///
    /// ```swift
    /// let columns = try Person.properties.compactMap(\.column)
    /// ```
    ///
    /// `id`, which every class has, is not included; `key` is included in classes with keys. The property neither needs
    /// nor opens a store.
    ///
    /// - Throws: The `SchemaError` of a class that cannot be stored.
    public static var properties: [StoredProperty] {
        get throws {
            let map = try ClassMap.map(of: ObjectMemory.objectClass(self))
            return map.declaredProperties.map { StoredProperty($0, of: map) }
        }
    }
}

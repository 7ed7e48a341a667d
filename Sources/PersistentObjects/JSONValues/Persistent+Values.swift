// Properties by name.
extension Persistent {
    /// Creates a new object with values by property name.
    ///
    /// ```swift
    /// let joe = try Person(["lastName": "Smith", "age": 39, "nick": nil])
    /// ```
    ///
    /// An `id` in the dictionary, as in `dictionary`, is ignored, because the store assigns ids. In a class whose
    /// `identity` is `.given` it is the id of the new object. The JSON form of a value is accepted, too: `"2026-11-22"`
    /// for a `Date`, `"3.5"` for a `Decimal`, an array for a `Set`, an id for an object.
    ///
    /// - Throws: `StoreError` with the code `noSuchProperty` for an unknown name or a value of another type.
    public init(_ values: [String: Any?]) throws {
        self.init()
        let state = ObjectState(object)
        if let id = values["id"].flatMap({ OptionalValue.flattened($0) }) { try state.setGivenID(JSONValue(id)) }
        try state.setLeniently(values.filter { $0.key != "id" })
    }

    /// Returns the value of a property, after reading and decrypting it if necessary.
    ///
    /// An access to the property itself cannot throw, so it returns the initial value if a `@Lazy` or `@Encrypted`
    /// property cannot be read. This call throws the error.
    ///
    /// ```swift
    /// let diagnosis = try patient.value(of: \.diagnosis)
    /// ```
    ///
    /// - Throws: `StoreError`: `locked`, `wrongKey` or `damaged` if the value cannot be decrypted, and the errors of
    ///   ``Lazy/load(isolation:)``.
    /// - Complexity: A query for all objects of one fetch together, if it is not loaded.
    public func value<V>(of property: KeyPath<Self, V>) throws -> V {
        try ObjectState(object).loadIfNeeded(property)
        return self[keyPath: property]
    }

    /// The value of a property; nil for an unknown name.
    public subscript(name: String) -> Any? { ObjectState(object).value(of: name) }

    /// Sets a property by name.
    ///
    /// Numbers are converted if that is exact, and the JSON form of a value is accepted; see `init(_:)`.
    ///
    /// - Throws: `StoreError` with the code `noSuchProperty` for an unknown name or a value of another type.
    public func set(_ name: String, to value: Any?) throws {
        try ObjectState(object).setLeniently(name, to: value)
    }

    /// All stored properties and the id, by name.
    public var dictionary: [String: Any?] { ObjectState(object).dictionary }

    /// Class, id and properties: `Person #7 { lastName: "Smith", age: 39 }`
    ///
    /// `print` shows it, unless the class conforms to `CustomStringConvertible` and declares a `description`.
    public var debugDescription: String { ObjectState(object).description }

    /// The same as `debugDescription`.
    public var description: String { debugDescription }
}

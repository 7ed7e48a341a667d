// Ids and keys of the user's own.
extension Persistent {
    /// Makes a new object with an id of your own, in a class whose `identity` is `.given`.
    ///
    /// ```swift
    /// let iceland = try Country(id: 352)
    /// ```
    ///
    /// `id` is nil until it is saved. Whether another row has the id, `save()`
    /// tells, by a `StoreError` with the code `notUnique`.
    ///
    /// - Throws: what `setID(_:)` throws.
    public init(id: some BinaryInteger) throws {
        self.init()
        try setID(id)
    }

    /// Gives a new object an id of your own, in a class whose `identity` is `.given`: a number from 1 on.
    ///
    /// - Throws: `StoreError` with the code `misuse` if the object has been
    ///   saved, for a number that can be no id, and in a class whose ids the
    ///   store gives.
    public func setID(_ id: some BinaryInteger) throws { try ObjectState(object).setID(Int64(exactly: id) ?? 0) }

    /// The object whose `primaryKey` has these values, in its order; nil if there is none.
    ///
    /// ```swift
    /// let customer = try Customer.find(key: "ALFKI")
    /// let line = try OrderDetail.find(key: 10248, 11)
    /// ```
    ///
    /// Where a part of the key is a reference its value is the object, or what
    /// names the row that it leads to.
    ///
    /// - Complexity: one SELECT by the key's index, and one for each part that
    ///   is a reference to a class with a key and was not given as an object.
    /// - Throws: `StoreError` with the code `noSuchProperty` if the class has
    ///   no key, `misuse` for another number of values than it has parts, and
    ///   `typeMismatch` for a value of another type.
    public static func find(key values: Any?..., isolation: isolated (any Actor)? = #isolation) throws -> Self? {
        ObjectMemory.cast(try ClassCalls.find(ObjectMemory.objectClass(self), primaryKey: values), to: Self.self)
    }
}

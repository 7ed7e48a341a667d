extension PropertyConversion {
    /// A conversion of the values of a column to those of a property.
    ///
    /// - Parameters:
    ///   - property: What gets the values.
    ///   - column: The name of the column in the file, as `age` or `last_name`. It stays, and what is in it too, unless
    ///     it is the property's own.
    ///   - convert: Makes the property's value. An error that it throws ends the change of the file, which is then as
    ///     it was. Where it takes an optional it gets nil for rows that have nothing; otherwise these stay nil.
    public init<Object: Persistent, Old, New>(
        _ property: KeyPath<Object, New>, from column: String, _ convert: @escaping @Sendable (Old) throws -> New
    ) {
        self.init(
            target: property, source: column, sourceType: Old.self,
            convert: { value in
                guard let old = value as? Old else { return nil }
                let new: Any = try convert(old)
                let unwrapped = (new as? any OptionalType).map(\.unwrapped) ?? new
                if let object = unwrapped as? PersistentObject, object.isNew { try object.save() }
                return unwrapped
            },
            transaction: { session, body in
                guard let session = session as? Session else { return try body() }
                var attempts = Attempts.alone
                _ = try session.attemptTransaction(&attempts, body)
            })
    }
}

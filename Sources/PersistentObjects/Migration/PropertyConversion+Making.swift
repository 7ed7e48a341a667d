extension PropertyConversion {
    /// Creates a conversion of the values of a column to the values of a property.
    ///
    /// - Parameters:
    ///   - property: The property that receives the values.
    ///   - column: The name of the column in the file, such as `age` or `last_name`. The column and its contents are
    ///     kept, unless it is the property's own column.
    ///   - convert: Returns the property's value. An error that it throws aborts the change of the file and leaves it
    ///     unchanged. If it takes an optional, it receives nil for rows without a value; otherwise these rows keep nil.
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

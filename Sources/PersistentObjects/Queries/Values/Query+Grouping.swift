internal import StoreEngine

// Objects and numbers of objects by a property.
extension Query {
    /// The objects that the query finds, by the values of a property.
    ///
    /// ```swift
    /// let families = try Person.query.order(by: \.firstName).grouped(by: \.lastName)      // [String: [Person]]
    /// let staff = try Person.query.grouped(by: \.employer)        // [Company?: [Person]]
    /// ```
    ///
    /// The objects are fetched once and grouped in memory, by what they have
    /// there: unsaved changes count. Each group is in the order of the query.
    public func grouped<V: Hashable>(
        by property: KeyPath<T, V>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [V: [T]] {
        Dictionary(grouping: try all(isolation: isolation)) { $0[keyPath: property] }
    }

    /// How many objects the query finds for each value of a property.
    ///
    /// ```swift
    /// let sizes = try Person.query.counted(by: \.lastName)        // [String: Int]
    /// ```
    ///
    /// One SELECT with `GROUP BY`; no objects are made. Nil is a value where
    /// the property may be nil.
    ///
    /// - Throws: As `values(of:)`.
    public func counted<V: Hashable>(
        by property: KeyPath<T, V>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [V: Int] {
        let reader = try ColumnReader<V>(0)
        let counts = try QueryCall(definition).rows([property], .grouped([.rows])) { statement in
            (try reader.value(statement), Int(statement.integer(1)))
        }
        // Texts that Swift takes for equal can have different bytes.
        return Dictionary(counts, uniquingKeysWith: +)
    }
}

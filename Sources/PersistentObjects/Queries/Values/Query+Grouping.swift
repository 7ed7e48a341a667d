internal import StoreEngine

// Objects, and numbers of objects, grouped by a property.
extension Query {
    /// Returns the objects that the query finds, grouped by the values of a property.
    ///
    /// ```swift
    /// let families = try Person.query.order(by: \.firstName).grouped(by: \.lastName)      // [String: [Person]]
    /// let staff = try Person.query.grouped(by: \.employer)        // [Company?: [Person]]
    /// ```
    ///
    /// The objects are fetched once and grouped in memory, by their values there: unsaved changes count. Each group is
    /// in the order of the query.
    public func grouped<V: Hashable>(
        by property: KeyPath<T, V>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [V: [T]] {
        Dictionary(grouping: try all(isolation: isolation)) { $0[keyPath: property] }
    }

    /// Returns the number of objects that the query finds for each value of a property.
    ///
    /// ```swift
    /// let sizes = try Person.query.counted(by: \.lastName)        // [String: Int]
    /// let staff = try Person.query.counted(by: \.employer)        // [Company?: Int]
    /// ```
    ///
    /// The only objects loaded are those used as keys. Nil is a key if the property may be nil.
    ///
    /// - Throws: The errors of `values(of:)`.
    /// - Complexity: One SELECT with `GROUP BY`.
    public func counted<V: Hashable>(
        by property: KeyPath<T, V>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [V: Int] {
        let grouping = try Grouping<V>(by: property)
        let counts = try QueryCall(definition).rows(grouping.values(), .grouped([.rows]), grouping) {
            Int($0.statement.integer(1))
        }
        // Strings that are equal in Swift can have different bytes.
        return Dictionary(counts.map { ($0.key, $0.value) }, uniquingKeysWith: +)
    }

    /// Returns the number of objects for each value of a property whose group meets a condition.
    ///
    /// ```swift
    /// let common = try Person.query.counted(by: \.lastName, having: { $0.count > 3 })
    /// ```
    public func counted<V: Hashable>(
        by property: KeyPath<T, V>, having condition: (GroupColumns<T>) throws -> Condition,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [V: Int] {
        let key = QueryExpression(.column(scope: 0, QueryPath(property)))
        return try Groups<T, V>(definition, [key]).having(condition).counts(as: V.self)
    }

    /// Returns the number of objects that the query finds for each value computed from their properties.
    ///
    /// ```swift
    /// let months = try Order.query.counted(by: { $0.day.month }, having: { $0.count > 3 })      // [Int?: Int]
    /// ```
    ///
    /// Without a condition, the result contains all groups; see ``Groups/having(_:)``.
    @_disfavoredOverload
    public func counted<V, A: Hashable>(
        by value: (Columns<T>) throws -> Term<V, A>, having condition: ((GroupColumns<T>) throws -> Condition)? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [A: Int] {
        let groups = Groups<T, A>(definition, [try SelectedValue(value).expression])
        return try (condition.map { try groups.having($0) } ?? groups).counts(as: A.self)
    }
}

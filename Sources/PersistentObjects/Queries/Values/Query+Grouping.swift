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
    /// let staff = try Person.query.counted(by: \.employer)        // [Company?: Int]
    /// ```
    ///
    /// One SELECT with `GROUP BY`; of the objects only those are made that the
    /// others are counted by. Nil is a value where the property may be nil.
    ///
    /// - Throws: As `values(of:)`.
    public func counted<V: Hashable>(
        by property: KeyPath<T, V>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [V: Int] {
        let grouping = try Grouping<V>(by: property)
        let counts = try QueryCall(definition).rows(grouping.values(), .grouped([.rows]), grouping) {
            Int($0.statement.integer(1))
        }
        // Texts that Swift takes for equal can have different bytes.
        return Dictionary(counts.map { ($0.key, $0.value) }, uniquingKeysWith: +)
    }

    /// How many objects the query finds for each value of a property, where what is said of the group holds.
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

    /// How many objects the query finds for each value that is made of their properties.
    ///
    /// ```swift
    /// let months = try Order.query.counted(by: { $0.day.month }, having: { $0.count > 3 })      // [Int?: Int]
    /// ```
    ///
    /// Without a condition all groups are in the answer; see ``Groups/having(_:)``.
    @_disfavoredOverload
    public func counted<V, A: Hashable>(
        by value: (Columns<T>) throws -> Term<V, A>, having condition: ((GroupColumns<T>) throws -> Condition)? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [A: Int] {
        let groups = Groups<T, A>(definition, [try AskedValue(value).expression])
        return try (condition.map { try groups.having($0) } ?? groups).counts(as: A.self)
    }
}

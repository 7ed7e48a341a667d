// Indexes whose conditions or values are written like queries.
extension Index {
    /// Creates a partial index: it contains only the objects that meet a condition.
    ///
    /// ```swift
    /// Index(\Person.email, unique: true, where: { $0.deletedAt == nil })
    /// ```
    ///
    /// With `unique: true`, only the objects in the index must differ. A query uses the index if its own condition
    /// contains the same condition, joined to the rest by `&&`. The condition compares properties of the class with
    /// values and with each other. A condition that only this library can evaluate is rejected when the class is first
    /// used, because other programs could not write the table.
    public init<T: Persistent>(
        _ properties: (any PartialKeyPath<T> & Sendable)..., unique: Bool = false, order: Order = .ascending,
        where condition: (Columns<T>) throws -> Condition
    ) rethrows {
        let condition = try condition(Columns(scope: 0, scopes: ScopeCounter()))
        self.init(properties.map { .path($0) }, isUnique: unique, order, where: condition)
    }

    /// Creates an index over a value computed from properties.
    ///
    /// ```swift
    /// Index(of: Parcel.self) { $0.width * $0.height }
    /// ```
    ///
    /// Queries that compare the same value, or order by it, use the index.
    public init<T: Persistent, V, A>(
        of type: T.Type, unique: Bool = false, order: Order = .ascending,
        _ value: (Columns<T>) throws -> Term<V, A>
    ) rethrows {
        let value = Condition(try value(Columns(scope: 0, scopes: ScopeCounter())).expression)
        self.init([.value(value)], isUnique: unique, order, where: nil)
    }

    /// Creates a partial index over a value computed from properties.
    ///
    /// It contains only the objects that meet the condition.
    public init<T: Persistent, V, A>(
        of type: T.Type, unique: Bool = false, order: Order = .ascending,
        where condition: (Columns<T>) throws -> Condition, _ value: (Columns<T>) throws -> Term<V, A>
    ) rethrows {
        let scopes = ScopeCounter()
        let value = Condition(try value(Columns(scope: 0, scopes: scopes)).expression)
        let condition = try condition(Columns(scope: 0, scopes: scopes))
        self.init([.value(value)], isUnique: unique, order, where: condition)
    }
}

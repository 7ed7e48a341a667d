// Joins: queries for pairs and triples of objects. It knows queries of one class, and must not know finders.

/// A query of pairs of objects of two classes, created by `join` or `leftJoin` of a query.
///
/// ```swift
/// let pairs = try Person.query.join(Company.self) { $0.city == $1.city }
///     .where { $0.age > 30 && $1.name != "Acme" }.order { $1.name }.all()      // [(Person, Company)]
/// ```
///
/// The two objects of a pair meet the join condition, which can be any condition. References need no join:
/// `$0.employer.name`. The objects are the session's instances, with everything loaded that they usually load. The
/// first class is the query's class; the default scopes of the joined classes apply.
public struct Join<First: Persistent, Second: JoinSide>: Sendable {
    let definition: JoinDefinition

    init(_ definition: JoinDefinition) { self.definition = definition }

    /// Returns a join whose objects also meet a condition.
    ///
    /// In a left join, all properties of a missing object are nil.
    public func `where`(_ condition: (Columns<First>, Columns<Second.Model>) throws -> Condition) rethrows -> Join {
        var sides = JoinColumns()
        let condition = try condition(sides.next(First.self), sides.next(Second.Model.self))
        return Join(definition.adding(condition))
    }

    /// Returns the join ordered by a value of the objects; further calls order equal results.
    ///
    /// - Parameters:
    ///   - order: Ascending or descending.
    ///   - ignoringCase: Whether to ignore the case of a string, in every script.
    ///   - nilLast: Whether results without the value come last; if unspecified, nil is less than any value.
    ///   - value: Computes the value from the objects' properties.
    public func order<V, A>(
        _ order: JoinOrder = .ascending, ignoringCase: Bool = false, nilLast: Bool? = nil,
        by value: (Columns<First>, Columns<Second.Model>) throws -> Term<V, A>
    ) rethrows -> Join {
        var sides = JoinColumns()
        let value = try value(sides.next(First.self), sides.next(Second.Model.self))
        let style = QueryDefinition.OrderStyle(
            isDescending: order == .descending, ignoresCase: ignoringCase, hasNilLast: nilLast)
        return Join(definition.ordered(by: value.expression, style))
    }

    /// Returns the join limited to its first results; a later limit replaces an earlier one.
    public func limit(_ count: Int) -> Join { Join(definition.limited(count)) }

    /// Returns the join without its first results.
    public func offset(_ count: Int) -> Join { Join(definition.offset(by: count)) }

    /// Returns a tuple of objects for each combination; without an order, ordered by their ids.
    ///
    /// - Complexity: One SELECT, and one for each class with objects that are not in memory.
    public func all(isolation: isolated (any Actor)? = #isolation) throws -> [(First, Second.Found)] {
        try definition.run { try Fetch($0).objects($1) }.compactMap { row in
            guard let first = row[0],
                let second = Second.found(ObjectMemory.cast(row[1], to: Second.Model.self))
            else { return nil }
            return (ObjectMemory.cast(first, to: First.self), second)
        }
    }

    /// Returns the first combination, or nil if there is none.
    public func first(isolation: isolated (any Actor)? = #isolation) throws -> (First, Second.Found)? {
        try limit(Swift.min(definition.limit ?? 1, 1)).all(isolation: isolation).first
    }

    /// Returns the number of combinations.
    public func count(isolation: isolated (any Actor)? = #isolation) throws -> Int {
        try definition.run { try Fetch($0).count($1) }
    }

    /// Returns whether there are any combinations.
    public func exists(isolation: isolated (any Actor)? = #isolation) throws -> Bool {
        try definition.run { try Fetch($0).exists($1) }
    }

    /// Returns a join with each object of a third class that meets a condition with the objects so far.
    public func join<T: Persistent>(
        _ type: T.Type, on condition: (Columns<First>, Columns<Second.Model>, Columns<T>) throws -> Condition
    ) rethrows -> Join3<First, Second, Joined<T>> {
        var sides = JoinColumns()
        let condition = try condition(sides.next(First.self), sides.next(Second.Model.self), sides.next(type))
        return Join3(definition.joined(with: type, isOptional: false, condition))
    }

    /// Returns a left join: results without a matching object of the third class contain nil instead.
    public func leftJoin<T: Persistent>(
        _ type: T.Type, on condition: (Columns<First>, Columns<Second.Model>, Columns<T>) throws -> Condition
    ) rethrows -> Join3<First, Second, LeftJoined<T>> {
        var sides = JoinColumns()
        let condition = try condition(sides.next(First.self), sides.next(Second.Model.self), sides.next(type))
        return Join3(definition.joined(with: type, isOptional: true, condition))
    }
}

extension Persistent {
    /// Returns a join of each object with each object of another class that meets a condition with it.
    ///
    /// ```swift
    /// let pairs = try Person.join(Company.self) { $0.employer == $1 }.all()       // [(Person, Company)]
    /// ```
    public static func join<U: Persistent>(
        _ type: U.Type, on condition: (Columns<Self>, Columns<U>) throws -> Condition
    ) rethrows -> Join<Self, Joined<U>> {
        try query.join(type, on: condition)
    }

    /// Returns a left join: results without a matching object of the other class contain nil instead.
    ///
    /// ```swift
    /// let jobless = try Person.leftJoin(Company.self) { $0.employer == $1 }.where { $1.id == nil }.count()
    /// ```
    public static func leftJoin<U: Persistent>(
        _ type: U.Type, on condition: (Columns<Self>, Columns<U>) throws -> Condition
    ) rethrows -> Join<Self, LeftJoined<U>> {
        try query.leftJoin(type, on: condition)
    }
}

extension Term where Value: Persistent {
    /// Whether a reference refers to the object of a join's side: `{ $0.employer == $1 }`.
    public static func == (a: Term, b: Columns<Value>) -> Condition { a.id == b.id }

    /// The same comparison with its operands swapped: `{ $0 == $1.employer }`.
    public static func == (a: Columns<Value>, b: Term) -> Condition { b == a }
}

/// The direction of an order: ascending or descending.
public enum JoinOrder: Sendable {
    /// The lowest value first.
    case ascending
    /// The highest value first.
    case descending
}

extension Query {
    /// Returns a join of the query's objects with the objects of another class that meet a condition.
    ///
    /// ```swift
    /// for (person, company) in try Person.query.join(Company.self, on: { $0.city == $1.city }).all() { … }
    /// ```
    ///
    /// The query must have no limit or offset; call these after the join.
    public func join<U: Persistent>(
        _ type: U.Type, on condition: (Columns<T>, Columns<U>) throws -> Condition
    ) rethrows -> Join<T, Joined<U>> {
        var sides = JoinColumns()
        let condition = try condition(sides.next(T.self), sides.next(type))
        return Join(JoinDefinition(definition).joined(with: type, isOptional: false, condition))
    }

    /// Returns a left join: results without a matching object of the other class contain nil instead.
    ///
    /// ```swift
    /// let lonely = try Person.query.leftJoin(Company.self) { $0.city == $1.city }.where { $1.id == nil }.count()
    /// ```
    public func leftJoin<U: Persistent>(
        _ type: U.Type, on condition: (Columns<T>, Columns<U>) throws -> Condition
    ) rethrows -> Join<T, LeftJoined<U>> {
        var sides = JoinColumns()
        let condition = try condition(sides.next(T.self), sides.next(type))
        return Join(JoinDefinition(definition).joined(with: type, isOptional: true, condition))
    }
}

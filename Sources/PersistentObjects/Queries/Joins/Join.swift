// Joins: queries for pairs and triples of objects. It knows queries of one class, and must not know finders.

/// A question about objects of two classes that belong together by any condition: made by `join` and `leftJoin` of a
/// query.
///
/// ```swift
/// let pairs = try Person.query.join(Company.self) { $0.city == $1.city }
///     .where { $0.age > 30 && $1.name != "Acme" }.order { $1.name }.all()      // [(Person, Company)]
/// ```
///
/// What follows a reference needs no join: `$0.employer.name`. Objects are the
/// instances that they are already, with all that they lead to. The first class
/// is that of the query, the others come with their default scopes.
public struct Join<First: Persistent, Second: JoinSide>: Sendable {
    let definition: JoinDefinition

    init(_ definition: JoinDefinition) { self.definition = definition }

    /// Those whose objects meet a further condition.
    ///
    /// Of an object that is missing in a left join all properties are nil.
    public func `where`(_ condition: (Columns<First>, Columns<Second.Model>) throws -> Condition) rethrows -> Join {
        var sides = JoinColumns()
        let condition = try condition(sides.next(First.self), sides.next(Second.Model.self))
        return Join(definition.adding(condition))
    }

    /// In the order of a value of the objects; further calls order those that are equal.
    ///
    /// - Parameters:
    ///   - order: Ascending or descending.
    ///   - ignoringCase: Whether small and capital letters of a text are the
    ///     same, in every script.
    ///   - nilLast: Whether those without the value come last; where it is not
    ///     said, nil is less than any value.
    ///   - value: What is made of the objects' properties.
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

    /// The first only; a later limit replaces it.
    public func limit(_ count: Int) -> Join { Join(definition.limited(count)) }

    /// Without the first.
    public func offset(_ count: Int) -> Join { Join(definition.offset(by: count)) }

    /// The objects that belong together, a tuple for each combination; without an order by their ids.
    ///
    /// - Complexity: one SELECT, and one for each class of which objects are not in memory.
    public func all(isolation: isolated (any Actor)? = #isolation) throws -> [(First, Second.Found)] {
        try definition.ask { try Fetch($0).objects($1) }.compactMap { row in
            guard let first = row[0],
                let second = Second.found(ObjectMemory.cast(row[1], to: Second.Model.self))
            else { return nil }
            return (ObjectMemory.cast(first, to: First.self), second)
        }
    }

    /// The first of them; nil if there is none.
    public func first(isolation: isolated (any Actor)? = #isolation) throws -> (First, Second.Found)? {
        try limit(Swift.min(definition.limit ?? 1, 1)).all(isolation: isolation).first
    }

    /// How many there are.
    public func count(isolation: isolated (any Actor)? = #isolation) throws -> Int {
        try definition.ask { try Fetch($0).count($1) }
    }

    /// Whether there are any.
    public func exists(isolation: isolated (any Actor)? = #isolation) throws -> Bool {
        try definition.ask { try Fetch($0).exists($1) }
    }

    /// With each object of a third class that meets a condition together with those before.
    public func join<T: Persistent>(
        _ type: T.Type, on condition: (Columns<First>, Columns<Second.Model>, Columns<T>) throws -> Condition
    ) rethrows -> Join3<First, Second, Joined<T>> {
        var sides = JoinColumns()
        let condition = try condition(sides.next(First.self), sides.next(Second.Model.self), sides.next(type))
        return Join3(definition.joined(with: type, isOptional: false, condition))
    }

    /// The same, and once with nil if no object of the class meets the condition.
    public func leftJoin<T: Persistent>(
        _ type: T.Type, on condition: (Columns<First>, Columns<Second.Model>, Columns<T>) throws -> Condition
    ) rethrows -> Join3<First, Second, LeftJoined<T>> {
        var sides = JoinColumns()
        let condition = try condition(sides.next(First.self), sides.next(Second.Model.self), sides.next(type))
        return Join3(definition.joined(with: type, isOptional: true, condition))
    }
}

extension Persistent {
    /// The objects of the class, each with each object of another class that meets a condition together with it.
    ///
    /// ```swift
    /// let pairs = try Person.join(Company.self) { $0.employer == $1 }.all()       // [(Person, Company)]
    /// ```
    public static func join<U: Persistent>(
        _ type: U.Type, on condition: (Columns<Self>, Columns<U>) throws -> Condition
    ) rethrows -> Join<Self, Joined<U>> {
        try query.join(type, on: condition)
    }

    /// The same, and once with nil if no object of the other class meets the condition.
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
    /// Whether a reference leads to the object of a join's side: `{ $0.employer == $1 }`.
    public static func == (a: Term, b: Columns<Value>) -> Condition { a.id == b.id }

    /// The same the other way round: `{ $0 == $1.employer }`.
    public static func == (a: Columns<Value>, b: Term) -> Condition { b == a }
}

/// Ascending or descending.
public enum JoinOrder: Sendable {
    /// The least value first.
    case ascending
    /// The greatest value first.
    case descending
}

extension Query {
    /// The objects of the query, each with each object of another class that meets a condition together with it.
    ///
    /// ```swift
    /// for (person, company) in try Person.query.join(Company.self, on: { $0.city == $1.city }).all() { … }
    /// ```
    ///
    /// The query must have no limit or offset: say them after the join.
    public func join<U: Persistent>(
        _ type: U.Type, on condition: (Columns<T>, Columns<U>) throws -> Condition
    ) rethrows -> Join<T, Joined<U>> {
        var sides = JoinColumns()
        let condition = try condition(sides.next(T.self), sides.next(type))
        return Join(JoinDefinition(definition).joined(with: type, isOptional: false, condition))
    }

    /// The same, and once with nil if no object of the other class meets the condition.
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

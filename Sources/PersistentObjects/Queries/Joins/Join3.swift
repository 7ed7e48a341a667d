/// A query of combinations of objects of three classes: a `Join` that was joined once more.
///
/// ```swift
/// let journeys = Person.query.join(Company.self) { $0.age < $1.size }
///     .leftJoin(Train.self) { $2.from == $0.city && $2.to == $1.city }         // (Person, Company, Train?)
/// ```
public struct Join3<First: Persistent, Second: JoinSide, Third: JoinSide>: Sendable {
    let definition: JoinDefinition

    init(_ definition: JoinDefinition) { self.definition = definition }

    /// Returns a join whose objects also meet a condition.
    ///
    /// In a left join, all properties of a missing object are nil.
    public func `where`(_ condition: (Columns<First>, Columns<Second.Model>, Columns<Third.Model>) throws -> Condition)
        rethrows -> Join3
    {
        var sides = JoinColumns()
        let condition = try condition(
            sides.next(First.self), sides.next(Second.Model.self), sides.next(Third.Model.self))
        return Join3(definition.adding(condition))
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
        by value: (Columns<First>, Columns<Second.Model>, Columns<Third.Model>) throws -> Term<V, A>
    ) rethrows -> Join3 {
        var sides = JoinColumns()
        let value = try value(sides.next(First.self), sides.next(Second.Model.self), sides.next(Third.Model.self))
        let style = QueryDefinition.OrderStyle(
            isDescending: order == .descending, ignoresCase: ignoringCase, hasNilLast: nilLast)
        return Join3(definition.ordered(by: value.expression, style))
    }

    /// Returns the join limited to its first results; a later limit replaces an earlier one.
    public func limit(_ count: Int) -> Join3 { Join3(definition.limited(count)) }

    /// Returns the join without its first results.
    public func offset(_ count: Int) -> Join3 { Join3(definition.offset(by: count)) }

    /// Returns a tuple of objects for each combination; without an order, ordered by their ids.
    ///
    /// - Complexity: One SELECT, and one for each class with objects that are not in memory.
    public func all(isolation: isolated (any Actor)? = #isolation) throws -> [(First, Second.Found, Third.Found)] {
        try definition.run { try Fetch($0).objects($1) }.compactMap { row in
            guard let first = row[0],
                let second = Second.found(ObjectMemory.cast(row[1], to: Second.Model.self)),
                let third = Third.found(ObjectMemory.cast(row[2], to: Third.Model.self))
            else { return nil }
            return (ObjectMemory.cast(first, to: First.self), second, third)
        }
    }

    /// Returns the first combination, or nil if there is none.
    public func first(isolation: isolated (any Actor)? = #isolation) throws -> (First, Second.Found, Third.Found)? {
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
}

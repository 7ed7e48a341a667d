/// A random order: `Person.query.order(by: .random)`.
public struct RandomOrder: Sendable {
    /// Nil for a different order each time.
    fileprivate let seed: Int?

    /// A different order each time.
    public static let random = RandomOrder(seed: nil)

    /// A pseudorandom order that is the same for the same seed and the same objects.
    ///
    /// Pages of such a query do not overlap.
    public static func random(seed: Int) -> RandomOrder { RandomOrder(seed: seed) }
}

extension Query {
    /// Returns the query in a random order.
    ///
    /// ```swift
    /// let three = try Question.query.order(by: .random).limit(3).all()
    /// let page = try Question.query.order(by: .random(seed: 7)).page(2, of: 20)
    /// ```
    ///
    /// Every matching row is read, whatever the limit.
    public func order(by order: RandomOrder) -> Query {
        let id = QueryExpression(.column(scope: 0, QueryPath(\T.id)))
        let expression = order.seed.map { id.shuffled(by: $0) } ?? QueryExpression(.operation(.random))
        return changed { $0.orders.append(.init(expression: expression, style: .init())) }
    }
}

extension QueryExpression {
    /// A pseudorandom number below a prime, computed from an id in integers that every engine supports. Ids below the
    /// prime get distinct numbers, because 5 and the prime less 1 are coprime.
    fileprivate func shuffled(by seed: Int) -> QueryExpression {
        let prime: Int64 = 2_147_483_647
        func number(_ value: Int64) -> QueryExpression { QueryExpression(argument: .value(.integer(value))) }
        func reduced(_ value: QueryExpression) -> QueryExpression { value.applying(.remainder, number(prime)) }
        // Neighboring seeds are mapped far apart, and never to small numbers, because the fifth powers of small numbers
        // keep their order.
        let mixed = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15
        let start = Int64(mixed >> 34) + 1_000_003
        let moved = reduced(reduced(self).applying(.add, number(start)))
        let square = reduced(moved.applying(.multiply, moved))
        let fourth = reduced(square.applying(.multiply, square))
        return reduced(fourth.applying(.multiply, moved))
    }
}

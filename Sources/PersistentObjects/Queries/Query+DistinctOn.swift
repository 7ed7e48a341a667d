// The first object of each group.
extension Query {
    /// Returns the first object for each distinct value of a property, or of several properties.
    ///
    /// ```swift
    /// let newest = try Order.query.order(by: \.date, .descending).distinct(on: \.customer).all()
    /// ```
    ///
    /// The query before this call determines which objects take part and which object of each group is first; without
    /// an order, it is the object with the lowest id. Nil counts as a value. The result is a query: a further `where`
    /// filters these objects, a further `order` orders the objects that compare equal, and a limit, wherever it is
    /// called, selects a part of them. They are in the order of the query.
    ///
    /// - Complexity: One statement; it reads all objects that meet the condition.
    public func distinct<each V>(on properties: repeat KeyPath<T, each V>) -> Query {
        var keys: [QueryExpression] = []
        for property in repeat each properties {
            keys.append(QueryExpression(.column(scope: 0, QueryPath(property))))
        }
        return firstOfEach(keys)
    }

    /// Returns the first object for each distinct value computed from properties.
    ///
    /// ```swift
    /// Order.query.order(by: \.total, .descending).distinct { $0.date.year }
    /// ```
    public func distinct<V, A>(on value: (Columns<T>) throws -> Term<V, A>) rethrows -> Query {
        firstOfEach([try value(Columns(scope: 0, scopes: ScopeCounter())).expression])
    }

    private func firstOfEach(_ keys: [QueryExpression]) -> Query {
        changed { definition in
            var result = QueryExpression(.column(scope: 0, QueryPath(\T.id)))
            // The condition is in a separate scope, which ends before another scope begins.
            result.append(.enterQuery(scope: 1, QueryClass(type: definition.type)))
            let condition = definition.condition ?? QueryExpression(.operation(.always))
            for part in [condition] + keys + definition.orders.map(\.expression) {
                result.append(part.renumbered(by: 1))
            }
            let orders = definition.orders.map { order in
                FirstOfEach.Order(
                    isDescending: order.style.isDescending, ignoresCase: order.style.ignoresCase,
                    hasNilLast: order.style.hasNilLast)
            }
            result.append(.leaveFirst(FirstOfEach(scope: 1, keyCount: keys.count, orders: orders)))
            if keys.isEmpty {
                result.fail(QueryError.notExpressible("The call to distinct(on:) names no property. Name at least one"))
            }
            if condition.words.contains(.operation(.matchesText)) {
                result.fail(
                    QueryError.notExpressible(
                        "A search cannot be followed by distinct(on:). Call distinct(on:) first and search its results"
                    ))
            }
            definition.becomeCondition(result)
        }
    }
}

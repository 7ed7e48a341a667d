internal import StoreEngine

/// The ranking that selects the first of several objects with equal values. The values and orders precede it in the
/// expression.
struct FirstOfEach: Hashable, Sendable {
    let scope: Int
    /// The number of values that define a group.
    let keyCount: Int
    let orders: [Order]

    /// The style of one of the orders.
    struct Order: Hashable, Sendable {
        let isDescending: Bool
        let ignoresCase: Bool
        let hasNilLast: Bool?
    }

    func renumbered(by distance: Int) -> FirstOfEach {
        FirstOfEach(scope: scope + distance, keyCount: keyCount, orders: orders)
    }
}

extension ExpressionWriter {
    /// Its operands are an id, the query's condition, the values and the orders.
    func leaveFirst(_ first: FirstOfEach) throws {
        var orders: [SQL] = []
        for order in first.orders.reversed() {
            // The bytes of a key have the same order as its string.
            let value = try (order.ignoresCase ? pop() : popStored()).checked()
            try value.checkOrder()
            let key = order.ignoresCase ? dialect.ignoringCase(value.sql) : value.inOrder(dialect).sql
            orders.append(key + dialect.ordering(order.isDescending, order.hasNilLast))
        }
        orders.reverse()
        var keys: [SQL] = []
        for _ in 0..<first.keyCount {
            keys.append(try popStored().checked().inOrder(dialect).sql)
        }
        keys.reverse()
        let condition = try pop()
        let id = try popStored()
        guard let scope = scopes.removeValue(forKey: first.scope) else {
            throw QueryError.notExpressible("The expression ends a query that it did not begin")
        }
        let own: SQL = "\(column: "id", of: scope.alias)"
        orders.append(own)
        let source = try classes.rows(of: scope.map.type, as: scope.alias) + scope.joins(needed: condition.needed)
        let numbered: SQL = """
            SELECT \(own) AS "id", row_number() OVER (PARTITION BY \(list: keys) ORDER BY \(list: orders)) AS "place" \
            FROM \(source) WHERE \(condition.sql)
            """
        let sql: SQL = "\(id.sql) IN (SELECT \"id\" FROM (\(numbered)) AS \(name: newAlias()) WHERE \"place\" = 1)"
        stack.append(QueryOperand(sql, mayBeNull: true, needed: id.needed))
    }
}

internal import StoreEngine

/// The statement of a join: it selects the ids of the objects of each side.
///
/// Conditions of inner joins stand in `WHERE`, where SQLite may begin with
/// either side; those of left joins say which rows there are to choose from.
struct JoinPlan {
    private let selection: SQL
    private let rest: SQL
    private let order: SQL
    let argumentCount: Int
    let keys: [Int: PropertyCodec]

    init(_ definition: JoinDefinition, _ maps: [ClassMap], _ classes: any ClassDirectory) throws {
        let writer = ExpressionWriter(maps[0], classes)
        var scopes = [writer.root]
        var conditions: [QueryOperand] = []
        var optional: [Int: SQL] = [:]
        for (place, side) in definition.sides.enumerated().dropFirst() {
            let scope = writer.addScope(-place, maps[place])
            scopes.append(scope)
            guard let condition = side.condition else { continue }
            let written = try writer.write(condition)
            // Inside its own condition there is a row.
            scope.mayBeMissing = side.isOptional
            if side.isOptional { optional[place] = written.sql } else { conditions.append(written) }
        }
        if let condition = definition.condition { conditions.append(try writer.write(condition)) }
        order = try JoinPlan.order(definition.orders, writer, scopes)
        argumentCount = writer.argumentCount
        keys = writer.keys
        var whole = conditions.first
        for var condition in conditions.dropFirst() { whole?.join(&condition, .all) }
        var sql = SQL(" FROM ")
        for (place, scope) in scopes.enumerated() {
            let isNested = optional[place] != nil && scope.hasJoins
            if place > 0 { sql.append(optional[place] == nil ? " JOIN " : " LEFT JOIN ") }
            if isNested { sql.append("(") }
            sql.append(try classes.rows(of: maps[place].type, as: scope.alias))
            sql.append(scope.joins(needed: optional[place] == nil ? whole?.needed ?? [] : []))
            if isNested { sql.append(")") }
            if let condition = optional[place] {
                sql.append(" ON ")
                sql.append(condition)
            }
        }
        if let whole {
            sql.append(" WHERE ")
            sql.append(whole.sql)
        }
        rest = sql
        var selection = SQL("SELECT ")
        selection.append(scopes) { $0.append(column: "id", of: $1.alias) }
        self.selection = selection
    }

    /// What was said, and then the ids of the sides, so that pages do not overlap.
    private static func order(
        _ orders: [QueryDefinition.Order], _ writer: ExpressionWriter, _ scopes: [QueryScope]
    ) throws -> SQL {
        var sql = SQL(" ORDER BY ")
        for order in orders {
            let value = try writer.write(order.expression).checked()
            try value.checkOrder()
            sql.append(value.sql)
            sql.append(order.style)
            sql.append(", ")
        }
        sql.append(scopes) { $0.append(column: "id", of: $1.alias) }
        return sql
    }

    /// The ids of all that is found, a column for each side.
    func ids(_ definition: JoinDefinition) -> SQL {
        var sql = selection
        sql.append(rest)
        sql.append(order)
        return limited(sql, definition)
    }

    func count(_ definition: JoinDefinition) -> SQL { around("SELECT count(*) FROM (", definition, ")") }

    func exists(_ definition: JoinDefinition) -> SQL { around("SELECT EXISTS (", definition, ")") }

    private func around(_ start: StaticString, _ definition: JoinDefinition, _ end: StaticString) -> SQL {
        var sql = SQL(start)
        var inner = SQL("SELECT 1")
        inner.append(rest)
        sql.append(limited(inner, definition))
        sql.append(end)
        return sql
    }

    private func limited(_ start: SQL, _ definition: JoinDefinition) -> SQL {
        guard definition.limit != nil || definition.offset != 0 else { return start }
        var sql = start
        sql.append(" LIMIT ")
        sql.append(placeholder: argumentCount + 1)
        sql.append(" OFFSET ")
        sql.append(placeholder: argumentCount + 2)
        return sql
    }
}

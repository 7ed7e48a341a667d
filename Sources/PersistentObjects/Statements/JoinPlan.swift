internal import StoreEngine

/// The statements of a join. They select the ids of the objects of each side.
///
/// The conditions of inner joins are in `WHERE`, so that SQLite may start with any side. The conditions of left joins
/// are in `ON`.
struct JoinPlan {
    private let columns: SQL
    private let rest: SQL
    private let order: SQL
    let argumentCount: Int
    let keys: [Int: ComparedForm]
    private let noLimit: SQL

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
            // A side's own condition is evaluated only for existing rows.
            scope.mayBeMissing = side.isOptional
            if side.isOptional { optional[place] = written.sql } else { conditions.append(written) }
        }
        if let condition = definition.condition { conditions.append(try writer.write(condition)) }
        let ids = scopes.map { "\(column: "id", of: $0.alias)" as SQL }
        columns = "\(list: ids)"
        // The orders are followed by the ids of the sides, so that pages do not overlap.
        order = " ORDER BY \(list: try definition.orders.map { try writer.write($0) } + ids)"
        noLimit = writer.dialect.noLimit
        argumentCount = writer.argumentCount
        keys = writer.keys
        var whole = conditions.first
        for var condition in conditions.dropFirst() { whole?.join(&condition, .all) }
        var sql: SQL = " FROM "
        for (place, scope) in scopes.enumerated() {
            let condition = optional[place]
            if place > 0 { sql.append(condition == nil ? " \(writer.dialect.join) " : " LEFT JOIN ") }
            let needed = condition == nil ? whole?.needed ?? [] : []
            let source = try classes.rows(of: maps[place].type, as: scope.alias)
            let rows = source + scope.joins(needed: needed)
            sql.append(condition != nil && scope.hasJoins ? "(\(rows))" : rows)
            if let condition { sql.append(" ON \(condition)") }
        }
        if let whole { sql.append(" WHERE \(whole.sql)") }
        rest = sql
    }

    /// The ids of the results, one column for each side.
    func ids(_ definition: JoinDefinition) -> SQL { limited("SELECT \(columns)\(rest)\(order)", definition) }

    func count(_ definition: JoinDefinition) -> SQL {
        "SELECT count(*) FROM (\(limited("SELECT 1\(rest)", definition))) AS \"found\""
    }

    func exists(_ definition: JoinDefinition) -> SQL {
        "SELECT EXISTS (\(limited("SELECT 1\(rest)", definition)))"
    }

    private func limited(_ start: SQL, _ definition: JoinDefinition) -> SQL {
        guard definition.limit != nil || definition.offset != 0 else { return start }
        let limit = definition.limit == nil ? noLimit : "\(placeholder: argumentCount + 1)"
        return "\(start) LIMIT \(limit) OFFSET \(placeholder: argumentCount + 2)"
    }
}

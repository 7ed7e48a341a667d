package import StoreEngine

/// What SQLite says it does for a statement, a line for each step.
package func queryPlan(of sql: String, _ connection: any Connection) throws -> [String] {
    let statement = try connection.statement(connection.dialect.explanation(SQL(RawSQL(sql))))
    defer { statement.finish() }
    var lines: [String] = []
    while try statement.step() { lines.append(try statement.column(3).text()) }
    return lines
}

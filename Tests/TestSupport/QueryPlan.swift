package import StoreEngine

/// SQLite's query plan of a statement, with a line for each step.
package func queryPlan(of sql: String, _ connection: any Connection) throws -> [String] {
    let statement = try connection.statement(connection.dialect.explanation(SQL(RawSQL(sql))))
    defer { statement.finish() }
    var lines: [String] = []
    while try statement.step() { lines.append(try statement.column(3).text()) }
    return lines
}

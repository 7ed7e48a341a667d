internal import StoreEngine

// The places of the history's values, as a file records them.
extension HistorySlots {
    /// The places of a table's columns in the file.
    init(of table: String, _ connection: any Connection) throws {
        var recorded: [(ordinal: Int, column: String)] = []
        if try connection.schema.table(HistoryNames.columns) != nil {
            let sql: SQL = """
                SELECT "slot", "column" FROM \(name: HistoryNames.columns) WHERE "table" = ? ORDER BY "slot"
                """
            try connection.prepare(sql).forEach([.text(table)]) { row in
                guard case .integer(let ordinal) = row[0], case .text(let column) = row[1] else { return }
                recorded.append((Int(ordinal), column))
            }
        }
        self.init(recorded: recorded)
    }

    /// Gives each column a place while there are any, and records the new ones in the file.
    static func assigned(
        to columns: [HistoryTriggers.Column], of table: String, _ connection: any Connection
    ) throws -> HistorySlots {
        var slots = try HistorySlots(of: table, connection)
        for column in slots.missing(columns) {
            let ordinal = slots.add(column.name)
            try connection.prepare("INSERT INTO \(name: HistoryNames.columns) VALUES (?, ?, ?)").execute(
                [.text(table), .integer(Int64(ordinal)), .text(column.name)])
        }
        return slots
    }

    /// All places with values of a column; several if another column had its name before.
    static func ordinals(of column: String, in table: String, _ connection: any Connection) throws -> [Int] {
        let sql: SQL = "SELECT \"slot\" FROM \(name: HistoryNames.columns) WHERE \"table\" = ? AND \"column\" = ?"
        return try connection.prepare(sql).rows([.text(table), .text(column)]).compactMap { row in
            guard case .integer(let ordinal) = row[0] else { return nil }
            return Int(ordinal)
        }
    }
}

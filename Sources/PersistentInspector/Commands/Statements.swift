internal import PersistentObjects
internal import StoreEngine

/// The result of a statement that reads.
enum Statements {
    static func run(_ call: CommandCall) throws -> Bool {
        let file = try call.file()
        let sql: SQL = "\(raw: RawSQL(call.words[0]))"
        if call.has("--plan") {
            try Plan.write(sql, [], of: file, call)
            return false
        }
        let limit = try call.limit()
        let found = try file.rows(sql, limit: limit)
        let columns = found.columns.map { TypedRows.Column(name: $0) }
        try call.write(TypedRows(columns: columns, rows: found.rows), isCut: found.isCut, limit: limit)
        return false
    }
}

/// The plan of a statement.
enum Plan {
    /// Writes a statement, its values and its plan. A step that reads all rows of a table is marked.
    static func write(_ sql: SQL, _ values: [DatabaseValue], of file: InspectedFile, _ call: CommandCall) throws {
        try call.write(sql.text)
        for (index, value) in values.enumerated() {
            try call.write("?\(index + 1) = \(ValueText.quoted(value, type: nil))")
        }
        for line in try lines(sql, values, of: file) {
            try call.write(
                String(repeating: "  ", count: line.depth) + line.text + (line.isScan ? "  ← reads all rows" : ""))
        }
    }

    /// One step of a plan.
    struct Line {
        /// From 1.
        let depth: Int
        let text: String
        /// Whether it reads all rows of a table.
        let isScan: Bool
    }

    static func lines(_ sql: SQL, _ values: [DatabaseValue], of file: InspectedFile) throws -> [Line] {
        if file.isOnServer {
            return try file.rows(file.connection.dialect.explanation(sql), values).rows.compactMap { row in
                guard let text = row[0].text else { return nil }
                let spaces = text.prefix { $0 == " " }.count
                return Line(
                    depth: spaces / 2 + 1, text: String(text.dropFirst(spaces)), isScan: text.contains("Seq Scan"))
            }
        }
        let steps = try file.withStatement(file.connection.dialect.explanation(sql), values) { try $0.planSteps() }
        return steps.map { step in
            let isScan = step.text.hasPrefix("SCAN ") && !step.text.contains("USING")
            return Line(depth: step.depth, text: step.text, isScan: isScan)
        }
    }
}

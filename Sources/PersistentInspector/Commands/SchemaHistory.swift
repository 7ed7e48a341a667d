internal import PersistentObjects
internal import StoreEngine

/// The changes of classes that a file records.
enum SchemaHistory {
    struct Entry {
        let number: Int64
        let time: String
        let library: String
        let app: String
        let className: String?
        let sql: String
    }

    static func run(_ call: CommandCall) throws -> Bool {
        let file = try call.file()
        let (entries, isCut) = try entries(of: file, limit: Bounds.rows)
        if call.has("--json") {
            for entry in entries { try call.write(json(entry).line) }
            return false
        }
        if entries.isEmpty { try call.write("The file records no changes of classes.") }
        if isCut { try call.write("The latest \(Bounds.rows) changes:") }
        for entry in entries {
            let about = entry.className.map { ", class \($0)" } ?? ""
            try call.write("\(entry.time) by \(entry.app), library version \(entry.library)\(about)")
            for line in entry.sql.split(separator: "\n") {
                try call.write("    \(VisibleText.of(String(line), Bounds.characters))")
            }
        }
        return false
    }

    /// The latest entries, the oldest first.
    static func entries(of file: InspectedFile, limit: Int) throws -> (entries: [Entry], isCut: Bool) {
        guard try file.connection.schema.table("po_history") != nil else { return ([], false) }
        let found = try file.rows(
            "SELECT number, time, library, app, class, sql FROM po_history ORDER BY number DESC", limit: limit)
        let entries = found.rows.reversed().map { row in
            var number: Int64 = 0
            if case .integer(let value) = row[0] { number = value }
            return Entry(
                number: number, time: ValueText.cell(row[1], type: "Date"), library: row[2].text ?? "?",
                app: VisibleText.of(row[3].text ?? "?"), className: row[4].text, sql: row[5].text ?? "")
        }
        return (entries, found.isCut)
    }

    private static func json(_ entry: Entry) -> JSONValue {
        .object([
            .init(name: "number", value: .number("\(entry.number)")), .init(name: "time", value: .text(entry.time)),
            .init(name: "library", value: .text(entry.library)), .init(name: "app", value: .text(entry.app)),
            .init(name: "class", value: entry.className.map { .text($0) } ?? .null),
            .init(name: "sql", value: .text(entry.sql)),
        ])
    }
}

internal import StoreEngine

/// The two tables that have the history of a class's table, and the triggers that write it.
///
/// Plain SQL, so that programs without this library's functions can still
/// write. Values keep their own types in columns of type ANY.
struct HistoryTable {
    enum Event: String, CaseIterable {
        case insert, update, delete

        /// What an entry says.
        var change: String {
            switch self {
            case .insert: "created"
            case .update: "changed"
            case .delete: "deleted"
            }
        }
    }

    let table: String

    /// An entry for each change.
    var entries: String { HistoryNames.entries(of: table) }
    /// What each entry changed, a row for each column.
    var values: String { HistoryNames.values(of: table) }

    func triggerName(_ event: Event) -> String { "\(table).history.\(event.rawValue)" }

    var definitions: [SQL] {
        [
            """
            CREATE TABLE \(name: entries) ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "change" TEXT NOT NULL, \
            "object" INTEGER NOT NULL, "date" REAL NOT NULL) STRICT
            """,
            "CREATE INDEX \(name: "\(table).history.object") ON \(name: entries) (\"object\")",
            """
            CREATE TABLE \(name: values) ("entry" INTEGER NOT NULL, "column" TEXT NOT NULL, "old" ANY, "new" ANY, \
            PRIMARY KEY ("entry", "column")) STRICT, WITHOUT ROWID
            """,
        ]
    }

    func trigger(_ event: Event, _ columns: [String]) -> SQL {
        let kept = columns.filter { Naming.folded($0) != "id" }
        var name: SQL = "INSERT"
        var (old, new): (SQL, SQL) = ("NULL", "NULL")
        var condition: SQL = ""
        switch event {
        case .insert: break
        case .delete: name = "DELETE"
        case .update:
            name = "UPDATE"
            let before: SQL = "\(list: kept.map { "OLD.\(name: $0)" })"
            let after: SQL = "\(list: kept.map { "NEW.\(name: $0)" })"
            condition = kept.isEmpty ? " WHEN 0" : " WHEN (\(before)) IS NOT (\(after))"
        }
        let row: SQL = event == .delete ? "OLD" : "NEW"
        var body: SQL = """
            INSERT INTO \(name: entries) ("change", "object", "date") \
            VALUES (\(text(event.change)), \(row)."id", \(HistoryTable.now));
            """
        for column in kept {
            if event != .insert { old = "OLD.\(name: column)" }
            if event != .delete { new = "NEW.\(name: column)" }
            body = """
                \(body) INSERT INTO \(name: values) SELECT last_insert_rowid(), \(text(column)), \(old), \(new) \
                WHERE \(old) IS NOT \(new);
                """
        }
        return """
            CREATE TRIGGER \(name: triggerName(event)) AFTER \(name) ON \(name: table)\(condition) BEGIN \(body) END
            """
    }

    /// Entries for the rows that were there before the history was.
    func beginnings(_ columns: [String]) -> [SQL] {
        let entry: SQL = """
            INSERT INTO \(name: entries) ("change", "object", "date") \
            SELECT 'found', "id", \(HistoryTable.now) FROM \(name: table)
            """
        return [entry]
            + columns.filter { Naming.folded($0) != "id" }.map { column in
                """
                INSERT INTO \(name: values) SELECT e."id", \(text(column)), NULL, t.\(name: column) \
                FROM \(name: entries) e JOIN \(name: table) t ON t."id" = e."object" WHERE t.\(name: column) IS NOT NULL
                """
            }
    }

    /// Seconds since 1970, with milliseconds, by functions that each SQLite has.
    static let now: SQL = "(julianday('now') - 2440587.5) * 86400.0"

    // Names with a NUL are refused before.
    private func text(_ value: String) -> SQL { SQLLiteral(.text(value)).map { "\(literal: $0)" } ?? "''" }
}

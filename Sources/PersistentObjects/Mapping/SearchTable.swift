internal import StoreEngine

/// The index of the words in a class's texts: an FTS5 table, which takes the texts from the class's own table, and the
/// triggers that keep it up.
struct SearchTable {
    let name: String
    let columns: [String]
    private let table: String

    /// Nil where nothing is searched.
    init?(_ map: ClassMap) {
        guard !map.searchColumns.isEmpty else { return nil }
        table = map.table
        name = SearchTable.name(for: map.table)
        columns = map.searchColumns
    }

    static func name(for table: String) -> String { table + "_search" }

    /// The table and those that FTS5 makes for it.
    var allNames: [String] { ["", "_data", "_idx", "_docsize", "_config"].map { name + $0 } }

    /// What the CREATE statement of such a table begins with.
    static func start(_ name: String) -> SQL {
        var sql = SQL("CREATE VIRTUAL TABLE ")
        sql.append(identifier: name)
        sql.append(" USING fts5(")
        return sql
    }

    var definition: SQL {
        var sql = SearchTable.start(name)
        sql.append(columns) { $0.append(identifier: $1) }
        sql.append(", content=")
        // Tables with a NUL in their names are refused before.
        if let literal = SQLLiteral(.text(table)) { sql.append(literal: literal) }
        sql.append(", content_rowid='id', tokenize='unicode61 remove_diacritics 2', prefix='2 3')")
        return sql
    }

    /// Reads all texts again.
    var rebuilding: SQL {
        var sql = SQL("INSERT INTO ")
        sql.append(identifier: name)
        sql.append(" (")
        sql.append(identifier: name)
        sql.append(") VALUES ('rebuild')")
        return sql
    }
}

// Triggers.
extension SearchTable {
    enum Event: String, CaseIterable { case insert, delete, update }

    struct Trigger {
        let name: String
        let sql: SQL
    }

    static func triggerName(_ table: String, _ event: Event) -> String { "\(table).search.\(event.rawValue)" }

    var triggers: [Trigger] { Event.allCases.map { Trigger(name: SearchTable.triggerName(table, $0), sql: sql($0)) } }

    private func sql(_ event: Event) -> SQL {
        var sql = SQL("CREATE TRIGGER ")
        sql.append(identifier: SearchTable.triggerName(table, event))
        switch event {
        case .insert: sql.append(" AFTER INSERT ON ")
        case .delete: sql.append(" AFTER DELETE ON ")
        case .update:
            sql.append(" AFTER UPDATE OF ")
            sql.append(["id"] + columns) { $0.append(identifier: $1) }
            sql.append(" ON ")
        }
        sql.append(identifier: table)
        sql.append(" BEGIN")
        if event != .insert { appendRemoval(to: &sql) }
        if event != .delete { appendAddition(to: &sql) }
        sql.append(" END")
        return sql
    }

    /// FTS5 has to be told the texts that it had: what is in the table now are the new ones.
    private func appendRemoval(to sql: inout SQL) {
        sql.append(" INSERT INTO ")
        sql.append(identifier: name)
        sql.append(" (")
        sql.append(identifier: name)
        sql.append(", rowid, ")
        sql.append(columns) { $0.append(identifier: $1) }
        sql.append(") VALUES ('delete', ")
        sql.append(["id"] + columns) { $0.append(column: $1, ofRow: "OLD.") }
        sql.append(");")
    }

    private func appendAddition(to sql: inout SQL) {
        sql.append(" INSERT INTO ")
        sql.append(identifier: name)
        sql.append(" (rowid, ")
        sql.append(columns) { $0.append(identifier: $1) }
        sql.append(") VALUES (")
        sql.append(["id"] + columns) { $0.append(column: $1, ofRow: "NEW.") }
        sql.append(");")
    }
}

extension SQL {
    fileprivate mutating func append(column: String, ofRow row: StaticString) {
        append(row)
        append(identifier: column)
    }
}

// Triggers: a class's search index, history and captured changes, which triggers maintain for every program that writes
// the rows. It knows columns, and must not know whether the file has them yet.

internal import StoreEngine

/// The triggers on a class's table that write its history.
///
/// Plain SQL, so that programs without this library's functions can still write the table.
struct HistoryTriggers {
    /// The triggers, by the event that fires them.
    enum Event: String, CaseIterable {
        case insert, update, delete
        /// The row gets another id, which makes it a different row.
        case renumber
        /// All rows are deleted at once, on a server.
        case truncate
    }

    /// A column whose values are recorded.
    struct Column: Sendable {
        let name: String
        let type: String
        /// Whether equal numbers in the column can have two storage classes.
        let isUntyped: Bool

        init(_ column: ColumnDescription) {
            name = column.name
            type = column.type
            isUntyped = column.type == "ANY" || column.type.isEmpty
        }

        /// Whether an update changes the column.
        var isOther: SQL {
            let differs: SQL = "OLD.\(name: name) IS NOT NEW.\(name: name)"
            guard isUntyped else { return differs }
            return "(\(differs) OR typeof(OLD.\(name: name)) IS NOT typeof(NEW.\(name: name)))"
        }

        /// The column with its place in an entry, from 1.
        func text(at ordinal: Int?) -> HistoryColumnText {
            let places = ordinal.map {
                HistoryColumnText.Places(old: HistorySlots.old($0), new: HistorySlots.new($0))
            }
            return HistoryColumnText(name: name, type: type, places: places)
        }
    }

    let table: String
    let columns: [Column]
    /// The columns whose values are in the entry itself.
    private let packed: [(column: Column, ordinal: Int)]
    /// The columns whose values have separate rows.
    private let extras: [Column]
    private let hasCollections: Bool
    private let dialect: Dialect

    /// - Parameters:
    ///   - columns: The columns of the table; see `columns(_:)`.
    ///   - hasCollections: Whether other tables have elements of its rows.
    init(
        _ table: String, _ columns: [ColumnDescription], _ slots: HistorySlots, hasCollections: Bool, _ dialect: Dialect
    ) {
        self.table = table
        self.hasCollections = hasCollections
        self.dialect = dialect
        self.columns = HistoryTriggers.columns(columns)
        packed = self.columns.compactMap { column in slots[column.name].map { (column, $0) } }
        extras = self.columns.filter { slots[$0.name] == nil }
    }

    /// The columns that are recorded: generated columns are not written, and entries have the id.
    static func columns(_ columns: [ColumnDescription]) -> [Column] {
        columns.filter { !$0.isGenerated && Naming.folded($0.name) != "id" }.map(Column.init)
    }

    static func name(_ table: String, _ event: Event) -> String {
        HistoryNames.trigger(table, event.rawValue)
    }

    /// The name of a trigger's table when the trigger was created; nil for other triggers.
    static func table(ofTrigger name: String) -> String? {
        for event in Event.allCases {
            let ending = HistoryTriggers.name("", event)
            if name.hasSuffix(ending) { return String(name.dropLast(ending.count)) }
        }
        return nil
    }

    /// The statements that create the triggers, in the order of the events.
    var definitions: [SQL] {
        if let triggers = dialect.history.statementTriggers {
            let recorded = packed.map { $0.column.text(at: $0.ordinal) } + extras.map { $0.text(at: nil) }
            return triggers.rows(
                HistoryTableText(table: table, columns: recorded, hasCollections: hasCollections))
        }
        let created = writing(.created, "NEW", old: nil, new: "NEW")
        let deleted = writing(.deleted, "OLD", old: "OLD", new: nil)
        let changed = writing(.changed, "NEW", old: "OLD", new: "NEW")
        let isSameRow: SQL = "OLD.\"id\" IS NEW.\"id\" AND (\(HistoryTriggers.isAnyOther(columns)))"
        return [
            trigger(.insert, "INSERT", when: nil, created),
            trigger(.update, "UPDATE", when: columns.isEmpty ? "0" : isSameRow, changed),
            trigger(.delete, "DELETE", when: nil, deleted),
            trigger(.renumber, HistoryTriggers.renumbering, when: "OLD.\"id\" IS NOT NEW.\"id\"", deleted + created),
        ]
    }

    /// The statements that can change a row's id, by each of its names. SQLite runs the trigger for no other statement.
    static let renumbering: SQL = "UPDATE OF \"id\", \"rowid\", \"_rowid_\", \"oid\""

    private func trigger(_ event: Event, _ verb: SQL, when condition: SQL?, _ body: [SQL]) -> SQL {
        HistoryTriggers.trigger(event, on: table, verb, when: condition, body)
    }

    static func trigger(_ event: Event, on table: String, _ verb: SQL, when condition: SQL?, _ body: [SQL]) -> SQL {
        let condition: SQL = condition.map { " WHEN \($0)" } ?? ""
        return """
            CREATE TRIGGER \(name: HistoryTriggers.name(table, event)) AFTER \(verb) ON \(name: table)\(condition) \
            BEGIN \(list: body, separator: " ") END
            """
    }

    /// Whether any column of the row changed. Row values are compared, because a chain of conditions could exceed
    /// SQLite's limit.
    static func isAnyOther(_ columns: [Column]) -> SQL {
        func row(_ columns: [Column], _ part: (Column) -> SQL) -> SQL { "(\(list: columns.map(part)))" }
        let before = row(columns) { "OLD.\(name: $0.name)" }
        let after = row(columns) { "NEW.\(name: $0.name)" }
        let untyped = columns.filter(\.isUntyped)
        guard !untyped.isEmpty else { return "\(before) IS NOT \(after)" }
        let kinds = row(untyped) { "typeof(OLD.\(name: $0.name))" }
        let newKinds = row(untyped) { "typeof(NEW.\(name: $0.name))" }
        return "\(before) IS NOT \(after) OR \(kinds) IS NOT \(newKinds)"
    }

    /// The number of columns per statement of a trigger, limited because a SELECT may not have more than 500 parts.
    private static let columnsAtOnce = 100

    /// The statements of a trigger that write an entry and its values.
    private func writing(_ change: HistoryEntry.Change, _ row: SQL, old: SQL?, new: SQL?) -> [SQL] {
        let ordinals: [(name: SQL, value: SQL)] = packed.flatMap { column, ordinal in
            let isChange = old != nil && new != nil
            let before = old.map { row in
                (HistorySlots.old(ordinal), isChange ? changed(column, "OLD", "NEW") : "\(row).\(name: column.name)")
            }
            let after = new.map { row in
                (HistorySlots.new(ordinal), isChange ? changed(column, "NEW", "OLD") : "\(row).\(name: column.name)")
            }
            return [before, after].compactMap(\.self)
        }
        let entry: SQL = """
            INSERT INTO \(name: HistoryNames.entries) \
            (\(list: HistoryTriggers.signedColumns + ordinals.map(\.name))) \
            VALUES (\(HistoryTriggers.text(table)), \(row)."id", \(HistoryTriggers.text(change.rawValue)), \
            \(list: HistoryTriggers.signature(dialect) + ordinals.map(\.value)));
            """
        // Ids are never reused, so the greatest id is the entry's. (`last_insert_rowid()` would be the id of a value.)
        let values = stride(from: 0, to: extras.count, by: HistoryTriggers.columnsAtOnce).map { start in
            let rows = extras[start...].prefix(HistoryTriggers.columnsAtOnce).map { column in
                let before: SQL = old.map { "\($0).\(name: column.name)" } ?? "NULL"
                let after: SQL = new.map { "\($0).\(name: column.name)" } ?? "NULL"
                return "SELECT \(HistoryTriggers.text(column.name)) AS c, \(before) AS o, \(after) AS n" as SQL
            }
            let kinds: SQL = extras.contains(where: \.isUntyped) ? " OR typeof(o) IS NOT typeof(n)" : ""
            return """
                INSERT INTO \(name: HistoryNames.extras) ("entry_id", "column", "old", "new") \
                SELECT (SELECT max("id") FROM \(name: HistoryNames.entries)), c, o, n \
                FROM (\(list: rows, separator: " UNION ALL ")) WHERE o IS NOT n\(kinds);
                """ as SQL
        }
        return [entry] + values
    }

    /// The columns of an entry that a trigger writes, before its values.
    static let signedColumns: [SQL] = [
        "\"table\"", "\"object\"", "\"change\"", "\"date\"", "\"author\"", "\"transaction\"",
    ]

    /// The values of the last three of these columns.
    static func signature(_ dialect: Dialect) -> [SQL] {
        [dialect.history.now, dialect.history.signature.author, dialect.history.signature.transaction]
    }

    /// A row's value of a column; NULL if another row has the same.
    private func changed(_ column: Column, _ row: SQL, _ other: SQL) -> SQL {
        let (value, unlike): (SQL, SQL) = ("\(row).\(name: column.name)", "\(other).\(name: column.name)")
        let kinds: SQL = column.isUntyped ? " AND typeof(\(value)) IS typeof(\(unlike))" : ""
        return "iif(\(value) IS \(unlike)\(kinds), NULL, \(value))"
    }

    /// Writes an entry for each existing row; `condition` begins with WHERE, or is empty.
    func beginning(where condition: SQL) -> SQL {
        let names = packed.map { HistorySlots.new($0.ordinal) }
        let values = packed.map { anyValue(of: $0.column) }
        return """
            INSERT INTO \(name: HistoryNames.entries) \
            (\(list: ["\"table\"", "\"object\"", "\"change\"", "\"date\""] + names)) \
            SELECT \(list: [HistoryTriggers.text(table), "t.\"id\"", "'found'", dialect.history.now] + values) \
            FROM \(name: table) t\(condition) ORDER BY t."id"
            """
    }

    /// Adds the values without a place to the entries that `beginning(where:)` has written after a given entry id, which
    /// is the argument of each statement.
    var beginningExtras: [SQL] {
        extras.map { column in
            """
            INSERT INTO \(name: HistoryNames.extras) ("entry_id", "column", "old", "new") \
            SELECT e."id", \(HistoryTriggers.text(column.name)), NULL, \(anyValue(of: column)) \
            FROM \(name: HistoryNames.entries) e JOIN \(name: table) t ON t."id" = e."object" \
            WHERE e."id" > ? AND t.\(name: column.name) IS NOT NULL
            """
        }
    }

    private func anyValue(of column: Column) -> SQL {
        dialect.history.anyValue("t.\(name: column.name)", column.type)
    }

    /// A string as SQL. Names with a NUL are rejected earlier.
    static func text(_ value: String) -> SQL { SQLLiteral(.text(value)).map { "\(literal: $0)" } ?? "''" }
}

/// The requirements of a class that keeps a history.
enum KeptHistory {
    /// Throws if a class keeps a history and the root of its table does not, or the reverse.
    static func check(_ type: PersistentObject.Type, root: PersistentObject.Type) throws {
        guard type.keepsHistory == root.keepsHistory else {
            throw SchemaError.historyDiffers(className: String(describing: type), root: String(describing: root))
        }
    }
}

extension Property {
    /// Whether the history contains its values, or the values of its elements.
    var isInHistory: Bool {
        switch shape {
        case .scalar, .reference, .collection: true
        case .inverse: false
        }
    }
}

extension ClassMap {
    /// Throws for a class without a history.
    func checkKeepsHistory() throws {
        guard !keepsHistory else { return }
        throw StoreError(
            .misuse, "The class keeps no history. Write override class var keepsHistory: Bool { true }",
            className: name)
    }
}

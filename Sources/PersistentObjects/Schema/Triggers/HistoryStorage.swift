internal import StoreEngine

/// Creates the tables and the view of the history's values, next to the tables of its classes.
///
/// Files of earlier versions have a row for each value, in a table with the name of the view. The table gets another
/// name: its rows stay what they are, and triggers of classes that this process has not prepared write to it as before.
struct HistoryStorage {
    /// The steps before all other changes, which may concern the history.
    private(set) var conversion = SchemaSteps()
    /// The steps after the tables of the history's classes were created.
    private(set) var creation = SchemaSteps()

    init(_ context: PlanContext) throws {
        let found = try context.inspector.table(HistoryNames.values)
        guard found?.isView != true else { return }
        if found != nil {
            conversion = HistoryStorage.conversion()
            HistoryStorage.addParts(to: &conversion)
            conversion.add("-- recreates these views and triggers") { run in
                for text in run.suspended { try run.connection.execute(SQL(RawSQL(text))) }
                run.suspended = []
            }
        } else {
            creation.add(
                """
                CREATE TABLE \(name: HistoryNames.extras) ("id" INTEGER PRIMARY KEY AUTOINCREMENT, \
                "entry_id" INTEGER REFERENCES \(name: HistoryNames.entries)("id") ON DELETE SET NULL \
                DEFERRABLE INITIALLY DEFERRED, "column" TEXT NOT NULL DEFAULT '', "old" ANY, "new" ANY) STRICT
                """)
            HistoryStorage.addParts(to: &creation)
        }
    }

    private static func conversion() -> SchemaSteps {
        var steps = SchemaSteps()
        steps.add("DROP TRIGGER IF EXISTS \"po_history_entry.values.cascade\"")
        // They would follow the table to its new name.
        steps.add("-- drops views and triggers of other programs that mention \"\(HistoryNames.values)\"") { run in
            let sql: SQL = """
                SELECT type, name, sql FROM sqlite_schema WHERE type IN ('view', 'trigger') AND sql LIKE ? ORDER BY rowid
                """
            for row in try run.connection.prepare(sql).rows([.text("%\(HistoryNames.values)%")]) {
                guard case .text(let type) = row[0], case .text(let name) = row[1], case .text(let text) = row[2],
                    !OwnTriggers.contains(name)
                else { continue }
                try run.connection.execute(type == "view" ? "DROP VIEW \(name: name)" : "DROP TRIGGER \(name: name)")
                run.suspended.append(text)
            }
        }
        steps.dropIndex("po_history_value.entry_id.index")
        steps.renameTable(HistoryNames.values, to: HistoryNames.extras)
        steps.add("-- the class of the values has no table any more") { run in
            let name = HistoryNames.className(of: HistoryNames.values) ?? ""
            try FileRecordWriter.forget(name, run.connection)
        }
        return steps
    }

    private static func addParts(to steps: inout SchemaSteps) {
        steps.add(
            """
            CREATE INDEX \(name: "\(HistoryNames.extras).entry_id.index") ON \(name: HistoryNames.extras) ("entry_id")
            """)
        for definition in HistorySlots.definitions {
            steps.add("ALTER TABLE \(name: HistoryNames.entries) ADD COLUMN \(definition)")
        }
        steps.add(
            """
            CREATE TABLE \(name: HistoryNames.columns) ("table" TEXT NOT NULL, "slot" INTEGER NOT NULL, \
            "column" TEXT NOT NULL, PRIMARY KEY ("table", "slot")) STRICT, WITHOUT ROWID
            """)
        steps.add(
            """
            CREATE VIEW \(name: HistoryNames.values) ("id", "entry_id", "column", "old", "new") AS \
            \(HistorySlots.values) UNION ALL \(HistorySlots.extras)
            """)
        // The name has the form of a subclass's rule: it is known as the library's own, and no rule of a class.
        steps.add(
            """
            CREATE TRIGGER \(name: "\(HistoryNames.entries).extra.cascade.values") BEFORE DELETE ON \
            \(name: HistoryNames.entries) BEGIN DELETE FROM \(name: HistoryNames.extras) \
            WHERE "entry_id" = OLD."id"; END
            """)
        steps.add("-- notes that programs must know the format of the history") { run in
            try run.connection.upgradeFormat()
            try run.connection.prepare("INSERT OR IGNORE INTO po_feature VALUES (?, 'reading', ?)").execute(
                [.text(HistoryNames.feature), .text(LibraryVersion.current)])
        }
    }
}

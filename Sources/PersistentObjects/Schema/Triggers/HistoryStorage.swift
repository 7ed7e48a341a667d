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

    /// - Parameter creates: Whether the storage is created if it is missing.
    init(_ context: PlanContext, creates: Bool) throws {
        let found = try context.inspector.table(HistoryNames.values)
        guard found?.isView != true, found != nil || creates else { return }
        if found != nil {
            conversion = HistoryStorage.conversion()
            HistoryStorage.addParts(to: &conversion, context)
            conversion.add("-- recreates these views and triggers") { run in
                for text in run.suspended { try run.connection.execute(SQL(RawSQL(text))) }
                run.suspended = []
            }
        } else {
            let dialect = context.dialect
            let any = dialect.declaredType(.any)
            let hasReference = dialect.history.statementTriggers == nil
            let reference: SQL = hasReference ? .foreignKey(to: HistoryNames.entries, onDelete: .setsNull) : ""
            creation.add(
                """
                CREATE TABLE \(name: HistoryNames.extras) ("id" \(dialect.idColumn), \
                "entry_id" \(dialect.declaredType(.integer))\(reference), \
                "column" \(dialect.declaredType(.text)) NOT NULL DEFAULT '', "old" \(any), "new" \(any))\
                \(dialect.tableOptions)
                """)
            HistoryStorage.addParts(to: &creation, context)
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

    private static func addParts(to steps: inout SchemaSteps, _ context: PlanContext) {
        let dialect = context.dialect
        let text = dialect.declaredType(.text)
        steps.add(
            """
            CREATE INDEX \(name: "\(HistoryNames.extras).entry_id.index") ON \(name: HistoryNames.extras) ("entry_id")
            """)
        for definition in HistorySlots.definitions(dialect) {
            steps.add("ALTER TABLE \(name: HistoryNames.entries) ADD COLUMN \(definition)")
        }
        steps.add(
            """
            CREATE TABLE \(name: HistoryNames.columns) ("table" \(text) NOT NULL, \
            "slot" \(dialect.declaredType(.integer)) NOT NULL, "column" \(text) NOT NULL, \
            PRIMARY KEY ("table", "slot"))\(dialect.keyedTableOptions)
            """)
        for statement in dialect.history.statementTriggers?.storage ?? [] { steps.add(statement) }
        steps.add(
            """
            CREATE VIEW \(name: HistoryNames.values) ("id", "entry_id", "column", "old", "new") AS \
            \(HistorySlots.values(dialect)) UNION ALL \(HistorySlots.extras(dialect))
            """)
        // The name has the form of a subclass's rule: it is known as the library's own, and no rule of a class.
        steps.add(
            dialect.deleteTrigger(
                DeleteTriggerText(
                    name: "\(HistoryNames.entries).extra.cascade.values", table: HistoryNames.entries,
                    actsAfterwards: false, condition: nil,
                    action: .run("DELETE FROM \(name: HistoryNames.extras) WHERE \"entry_id\" = OLD.\"id\""))))
        // A server has no list of features.
        guard context.connection.capabilities.contains(.upkeep) else { return }
        steps.add("-- notes that programs must know the format of the history") { run in
            try run.connection.require(feature: HistoryNames.feature, for: .reading)
        }
    }
}

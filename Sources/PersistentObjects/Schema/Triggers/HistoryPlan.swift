internal import StoreEngine

/// Updates the triggers that write a hierarchy's history to its topmost class's declaration.
///
/// The triggers name all columns of the table. They are dropped before all other changes and recreated afterwards,
/// because a schema change must not add entries to the history.
struct HistoryPlan {
    /// The steps before all other changes.
    private(set) var removal = SchemaSteps()
    /// The steps after all other changes.
    private(set) var steps = SchemaSteps()
    /// Whether only the texts of triggers change, for example because an earlier version created them. Older programs
    /// work with either.
    private(set) var isRenewal = false
    /// The folded names of the triggers that the plan creates or drops.
    private(set) var names: Set<String> = []

    /// - Parameter map: Any class of the hierarchy.
    init(_ map: ClassMap, _ context: PlanContext) throws {
        let inspector = context.inspector
        let planned = context.table(map.table)
        let found = planned?.foundName ?? map.table
        var triggers = try HistoryPlan.triggers(on: found, inspector)
        guard map.keepsHistory || !triggers.isEmpty else { return }
        let begins = try triggers.isEmpty && !context.movesHistory(to: map)
        let collections =
            try planned?.found == nil
            ? []
            : ElementTriggers.all(of: map.table, inspector.tables(referringTo: found, by: ChildTable.ownerColumn)) {
                try inspector.table($0)
            }
        for collection in collections { triggers += try HistoryPlan.triggers(on: collection.table, inspector) }
        if map.keepsHistory, let table = planned?.found, !HistoryPlan.isChanged(map, context) {
            let slots = try HistorySlots(of: map.table, context.connection)
            let dialect = context.dialect
            let rows = HistoryTriggers(
                map.table, table.columns, slots, hasCollections: !collections.isEmpty, dialect)
            let wanted = rows.definitions + collections.flatMap { $0.definitions(dialect) }
            let isComplete = slots.missing(HistoryTriggers.columns(table.columns)).isEmpty
            if isComplete, triggers.map(\.text).sortedUnspecialized() == wanted.map(\.text).sortedUnspecialized() {
                return
            }
            isRenewal = !begins
        }
        names = Set(triggers.map { Naming.folded($0.name) })
        for trigger in triggers {
            // Tables were renamed before.
            removal.add(context.dialect.dropTrigger(trigger.name, context.finalName(trigger.table)))
        }
        guard map.keepsHistory else { return }
        let table = map.table
        let children = context.relatives(of: map).flatMap { map in
            map.properties.compactMap { ChildTable($0, of: map)?.name }
        }
        for table in [table] + children + collections.map({ context.finalName($0.table) }) {
            try HistoryPlan.checkName(of: table, map, context)
            names.formUnion(HistoryTriggers.Event.allCases.map { Naming.folded(HistoryTriggers.name(table, $0)) })
        }
        // A new table has no rows, unless they are moved from another table.
        if begins, planned?.found != nil || !context.moves.isEmpty {
            steps.add("-- writes an entry for each row of \"\(table)\"") { try HistoryBeginning(table, $0).write() }
        } else if !begins, !context.moves.isEmpty {
            steps.add("-- writes an entry for each row moved to \"\(table)\"") {
                try HistoryBeginning(table, $0).writeMissing()
            }
        }
        steps.add(
            "-- creates the triggers that write the history of \"\(table)\", with all its columns and "
                + "collections"
        ) { run in
            let columns = try run.connection.schema.table(table)?.columns ?? []
            let dialect = run.connection.dialect
            let collections = try ElementTriggers.all(of: table, run.connection.schema)
            let slots = try HistorySlots.assigned(
                to: HistoryTriggers.columns(columns), of: table, run.connection)
            let triggers = HistoryTriggers(table, columns, slots, hasCollections: !collections.isEmpty, dialect)
            for trigger in triggers.definitions + collections.flatMap({ $0.definitions(dialect) }) {
                try run.connection.execute(trigger)
            }
        }
    }

    /// Throws if the server would shorten the names of triggers, so that they could be equal.
    private static func checkName(of table: String, _ map: ClassMap, _ context: PlanContext) throws {
        guard let limit = context.dialect.history.statementTriggers?.longestName else { return }
        let names = HistoryTriggers.Event.allCases.map { HistoryTriggers.name(table, $0) }
        guard let name = names.max(by: { $0.utf8.count < $1.utf8.count }), name.utf8.count > limit else { return }
        throw StoreError(
            .unsupported,
            "The trigger \(VisibleText.of(name)) of the history has a name of \(name.utf8.count) bytes, and "
                + "\(context.connection.engineName) allows \(limit) at most. Choose a shorter tableName, or a shorter "
                + "name of the collection", className: map.name)
    }

    private static func triggers(on table: String, _ inspector: SchemaInspector) throws -> [TriggerDescription] {
        try inspector.triggers(on: table).filter { HistoryTriggers.table(ofTrigger: $0.name) != nil }
    }

    /// Whether the plan makes a change to the table other than its indexes and triggers.
    static func isChanged(_ map: ClassMap, _ context: PlanContext) -> Bool {
        if !context.moves.isEmpty || !context.releasedTables.isDisjoint(with: [Naming.folded(map.table)]) {
            return true
        }
        let names = Set(context.relatives(of: map).map(\.name))
        return context.plan.changes.contains { change in
            switch change.phase {
            case .release, .indexes, .lateIndexes, .triggers, .search, .history, .capture, .renewals: false
            case .renames, .moves, .tables, .columns, .collections, .classes, .drops, .conversions:
                names.contains(change.className)
            }
        }
    }
}

/// Writes the first entries of the history of existing rows.
private struct HistoryBeginning {
    private let table: String
    private let run: SchemaRun

    init(_ table: String, _ run: SchemaRun) { (self.table, self.run) = (table, run) }

    func write() throws { try write(where: "") }

    /// The same for rows without an entry, or whose last entry is a deletion.
    func writeMissing() throws {
        let own: SQL = "\"table\" = \(HistoryTriggers.text(table)) AND \"object\" = t.\"id\""
        let entries: SQL = "\(name: HistoryNames.entries)"
        try write(
            where: """
                 WHERE coalesce((SELECT "change" FROM \(entries) WHERE \(own) ORDER BY "id" DESC LIMIT 1), 'deleted') \
                = 'deleted'
                """)
    }

    private func write(where condition: SQL) throws {
        let connection = run.connection
        guard case .integer(let last)? = try connection.value(HistoryStatements.lastEntry),
            let columns = try connection.schema.table(table)?.columns
        else { return }
        let slots = try HistorySlots.assigned(to: HistoryTriggers.columns(columns), of: table, connection)
        let collections = try ElementTriggers.all(of: table, connection.schema)
        let triggers = HistoryTriggers(
            table, columns, slots, hasCollections: !collections.isEmpty, connection.dialect)
        try connection.execute(triggers.beginning(where: condition))
        for sql in triggers.beginningExtras { try run.execute(sql, [.integer(last)]) }
        for collection in collections {
            try run.execute(collection.beginning(connection.dialect), [.integer(last)])
        }
    }
}

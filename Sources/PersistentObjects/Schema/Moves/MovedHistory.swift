internal import StoreEngine

/// Moves the history of rows to their new table, and updates references to the rows in all histories.
struct MovedHistory {
    private(set) var steps = SchemaSteps()
    private let source: String
    private let dialect: Dialect

    /// - Parameters:
    ///   - moved: The condition of the moved rows; empty for all. The rows still exist.
    ///   - finalName: The resulting name of a table of the file.
    init(
        _ move: TableMove, from source: String, to target: String, _ moved: SQL, _ dialect: Dialect,
        _ finalName: (String) -> String
    ) {
        self.source = source
        self.dialect = dialect
        let (from, to) = (HistoryTriggers.text(source), HistoryTriggers.text(target))
        let rows: SQL = moved.isEmpty ? "" : " AND \"object\" IN (SELECT \"id\" FROM \(name: source) WHERE \(moved))"
        // Places belong to the columns of a table. Entries that get another table have none.
        for sql in HistorySlots.unpacking("\"table\" = \(from)\(rows)", dialect) { steps.add(sql) }
        add(
            """
            UPDATE \(name: HistoryNames.entries) SET "table" = \(to), "object" = "object" + ?1 \
            WHERE "table" = \(from)\(rows)
            """)
        // Existing rows have ids up to the offset added to the moved ids.
        let entries: SQL = "FROM \(name: HistoryNames.entries) WHERE \"table\" = \(to) AND \"object\" > ?1"
        follow(move.columns.compactMap { column in column.source.map { ($0, column.target) } }, entries)
        if !move.sourceStoresClass, move.targetStoresClass || move.classDefault != nil {
            let name = dialect.history.anyValue(
                HistoryTriggers.text(move.map.name), dialect.declaredType(.text).text)
            add(
                """
                INSERT INTO \(name: HistoryNames.extras) ("entry_id", "column", "old", "new") \
                SELECT "id", \(HistoryTriggers.text(HierarchyPlan.column)), \
                CASE WHEN "change" = 'deleted' THEN \(name) END, \
                CASE WHEN "change" <> 'deleted' THEN \(name) END \(entries) AND "change" <> 'changed'
                """)
        }
        for column in move.columns where column.isToMoved { shift(column.target, entries) }
        for column in move.columns { column.conversion.map { convert(column.target, entries, $0) } }
        for collection in move.collections {
            let table = collection.isNew ? collection.target : finalName(collection.target)
            follow(finalName(collection.source.name), to: table, entries)
            if collection.movedValue != nil { shiftElements(of: table, "\"entry_id\" IN (SELECT \"id\" \(entries))") }
        }
        for reference in move.references {
            let table = finalName(reference.table.name)
            if reference.isCollection {
                shiftElements(of: table, "?1 = ?1")
                continue
            }
            guard Naming.folded(table) != Naming.folded(source) else { continue }
            shiftPlaces(of: reference.column, in: table)
            shift(
                reference.column,
                "FROM \(name: HistoryNames.entries) WHERE \"table\" = \(HistoryTriggers.text(table)) AND ?1 = ?1")
        }
    }

    /// Renames columns in the history, all at once because names may be exchanged.
    private mutating func follow(_ names: [(source: String, target: String)], _ entries: SQL) {
        let renamed = names.filter { $0.source != $0.target }
        guard !renamed.isEmpty else { return }
        let cases = renamed.map { name in
            "WHEN \(HistoryTriggers.text(name.source)) THEN \(HistoryTriggers.text(name.target))" as SQL
        }
        add(
            """
            UPDATE \(name: HistoryNames.extras) SET "column" = CASE "column" \(list: cases, separator: " ") END \
            WHERE "column" IN (\(list: renamed.map { HistoryTriggers.text($0.source) })) \
            AND "entry_id" IN (SELECT "id" \(entries))
            """)
    }

    /// Converts the values of a column whose numbers get another meaning.
    private mutating func convert(_ column: String, _ entries: SQL, _ conversion: RowConversion) {
        guard conversion.changesNumbers else { return }
        let key = Naming.folded(source)
        let name = HistoryTriggers.text(column)
        steps.add("-- the values of \"\(column)\" in the history of the moved rows, each converted") { run in
            let rows = try run.connection.prepare(
                """
                SELECT "id", "old", "new" FROM \(name: HistoryNames.extras) WHERE "column" = \(name) \
                AND "entry_id" IN (SELECT "id" \(entries))
                """
            ).rows([.integer(run.offsets[key] ?? 0)])
            let update = try run.connection.prepare(
                "UPDATE \(name: HistoryNames.extras) SET \"old\" = ?, \"new\" = ? WHERE \"id\" = ?")
            for row in rows { try update.execute([conversion.recorded(row[1]), conversion.recorded(row[2]), row[0]]) }
        }
    }

    /// Updates the table of the elements of a collection.
    private mutating func follow(_ collection: String, to table: String, _ entries: SQL) {
        add(
            """
            UPDATE \(name: HistoryNames.elements) SET "table" = \(HistoryTriggers.text(table)) \
            WHERE "table" = \(HistoryTriggers.text(collection)) AND "entry_id" IN (SELECT "id" \(entries))
            """)
    }

    /// Adds the offset to ids of moved rows that are elements of collections.
    private mutating func shiftElements(of collection: String, _ condition: SQL) {
        add(
            """
            UPDATE \(name: HistoryNames.elements) SET \(shifted(["\"old\"", "\"new\""])) \
            WHERE "table" = \(HistoryTriggers.text(collection)) AND \(condition)
            """)
    }

    /// Adds the offset to ids of moved rows that are values of a column.
    private mutating func shift(_ column: String, _ entries: SQL) {
        add(
            """
            UPDATE \(name: HistoryNames.extras) SET \(shifted(["\"old\"", "\"new\""])) \
            WHERE "column" = \(HistoryTriggers.text(column)) AND "entry_id" IN (SELECT "id" \(entries))
            """)
    }

    /// Ids of moved rows in the places of a column of a table.
    private mutating func shiftPlaces(of column: String, in table: String) {
        let key = Naming.folded(source)
        steps.add("-- adds the offset of the ids to \"\(table)\".\"\(column)\" in its history") { run in
            let offset = DatabaseValue.integer(run.offsets[key] ?? 0)
            let dialect = run.connection.dialect
            for ordinal in try HistorySlots.ordinals(of: column, in: table, run.connection) {
                try run.execute(
                    """
                    UPDATE \(name: HistoryNames.entries) \
                    SET \(MovedHistory.shifted([HistorySlots.old(ordinal), HistorySlots.new(ordinal)], dialect)) \
                    WHERE "table" = \(HistoryTriggers.text(table))
                    """, [offset])
            }
        }
    }

    private func shifted(_ columns: [SQL]) -> SQL { MovedHistory.shifted(columns, dialect) }

    /// The assignments that add the offset, `?1`, to columns.
    private static func shifted(_ columns: [SQL], _ dialect: Dialect) -> SQL {
        "\(list: columns.map { "\($0) = \(dialect.history.sum($0, "?1"))" })"
    }

    /// Adds a statement in which `?1` is the offset added to ids.
    private mutating func add(_ sql: SQL) {
        let key = Naming.folded(source)
        steps.add(sql.text) { run in try run.execute(sql, [.integer(run.offsets[key] ?? 0)]) }
    }
}

internal import StoreEngine

/// Records the changes of a connection's transactions: triggers write the rows of each statement into a temporary table,
/// which is read with the commit. The rows are parsed when they are undone or redone. See `PostgresRecords`.
final class PostgresRecorder: ChangeRecorder {
    /// The setting with which the triggers record the rows of a transaction.
    static let setting = "SET LOCAL po.undo = '1'"
    /// The setting with which the triggers of delete rules do nothing.
    static let undoing = "SET LOCAL po.undoing = '1'"

    let connection: PostgresConnection
    /// Whether the open transaction is recorded.
    private var isRecording = false
    /// The tables of the last statements, by their numbers.
    private var tables: [Int64: TakenStatement.Table] = [:]
    /// The number of changes of tables when the tables without triggers were last counted.
    private var checkedChanges: Int?
    private var hasTablesWithoutTriggers = false
    /// Whether the commit in progress counts them, and whether it prepares the query of the recorded rows.
    private var (checks, prepares) = (false, false)
    /// The size above which the changes of the commit in progress are not kept.
    private var limit = 0

    /// Checks that the role may record, and creates the missing triggers of tables of earlier versions.
    init(_ connection: PostgresConnection) throws(StoreError) {
        self.connection = connection
        // An earlier session may have left rows.
        connection.recordTable.mustBeEmptied = true
        // Otherwise the table of the first transaction, and the tables that it writes, are checked.
        guard !connection.isInTransaction, connection.writeRefusal == nil else { return }
        let results = try connection.session.runTexts([
            "SELECT has_database_privilege(current_database(), 'TEMPORARY')::text, quote_ident(current_database())",
            "SELECT po_watch_tables()",
        ])
        guard results[0].text(0, 0) == "true" else {
            let role = ("\(name: connection.session.pipe.role ?? "")" as SQL).text
            throw StoreError(
                .notPermitted,
                "The role \(role) may not create temporary tables, which undo requires. The owner of the database "
                    + "can run: GRANT TEMPORARY ON DATABASE \(results[0].text(0, 1) ?? "") TO \(role)")
        }
    }

    deinit { connection.recordsChanges = false }

    func willBegin(isRecorded: Bool) { connection.recordsChanges = isRecorded }

    func begin() throws(StoreError) { isRecording = connection.recordsChanges }

    func end() { isRecording = false }

    func willCommit(upTo limit: Int) -> Bool {
        connection.commitResults = []
        guard isRecording else { return true }
        // Updates become smaller, because only their changed columns are kept.
        self.limit = min(max(limit, 0), 1 << 40) * 4 + (1 << 20)
        checks = hasTablesWithoutTriggers || checkedChanges != connection.tableChanges
        let queries = connection.recordTable.queries(upTo: self.limit, on: connection.session.connectionCount)
        prepares = queries.count > 1
        connection.commitQueries = queries + (checks ? [.text(PostgresRecorder.tableWithoutTriggers)] : [])
        return true
    }

    func changes() throws(StoreError) -> (any RecordedChanges)? {
        guard let results = connection.commitResults.map({ $0.dropFirst(prepares ? 1 : 0) }) else {
            throw StoreError(
                .connectionLost,
                "The connection to the server was lost during the commit, so its changes cannot be undone")
        }
        connection.commitResults = []
        // Without results nothing was written.
        guard let rows = results.first else { return nil }
        connection.recordTable.preparedConnection = connection.session.connectionCount
        if checks, let result = results.dropFirst().first { try check(result) }
        guard rows.rowCount > 0 else { return nil }
        let size = Int(rows.integer(0, 4))
        connection.recordTable.didRead(upTo: rows.integer(rows.rowCount - 1, 0), size: size)
        if size > limit {
            connection.recordTable.mustBeEmptied = true
            return TakenStatements(tooLarge: size)
        }
        let changes = TakenStatements(try statements(of: rows))
        if changes.statements.isEmpty { return nil }
        if changes.hasEffect { return changes }
        do { return try read(changes).hasNoEffect ? nil : changes } catch let error as StoreError { throw error } catch
        {
            throw StoreError(.misuse, "The columns of a table were changed, so the changes to it cannot be undone")
        }
    }

    // MARK: Tables without triggers

    private func check(_ result: PostgresResult) throws(StoreError) {
        (checkedChanges, hasTablesWithoutTriggers) = (connection.tableChanges, result.text(0, 0) != "0")
        guard let table = result.text(0, 1) else { return }
        throw StoreError(
            .misuse,
            "The table \(table) has no triggers that record changes, because it does not belong to a class of the store, "
                + "or because no store of its owner has recorded undo yet. The changes to it cannot be undone")
    }

    /// Counts the tables without triggers, and names one that the transaction has written.
    ///
    /// Each statement that writes a table locks it in this mode until the transaction ends.
    /// Search indexes, which have the words of other tables, follow an undo by their triggers.
    private static let tableWithoutTriggers = """
        SELECT count(*)::text, min(c.relname) FILTER (WHERE c.oid IN (SELECT l.relation FROM pg_locks AS l \
        WHERE l.locktype = 'relation' AND l.pid = pg_backend_pid() AND l.granted AND l.mode = 'RowExclusiveLock' \
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))) FROM pg_class AS c \
        WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind IN ('r', 'p') \
        AND NOT c.relispartition AND NOT starts_with(c.relname, 'po_') \
        AND NOT EXISTS (SELECT FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attname = 'words' \
        AND a.atttypid = 'tsvector'::regtype) \
        AND NOT EXISTS (SELECT FROM pg_trigger AS t WHERE t.tgrelid = c.oid AND t.tgname = 'po_change_undo_i')
        """

    // MARK: Rows

    private func statements(of result: PostgresResult) throws(StoreError) -> [TakenStatement] {
        var statements: [TakenStatement] = []
        var lastTable = ""
        var row = 0
        while row < result.rowCount {
            let head = row
            guard let operation = PostgresRecorder.operation(result.text(head, 1)) else {
                throw StoreError(.unsupported, "The server has recorded a statement incompletely")
            }
            // Without a name, the table is the table of the statement before.
            if let text = result.text(head, 3) { lastTable = text }
            var (old, new) = (Array(result.bytes(head, 5)), Array(result.bytes(head, 6)))
            row += 1
            // The rows of a large statement.
            while row < result.rowCount, result.isNull(row, 2) {
                old += result.bytes(row, 5)
                new += result.bytes(row, 6)
                row += 1
            }
            if old.isEmpty, new.isEmpty { continue }
            let table = try table(result.unsignedInteger(head, 2), lastTable, old.isEmpty ? new : old)
            statements.append(TakenStatement(table, operation, old: old, new: new))
        }
        return statements
    }

    private static func operation(_ kind: String?) -> ChangedRow.Operation? {
        switch kind {
        case "I": .insert
        case "U": .update
        case "D": .delete
        default: nil
        }
    }

    /// The table of recorded rows.
    ///
    /// - Parameters:
    ///   - text: The number of its columns and its name.
    ///   - rows: The rows of one statement.
    private func table(_ oid: Int64, _ text: String, _ rows: [UInt8]) throws(StoreError) -> TakenStatement.Table {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let columnCount = Int(parts[0]) else {
            throw StoreError(.unsupported, "The server has recorded a statement incompletely")
        }
        let name = String(parts[1])
        var fields: [Range<Int>] = []
        _ = RowText.findFields(rows, from: 0, into: &fields)
        if let known = tables[oid], known.name == name, known.columnCount == columnCount,
            known.fields.count == fields.count
        {
            return known
        }
        let found = try RecordedTable.read([name], connection)[name]
        guard let found, found.oid == oid, found.columnCount == columnCount, found.columns.count == fields.count else {
            throw StoreError(
                .misuse, "The columns of the table \(name) were changed, so the changes to it cannot be undone")
        }
        guard !found.keys.isEmpty else {
            throw StoreError(.misuse, "The table \(name) has no primary key, so the changes to it cannot be undone")
        }
        let table = TakenStatement.Table(
            oid: oid, name: name, columnCount: columnCount, fields: found.columns.map(\.token), keys: found.keyPlaces)
        tables[oid] = table
        return table
    }

    func read(_ changes: any RecordedChanges) throws -> any RowChanges {
        guard let taken = changes as? TakenStatements else {
            throw StoreError(.misuse, "The changes were recorded by another engine")
        }
        return try read(taken)
    }
}

// Undo: records the rows that the statements of a transaction change, and writes them back. It knows tables and rows,
// and must not know their meaning.

internal import StoreEngine

/// Records the changes of a connection's transactions: triggers write the rows of each statement into a temporary table,
/// which is read with the commit.
///
/// The table is temporary, because only the session that writes the rows reads them: they need no log, and serializable
/// transactions do not conflict in them.
final class PostgresRecorder: ChangeRecorder {
    /// The setting with which the triggers record the rows of a transaction.
    static let setting = "SET LOCAL po.undo = '1'"
    /// The setting with which the triggers of delete rules do nothing.
    static let undoing = "SET LOCAL po.undoing = '1'"

    /// The table of a connection. The query that reads its rows deletes them. `ON COMMIT DELETE ROWS` would take ten times
    /// as long, because it rebuilds files at each commit.
    ///
    /// The triggers run with the rights of the statement's role, which can be the owner of a function.
    static let table = [
        """
        CREATE TEMPORARY TABLE IF NOT EXISTS po_undo (number bigint GENERATED ALWAYS AS IDENTITY, kind "char" NOT NULL, \
        data text NOT NULL)
        """,
        "GRANT INSERT ON pg_temp.po_undo TO PUBLIC",
    ]

    /// Empties the table, because deleted rows keep their space.
    static let emptying = "TRUNCATE pg_temp.po_undo"
    /// The size of deleted rows above which the table is emptied when the next transaction begins.
    static let mostDeleted = 1 << 18

    private let connection: PostgresConnection
    /// Whether the open transaction is recorded.
    private var isRecording = false
    /// The names of the primary keys' columns, by table.
    private var keys: [String: [[UInt8]]] = [:]
    /// The number of changes of tables when the tables without triggers were last counted.
    private var checkedChanges: Int?
    private var hasTablesWithoutTriggers = false
    /// Whether the commit in progress counts them.
    private var checks = false

    /// Checks that the role may record, and creates the missing triggers of tables of earlier versions.
    init(_ connection: PostgresConnection) throws(StoreError) {
        self.connection = connection
        // An earlier session may have left rows.
        connection.deletedByteCount = .max
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
        let most = min(max(limit, 0), 1 << 40) * 4 + (1 << 20)
        checks = hasTablesWithoutTriggers || checkedChanges != connection.tableChanges
        connection.commitQueries =
            PostgresRecorder.rows(upTo: most) + (checks ? [PostgresRecorder.tableWithoutTriggers] : [])
        return true
    }

    func changes() throws(StoreError) -> (any RecordedChanges)? {
        guard let results = connection.commitResults else {
            throw StoreError(
                .connectionLost,
                "The connection to the server was lost during the commit, so its changes cannot be undone")
        }
        connection.commitResults = []
        // Without results nothing was written.
        guard results.count > 1 else { return nil }
        if checks, results.count > 2 { try check(results[2]) }
        if let size = Int(results[1].text(0, 0) ?? ""), size > 0 {
            connection.deletedByteCount = .max
            return RecordedStatements(tooLarge: size)
        }
        let changes = RecordedStatements(try statements(of: results[0]))
        return changes.statements.isEmpty || changes.hasNoEffect ? nil : changes
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

    /// Reads and deletes the recorded rows if they are not too large, and queries the size of the rest.
    ///
    /// The rows are sorted, because new rows take the places of deleted ones.
    private static func rows(upTo limit: Int) -> [String] {
        let size = "SELECT coalesce(sum(octet_length(data)), 0) FROM pg_temp.po_undo"
        return [
            """
            WITH rows AS (DELETE FROM pg_temp.po_undo WHERE (\(size)) <= \(limit) RETURNING number, kind, data) \
            SELECT kind::text, data FROM rows ORDER BY number
            """,
            "SELECT (\(size))::text",
        ]
    }

    private func statements(of result: PostgresResult) throws(StoreError) -> [RecordedStatement] {
        for row in 0..<result.rowCount { countDeleted(result.bytes(row, 1).count) }
        var statements: [RecordedStatement] = []
        var row = 0
        while row < result.rowCount {
            guard let operation = PostgresRecorder.operation(result.text(row, 0)), let table = result.text(row, 1)
            else {
                row += 1
                continue
            }
            var (old, new): ([RecordedRow], [RecordedRow]) = ([], [])
            row += 1
            while row < result.rowCount, let kind = result.bytes(row, 0).first {
                if kind == UInt8(ascii: "o") {
                    old.append(RecordedRow(Array(result.bytes(row, 1))))
                } else if kind == UInt8(ascii: "n") {
                    new.append(RecordedRow(Array(result.bytes(row, 1))))
                } else {
                    break
                }
                row += 1
            }
            guard let first = old.first ?? new.first else { continue }
            let whole = RecordedStatement(table, operation, try keys(of: table, first)).with(old: old, new: new)
            guard let statement = whole.paired() else {
                throw StoreError(.unsupported, "The server has recorded an update of \(table) incompletely")
            }
            if !statement.isEmpty { statements.append(statement) }
        }
        return statements
    }

    /// Adds the size of a deleted row.
    private func countDeleted(_ size: Int) {
        let (sum, isHuge) = connection.deletedByteCount.addingReportingOverflow(size)
        connection.deletedByteCount = isHuge ? .max : sum
    }

    private static func operation(_ kind: String?) -> ChangedRow.Operation? {
        switch kind {
        case "I": .insert
        case "U": .update
        case "D": .delete
        default: nil
        }
    }

    /// The columns of a table's primary key, which a row must have.
    private func keys(of table: String, _ row: RecordedRow) throws(StoreError) -> [[UInt8]] {
        if let known = keys[table], known.allSatisfy(row.hasColumn) { return known }
        let found = try RecordedTable.read([table], connection)[table]?.keyTokens ?? []
        guard !found.isEmpty, row.key(found) != nil else {
            throw StoreError(
                .misuse, "The table \(table) has no primary key, so the changes to it cannot be undone")
        }
        keys[table] = found
        return found
    }
}

// Changes: records the rows that a transaction changes for undo, logs them for subscribers, and restores them. It knows
// tables and rows, and must not know their meaning.

internal import CSQLite

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Records the changes of a connection's transactions with SQLite's session extension.
///
/// All ordinary tables are recorded, whether statements, triggers or foreign keys write them. The search indexes of
/// classes are derived from them, and so are the tables that store the indexes' data.
final class SQLiteChangeRecorder: ChangeRecorder {
    private let connection: SQLiteConnection
    private var shapes = TableShapes()
    /// A session that records nothing. While it exists, SQLite reports each row when it empties a whole table.
    ///
    /// It must always exist, because prepared statements depend on whether it does.
    private var sentinel: OpaquePointer?
    private var current: OpaquePointer?
    /// A changed table that cannot be recorded.
    private var unrecorded: String?

    /// Whether the program's SQLite supports recording.
    static var isAvailable: Bool { po_sqlite3_has_change_sets() }

    init(_ connection: SQLiteConnection) throws(StoreError) {
        self.connection = connection
        guard SQLiteChangeRecorder.isAvailable else { throw SQLiteChangeRecorder.unavailable }
        sentinel = try make()
        sqlite3session_enable(sentinel, 0)
        connection.prepareAllAgain()
    }

    deinit {
        end()
        if let sentinel { sqlite3session_delete(sentinel) }
    }

    private static var unavailable: StoreError {
        StoreError(
            .unsupported,
            "Undo requires an SQLite that is built with SQLITE_ENABLE_SESSION and SQLITE_ENABLE_PREUPDATE_HOOK, "
                + "and this program's SQLite was not. Link a build that has both")
    }

    private func make() throws(StoreError) -> OpaquePointer {
        var session: OpaquePointer?
        let code = sqlite3session_create(connection.handle, "main", &session)
        guard code == SQLITE_OK, let session else { throw .engine(code, message: "SQLite cannot record changes") }
        return session
    }

    func begin() throws(StoreError) {
        end()
        if try connection.value("PRAGMA schema_version") != shapes.version {
            shapes = try TableShapes(connection)
        }
        let session = try make()
        sqlite3session_table_filter(
            session,
            { context, name in
                guard let context, let name else { return 0 }
                let recorder = Unmanaged<SQLiteChangeRecorder>.fromOpaque(context).takeUnretainedValue()
                return recorder.isRecorded(String(cString: name)) ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
        let code = sqlite3session_attach(session, nil)
        guard code == SQLITE_OK else {
            sqlite3session_delete(session)
            throw .engine(code, message: "SQLite cannot record changes")
        }
        current = session
    }

    private func isRecorded(_ table: String) -> Bool {
        if shapes.shapes[table] != nil { return true }
        if !shapes.isFollower(table), !table.hasPrefix("sqlite_") { unrecorded = table }
        return false
    }

    func changes() throws(StoreError) -> (any RecordedChanges)? {
        if let unrecorded {
            throw StoreError(
                .misuse,
                "The table \(unrecorded) was created or altered in this transaction, has no primary key, has a generated "
                    + "column, or belongs to a virtual table, so the changes to it cannot be undone")
        }
        guard let current else { return nil }
        var count: Int32 = 0
        var memory: UnsafeMutableRawPointer?
        let code = sqlite3session_changeset(current, &count, &memory)
        guard code == SQLITE_OK else {
            sqlite3_free(memory)
            let error = StoreError.engine(code, message: "The changes cannot be recorded")
            // Recording reads rows, so its failure may have ended the transaction, as that of a statement may.
            if !connection.isInTransaction { connection.interruption.transaction.recordFailure(error) }
            throw error
        }
        let changes = ChangeSet(bytes: ChangeSet.taking(memory, count), shapes: shapes.shapes)
        return changes.isEmpty ? nil : changes
    }

    func end() {
        unrecorded = nil
        guard let current else { return }
        sqlite3session_delete(current)
        self.current = nil
    }
}

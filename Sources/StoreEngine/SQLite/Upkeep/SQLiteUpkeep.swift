// Upkeep: copies, checkpoints, vacuum, sizes and checks of SQLite files. It knows files and pages, and must not know
// classes or sessions.

internal import CSQLite

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The maintenance of an SQLite file.
struct SQLiteUpkeep: Upkeep {
    let connection: SQLiteConnection

    func copy(_ request: CopyRequest, progress: (CopyProgress) throws -> Void) throws {
        let copy = try FileCopy(request, of: connection)
        defer { copy.discard() }
        guard !copy.isConverting else {
            try copy.convert(progress)
            return try copy.takePlace()
        }
        try inSnapshot { try copy.fill(from: connection.handle, progress) }
        try copy.takePlace()
    }

    /// Runs `body` in a transaction that has begun to read: later commits are not seen, and with a log no writer waits
    /// for it.
    private func inSnapshot<R>(_ body: () throws -> R) throws -> R {
        guard !connection.isInTransaction else { return try body() }
        try connection.beginReading()
        // Nothing was written.
        defer { connection.rollback() }
        try connection.settle()
        return try body()
    }

    func checkpoint(isWaiting: Bool) throws(StoreError) -> CheckpointOutcome {
        guard !connection.isInTransaction else {
            throw StoreError(.misuse, "A checkpoint cannot run in a transaction. Run it after the transaction")
        }
        // If the file was replaced, the log may contain the new file's commits, which do not belong to the old file.
        try connection.checkMayWrite()
        // A truncating checkpoint reports only that the log is empty.
        let moved = try checkpoint(SQLITE_CHECKPOINT_PASSIVE)
        guard isWaiting else {
            return CheckpointOutcome(
                logged: moved.logged, moved: moved.moved, isComplete: moved.logged == moved.moved)
        }
        let emptied = try checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
        return CheckpointOutcome(
            logged: moved.logged, moved: emptied.isDone ? moved.logged : max(moved.moved, emptied.moved),
            isComplete: emptied.isDone)
    }

    private func checkpoint(_ mode: Int32) throws(StoreError) -> (logged: Int, moved: Int, isDone: Bool) {
        var logged: Int32 = 0
        var moved: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(connection.handle, "main", mode, &logged, &moved)
        guard code == SQLITE_OK || code & 0xff == SQLITE_BUSY else {
            throw .engine(code, message: String(cString: sqlite3_errmsg(connection.handle)))
        }
        // -1 if there is no log.
        return (Int(max(logged, 0)), Int(max(moved, 0)), code == SQLITE_OK)
    }

    func vacuum(_ autoVacuum: AutoVacuum) throws(StoreError) {
        guard !connection.isInTransaction else {
            throw StoreError(.misuse, "A vacuum cannot run in a transaction. Run it after the transaction")
        }
        try connection.checkMayWrite()
        try connection.setAutoVacuum(autoVacuum)
        // VACUUM attaches a temporary file.
        let attached = sqlite3_limit(connection.handle, SQLITE_LIMIT_ATTACHED, 1)
        defer { sqlite3_limit(connection.handle, SQLITE_LIMIT_ATTACHED, attached) }
        try connection.execute("VACUUM")
    }

    func releaseFreePages(atMost limit: Int) throws(StoreError) -> Int {
        try connection.checkMayWrite()
        let before = try connection.integer("PRAGMA freelist_count")
        guard limit > 0, before > 0 else { return 0 }
        try connection.execute("PRAGMA incremental_vacuum(\(number: limit))")
        return max(0, before - (try connection.integer("PRAGMA freelist_count")))
    }

    func usesKey(_ number: UInt32) throws(StoreError) -> Bool {
        guard try checkpoint(isWaiting: true).isComplete else {
            throw StoreError(
                .busy, "Other sessions are reading, so the log cannot be emptied. Nothing was changed. Try again")
        }
        return try SealedFile.usesKey(number, connection.handle)
    }

    func facts() throws(StoreError) -> FileFacts {
        var facts = FileFacts()
        facts.pageSize = try connection.integer("PRAGMA page_size")
        facts.pageCount = try connection.integer("PRAGMA page_count")
        facts.freePageCount = try connection.integer("PRAGMA freelist_count")
        facts.autoVacuum = try connection.autoVacuum()
        guard case .file(let path) = connection.location else { return facts }
        if case .text(let mode) = try connection.value("PRAGMA journal_mode") {
            facts.journal = mode == "wal" ? .wal : .rollback
        }
        facts.fileSize = SQLiteUpkeep.size(path)
        facts.logSize = SQLiteUpkeep.size(path + (facts.journal == .wal ? "-wal" : "-journal"))
        return facts
    }

    private static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    func tables() throws(StoreError) -> [StoredTable] {
        let sql: SQL = """
            SELECT "list".name, "list".type, "made".sql FROM pragma_table_list AS "list" \
            JOIN sqlite_schema AS "made" ON "made".name = "list".name AND "made".type = 'table' \
            WHERE "list".schema = 'main' AND "list".type IN ('table', 'virtual', 'shadow') \
            AND "list".name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 1
            """
        return try connection.rows(sql).compactMap { row in
            guard case .text(let name) = row[0], case .text(let type) = row[1], case .text(let text) = row[2] else {
                return nil
            }
            return StoredTable(
                name: name, kind: type == "table" ? .ordinary : type == "virtual" ? .virtual : .shadow, text: text)
        }
    }

    func tableSizes() throws(StoreError) -> [String: TableSize]? {
        // The table `dbstat` exists only in builds with this option.
        guard sqlite3_compileoption_used("ENABLE_DBSTAT_VTAB") != 0 else { return nil }
        let sql: SQL = """
            SELECT "made".tbl_name, "made".type, sum("part".pgsize) FROM dbstat AS "part" \
            JOIN sqlite_schema AS "made" ON "made".name = "part".name \
            WHERE "part".aggregate = TRUE GROUP BY 1, 2
            """
        var sizes: [String: TableSize] = [:]
        for row in try connection.rows(sql) {
            guard case .text(let table) = row[0], case .integer(let bytes) = row[2] else { continue }
            if row[1] == .text("index") {
                sizes[table, default: TableSize()].indexes += Int(bytes)
            } else {
                sizes[table, default: TableSize()].rows += Int(bytes)
            }
        }
        return sizes
    }

    func greatestID(of table: String) throws(StoreError) -> Int64? {
        guard try connection.value("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'") != nil,
            case .integer(let id)? = try connection.rows(
                "SELECT seq FROM sqlite_sequence WHERE name = ? COLLATE NOCASE", table
            )
            .first?.first
        else { return nil }
        return id
    }
}

extension SQLiteConnection {
    package func upkeep() throws(StoreError) -> any Upkeep { SQLiteUpkeep(connection: self) }

    /// A pragma's integer result.
    func integer(_ sql: SQL) throws(StoreError) -> Int {
        guard case .integer(let number) = try value(sql) else { return 0 }
        return Int(number)
    }
}

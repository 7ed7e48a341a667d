internal import CSQLite

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// While it is on, rejects statements that interfere with the session.
///
/// These end its transaction, change the connection's settings, or change the meaning of table names.
final class StatementGuard {
    private var isOn = false
    /// The reason that the last prepared statement is rejected.
    private var refusal: String?
    /// Whether a deletion of all rows is done row by row.
    var deletesSingly = false
    /// The table that is being dropped, for which SQLite authorizes a deletion of its rows.
    private var dropped: String?
    /// The tables that the statement being prepared reads, with their columns; nil if they are not recorded.
    private var reads: [String: Set<String>]?
    /// The writing triggers of all statements so far.
    private(set) var writingTriggers: Set<String> = []

    /// Decides how a statement's triggers run.
    var recursion: TriggerRecursion?
    /// Receives notices of statements that change the schema; nil for none.
    var rowLog: RowLog?

    /// Pragmas that only return information, with or without an argument.
    private static let informationalPragmas: Set<String> = [
        "collation_list", "compile_options", "database_list", "foreign_key_check", "foreign_key_list", "function_list",
        "index_info", "index_list", "index_xinfo", "integrity_check", "module_list", "pragma_list", "quick_check",
        "table_info", "table_list", "table_xinfo",
    ]
    /// Pragmas that return information if they have no argument.
    private static let readablePragmas: Set<String> = [
        "application_id", "auto_vacuum", "busy_timeout", "cache_size", "cell_size_check", "data_version", "encoding",
        "foreign_keys", "freelist_count", "journal_mode", "journal_size_limit", "locking_mode", "max_page_count",
        "mmap_size", "page_count", "page_size", "query_only", "recursive_triggers", "schema_version", "secure_delete",
        "synchronous", "temp_store", "trusted_schema", "user_version", "wal_autocheckpoint",
    ]

    /// Registers the permanent authorizer of a connection. (Setting an authorizer again would make SQLite prepare each
    /// cached statement again.)
    func watch(_ handle: OpaquePointer) {
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, database, trigger in
                guard let context else { return SQLITE_OK }
                let me = Unmanaged<StatementGuard>.fromOpaque(context).takeUnretainedValue()
                if me.recursion?.isSetting == true { return SQLITE_OK }
                let refusal = me.recordWrite(action, by: trigger)
                if refusal != SQLITE_OK { return refusal }
                me.recordSchemaChange(action)
                if me.isOn {
                    let answer = me.allow(action, first, second, database)
                    if answer != SQLITE_OK { return answer }
                }
                if me.deletesSingly { return me.answerWatching(action, first, second) }
                if action == SQLITE_READ { me.recordRead(first, second) }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Calls `prepare` with the guard on, and throws a readable error for a rejected statement.
    func guarding<R>(_ sql: String, _ prepare: () throws(StoreError) -> R) throws(StoreError) -> R {
        isOn = true
        refusal = nil
        defer { isOn = false }
        if let first = StatementGuard.firstWord(of: sql), let refusal = Refusals.statement(beginning: first) {
            throw StoreError(.invalidSQL, refusal, sql: sql)
        }
        do throws(StoreError) { return try prepare() } catch {
            guard let refusal else { throw error }
            throw StoreError(.invalidSQL, refusal, sql: sql, resultCode: error.resultCode)
        }
    }

    /// Calls `prepare`, and returns the tables that the statement reads, with the columns of each.
    func recordingReads(_ prepare: () throws(StoreError) -> Void) throws(StoreError) -> [String: Set<String>] {
        reads = [:]
        defer { reads = nil }
        try prepare()
        return reads ?? [:]
    }

    /// SQLite also authorizes the actions of triggers, whenever it prepares a statement that fires them. A trigger that
    /// only refuses uses SELECT.
    private func recordWrite(_ action: Int32, by trigger: UnsafePointer<CChar>?) -> Int32 {
        let isWrite = action == SQLITE_INSERT || action == SQLITE_UPDATE || action == SQLITE_DELETE
        guard isWrite || action == SQLITE_SELECT && trigger != nil else { return SQLITE_OK }
        let name = trigger.map { String(cString: $0) }
        if let name, isWrite { writingTriggers.insert(name) }
        return recursion?.answer(action, of: name) ?? SQLITE_OK
    }

    /// Records that a statement may change the schema, whether or not it will.
    private func recordSchemaChange(_ action: Int32) {
        switch action {
        case SQLITE_CREATE_INDEX...SQLITE_CREATE_VIEW, SQLITE_DROP_INDEX...SQLITE_DROP_VIEW, SQLITE_ALTER_TABLE,
            SQLITE_CREATE_VTABLE, SQLITE_DROP_VTABLE:
            rowLog?.changesSchema = true
        default: break
        }
    }

    /// Records a column that a statement reads. If a statement only counts a table's rows, the column has no name.
    private func recordRead(_ table: UnsafePointer<CChar>?, _ column: UnsafePointer<CChar>?) {
        guard reads != nil, let table else { return }
        let name = column.map { String(cString: $0) } ?? ""
        reads?[String(cString: table), default: []].formUnion(name.isEmpty ? [] : [name])
    }

    /// The authorizer's result while rows are logged.
    ///
    /// `SQLITE_IGNORE` makes SQLite delete all rows one by one. For a dropped table, SQLite would then do nothing.
    private func answerWatching(
        _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?
    ) -> Int32 {
        switch action {
        case SQLITE_READ: recordRead(first, second)
        case SQLITE_DROP_TABLE, SQLITE_DROP_VIEW, SQLITE_DROP_VTABLE: dropped = first.map { String(cString: $0) }
        case SQLITE_DELETE:
            guard let first, strncmp(first, "sqlite_", 7) != 0 else { break }
            guard let dropped, strcmp(first, dropped) == 0 else { return SQLITE_IGNORE }
            self.dropped = nil
        default: break
        }
        return SQLITE_OK
    }

    private func allow(
        _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?,
        _ database: UnsafePointer<CChar>?
    ) -> Int32 {
        // `CREATE TABLE temp.x` is identified by the schema of its entry.
        let isTemporary = action == SQLITE_INSERT && database.map { strcmp($0, "temp") == 0 } ?? false
        switch isTemporary ? SQLITE_CREATE_TEMP_TABLE : action {
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
            refusal = "Statements cannot begin or end a transaction, because the session does. Use transaction { }"
        case SQLITE_ATTACH, SQLITE_DETACH: refusal = "A store is one file. Open another store for the other file"
        case SQLITE_PRAGMA:
            let name = first.map { String(cString: $0).lowercased() } ?? ""
            if StatementGuard.informationalPragmas.contains(name) { return SQLITE_OK }
            if second == nil, StatementGuard.readablePragmas.contains(name) { return SQLITE_OK }
            refusal = Refusals.pragma(name)
        case SQLITE_CREATE_TEMP_TABLE, SQLITE_CREATE_TEMP_INDEX, SQLITE_CREATE_TEMP_TRIGGER, SQLITE_CREATE_TEMP_VIEW:
            // They would outlive the session, whose connection other sessions get, and hide tables of the same name.
            refusal =
                "Temporary tables, indexes, triggers and views belong to a connection, which a session does "
                + "not keep. Remove TEMP"
        default: return SQLITE_OK
        }
        return SQLITE_DENY
    }
}

extension SQLiteConnection {
    /// The names of the writing triggers of all statements so far, including those of views that are written through.
    package var writingTriggers: Set<String> { statementGuard.writingTriggers }
}

extension Statement {
    /// Whether it is a pragma. The pragmas that passed the guard only return information, although SQLite classifies
    /// `PRAGMA journal_mode` as writing.
    package var isPragma: Bool { StatementGuard.firstWord(of: sql) == "pragma" }
}

extension StatementGuard {
    /// The first word of a statement, in lowercase, if it is a relevant one.
    static func firstWord(of sql: String) -> String? {
        // Most statements start with another letter, and need not be tokenized.
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard let first = sql.utf8.first(where: { !isSpace($0) }), "pPvV-/;\u{FEFF}".utf8.contains(first) else {
            return nil
        }
        var rest = SQLTokens(Array(sql.utf8))
        while let token = rest.next() {
            switch token.kind {
            case .space, .comment, .semicolon: continue
            case .word: return String(decoding: rest.bytes[token.range], as: UTF8.self).lowercased()
            default: return nil
            }
        }
        return nil
    }
}

// User statements.
extension SQLiteConnection {
    /// Returns a prepared user statement, like `statement(_:)`; statements that are reserved for the store are
    /// rejected.
    package func userStatement(_ sql: SQL) throws(StoreError) -> Statement {
        try statementGuard.guarding(sql.text) { () throws(StoreError) in try statement(sql) }
    }
}

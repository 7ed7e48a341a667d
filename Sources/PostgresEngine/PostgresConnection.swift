@_spi(Locks) internal import StoreEngine

/// One connection to a server.
final class PostgresConnection: SharedConnection {
    /// The session on the server that can be written.
    let primary: PostgresSession
    /// The server's replica; nil if there is none.
    private(set) var replica: PostgresReplica?
    /// The session with the open transaction.
    var session: PostgresSession { replica?.reading ?? primary }
    let options: ConnectionOptions
    private let address: String
    /// The schema that the store has named; nil for the first schema of the role's `search_path`.
    var schemaName: String?
    /// The server's number of the schema, which identifies it; nil if it is unknown.
    var schemaNumber: String?
    /// The state of other schemas; the most recently used one is last.
    var parked: [PostgresSchemaState] = []
    /// The cluster and the database of the server, and the schema for which the connection to the replica works.
    var cluster: [String?] = []
    var replicaSchemaName: String?
    /// The functions that replace arguments, because a server cannot call them.
    private let functions: [String: EngineFunction.OfValues]
    private let functionNames: Set<String>
    /// The author of the history entries of the next transactions.
    var author: String?
    var snapshots: PostgresSnapshots { session.snapshots }
    var cache = PostgresSchemaState.noStatements
    /// Reserved ids that are not used yet, by table.
    var idBlocks: [String: Range<Int64>] = [:]
    /// The reserved ids at the start of the transaction and at each savepoint, which a rollback restores.
    var idBlocksBefore: [[String: Range<Int64>]] = []
    var timeLimitSuspensions = 0
    /// Whether the server is a replica, which cannot be written.
    var isReplica: Bool { primary.isReplica }
    /// The number of statement runs when the transaction began.
    var runCountBefore = 0
    /// Whether the triggers record the rows of the next transactions for undo.
    var recordsChanges = false
    /// Whether all sessions of the process must see the next commit, because they rely on its tables.
    var announcesCommit = false
    /// The queries that are sent with the commit of the open transaction.
    var commitQueries: [PostgresPipe.Command] = []
    /// Their results; nil if the connection was lost during the commit.
    var commitResults: [PostgresResult]? = []
    /// The table for recorded rows.
    var recordTable = RecordTable()
    /// The number of statements that may have created or changed tables.
    private(set) var tableChanges = 0

    static let capabilities: Capabilities = [
        .concurrentWriters, .history, .undo, .search, .schemas, .replicas,
    ]

    var calls: CallCounter { primary.interruption.calls }
    var limits: CallLimits { primary.interruption.limits }
    let dialect = Dialect.postgres
    var engineName: String { "PostgreSQL" }
    var capabilities: Capabilities {
        options.writesAlone
            ? PostgresConnection.capabilities.subtracting(.concurrentWriters) : PostgresConnection.capabilities
    }
    var fileIdentity: FileIdentity? { nil }
    var schema: any SchemaReader { PostgresSchemaReader(self) }
    var loading: any RowLoading { PostgresLoading(connection: self) }

    init(_ address: String, schema: String?, options: ConnectionOptions) throws(StoreError) {
        self.options = options
        self.address = address
        schemaName = schema
        functions = PostgresCall.functions(options)
        functionNames = Set(functions.keys)
        let pipe = try PostgresPipe(opening: address)
        let moments = options.replica.map { PostgresMoments.of(address, $0) }
        primary = PostgresSession(pipe, moments.map(PostgresProgress.init))
        try setUp(pipe)
        if !options.file.isReadOnly { try PostgresFunctions.install(primary) }
        replica = try makeReplica()
        primary.reopen = { [weak self] () throws(StoreError) in
            // A statement can outlive its connection.
            guard let self else { throw StoreError(.connectionLost, "The connection to the server was closed") }
            let pipe = try PostgresPipe(opening: address)
            try setUp(pipe)
            // It may be another server, which may have assigned the reserved ids to other connections.
            idBlocks = [:]
            idBlocksBefore = idBlocksBefore.map { _ in [:] }
            parked = []
            return pipe
        }
    }

    /// The time limit for a statement, in milliseconds; 0 for none.
    var timeLimit: Int64 {
        guard let timeout = options.queryTimeout else { return 0 }
        return Int64(max(1, timeout.wholeMilliseconds))
    }

    // MARK: Statements

    func statement(_ sql: SQL) throws(StoreError) -> Statement {
        try check(sql)
        if let kept = cache.takeFree(sql.text) { return kept }
        let statement = Statement(try makeStatement(sql, isRouted: true), sql: sql.text)
        statement.take()
        cache.insert(statement)
        limitParkedStatements()
        return statement
    }

    func uncachedStatement(_ sql: SQL) throws(StoreError) -> Statement {
        try check(sql)
        return Statement(try makeStatement(sql, isRouted: true), sql: sql.text)
    }

    func prepare(_ sql: SQL) throws(StoreError) -> Statement {
        try check(sql)
        return Statement(try makeStatement(sql, isRouted: false), sql: sql.text)
    }

    private func makeStatement(_ sql: SQL, isRouted: Bool) throws(StoreError) -> PostgresStatement {
        PostgresStatement(try text(sql), primary, replica, isRouted: isRouted, functions: functions)
    }

    func userStatement(_ sql: SQL) throws(StoreError) -> Statement {
        try check(sql)
        let statement = try makeStatement(sql, isRouted: true)
        if let refusal = PostgresRefusals.refusal(of: statement.text.words) {
            throw StoreError(.invalidSQL, refusal, sql: sql.text)
        }
        try statement.check()
        if statement.text.changesSession { replica?.isForbidden = true }
        // The statement may insert rows with assigned ids, so the next block is reserved after all rows.
        if !statement.isReadOnly {
            idBlocks = [:]
            session.ids.doubtAll()
            if statement.text.changesTables { tableChanges += 1 }
        }
        let kept = Statement(statement, sql: sql.text)
        kept.take()
        return kept
    }

    /// Rejects names that are too long, because the server silently truncates them, and two names could become equal.
    private func text(_ sql: SQL) throws(StoreError) -> PostgresText {
        let text = PostgresText(sql.text, functions: functionNames)
        guard let name = text.names.first(where: { $0.utf8.count > 63 }) else { return text }
        throw StoreError(
            .unsupported,
            "The name \(name) has \(name.utf8.count) bytes, and PostgreSQL allows 63 at most. Choose a shorter "
                + "name; for a class or property, use tableName or @Column", sql: sql.text)
    }

    private func check(_ sql: SQL) throws(StoreError) {
        try checkTransaction()
        // libpq would ignore everything after the NUL.
        guard !sql.text.utf8.contains(0) else {
            throw StoreError(.invalidSQL, "The SQL text contains a NUL", sql: sql.text)
        }
    }

    func columnsRead(by sql: SQL) throws(StoreError) -> [String: Set<String>] {
        try require(.tablesRead)
        return [:]
    }

    private var sessions: [PostgresSession] { replica?.session.map { [primary, $0] } ?? [primary] }
    var statementRunCount: Int { sessions.reduce(0) { $0 + $1.runCount } }
    var busyStatementCount: Int { sessions.reduce(0) { $0 + $1.busyCount } }
    func trace(_ handler: ((String) -> Void)?) { for session in sessions { session.tracer = handler } }

    // MARK: Writing

    func deferForeignKeys() throws(StoreError) { try session.send("SET CONSTRAINTS ALL DEFERRED") }

    func write(_ batch: WriteBatch) throws {
        for case .update(let rows) in batch.steps where session.delivery.isOn { try expect(rows) }
        let isCounted = session.delivery.isOn && batch.countsRows
        if isCounted { try session.flush() }
        let former = session.totalChangedRowCount
        let count = try writeStepwise(
            batch, placeholderLimit: PostgresSession.mostInferred, knowsRows: session.delivery.isOn, copies: copy)
        if isCounted { try checkCount(count, since: former) }
    }

    /// Throws if statements changed fewer rows than they should, because a trigger returned NULL; the write is then
    /// repeated row by row, so that its error names the row.
    private func checkCount(_ count: Int, since former: Int64) throws(StoreError) {
        try session.flush()
        guard session.totalChangedRowCount - former < Int64(count) else { return }
        var error = StoreError(.constraint, "A trigger left out rows of a statement")
        error.repetition = .oneByOne
        session.end = error
        throw error
    }

    // MARK: Effects of statements

    var lastInsertedRowID: Int64 { 0 }
    var changedRowCount: Int { session.changedRowCount }
    var totalChangedRowCount: Int64 { session.totalChangedRowCount }

    var hasBrokenForeignKeys: Bool {
        guard isInTransaction, session.isWriting else { return false }
        if session.delivery.isOn {
            // The end of the batched statements detects it.
            if session.delivery.hasMark {
                session.delivery.add("SET CONSTRAINTS ALL IMMEDIATE")
                session.delivery.add("SET CONSTRAINTS ALL DEFERRED")
            }
            return false
        }
        do throws(StoreError) { try session.checkReferences() } catch { return error.constraint?.kind == .foreignKey }
        return false
    }

    var writingTriggers: Set<String> { [] }

    var dataVersion: UInt32 {
        snapshots.see()
    }

    /// Nil, because a server has no number that includes all commits of other sessions.
    var commitMark: CommitMark? { nil }
    func watchForCommits(_ calls: CommitWatchCalls) -> (any CommitWatch)? {
        let (address, schema) = (address, schemaName)
        let interval = isReplica ? options.pollInterval : PostgresFeed.renewalInterval(options)
        return PostgresCommitWatch(every: interval, listens: !isReplica, calls) { () throws(StoreError) in
            let pipe = try PostgresPipe(opening: address)
            if let schema {
                let result = try pipe.roundTrip([.text(PostgresSchemas.selection(schema))]).first
                if let failure = result?.failure { throw .postgres(failure) }
            }
            return pipe
        }
    }
    func openFeed() throws(StoreError) -> (any CommitFeed)? { try isReplica ? nil : PostgresFeed(self) }
    func tablesDidChange() throws(StoreError) {
        tableChanges += 1
        announcesCommit = true
        try session.runTexts(["SELECT po_watch_tables()", "SELECT po_schema_changed()"])
    }
    func commitMarking() throws(StoreError) -> CommitSpan {
        try commit()
        // Subscribers in other sessions must find the changes.
        primary.progress?.announceCommit()
        return .unknown
    }

    func polledDataVersion(waits: Bool) throws(StoreError) -> Int64 {
        try readSnapshot()
        return Int64(snapshots.version)
    }

    private func readSnapshot() throws(StoreError) {
        snapshots.record(try session.runTexts([PostgresSnapshots.query]).first)
    }

    // MARK: Interruption

    func interrupt() { primary.interruption.flag.end() }
    func suspendInterruption() { primary.interruption.suspend() }
    func resumeInterruption() { primary.interruption.resume() }

    func suspendTimeLimit() {
        timeLimitSuspensions += 1
        if timeLimitSuspensions == 1 { setTimeLimit() }
    }

    func resumeTimeLimit() {
        timeLimitSuspensions -= 1
        if timeLimitSuspensions == 0 { setTimeLimit() }
    }

    func setTimeLimit() {
        guard timeLimit > 0 else { return }
        for session in sessions {
            session.pipe.enqueue(.text("SET statement_timeout = \(timeLimitSuspensions > 0 ? 0 : timeLimit)"))
        }
    }

    // MARK: Unsupported by the engine

    var rowLog: RowLog? { nil }
    func watchRows(_ isOn: Bool) {}
    var unreportedRowCount: Int64 { 0 }
    func clearRowLog() {}

    func upkeep() throws(StoreError) -> any Upkeep {
        try require(.upkeep)
        throw StoreError(.unsupported, "PostgreSQL maintains its own files")
    }

    func makeRoom() -> Bool { false }
}

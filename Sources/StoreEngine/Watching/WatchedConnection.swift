/// A connection that forwards each call to another one, and reports the statements that run.
///
/// Without a watcher no such connection exists, so watching costs nothing then. The engine's internal queries are not
/// reported: the largest id of a table, the data version, the schema.
package final class WatchedConnection: Connection {
    /// The connection that does the work.
    package let inner: any Connection
    private let watch: WatchSlot
    private var cache = StatementCache()

    /// Watches a connection. Do not use that connection directly meanwhile.
    package init(_ inner: any Connection) {
        self.inner = inner
        watch = WatchSlot(inner)
    }

    /// The receiver of the reports; nil for none.
    package var watcher: (any StatementWatcher)? {
        get { watch.watcher }
        set { watch.watcher = newValue }
    }

    package var engineName: String { inner.engineName }
    package var capabilities: Capabilities { inner.capabilities }
    package var fileIdentity: FileIdentity? { inner.fileIdentity }
    package var calls: CallCounter { inner.calls }
    package var limits: CallLimits { inner.limits }
    package var dialect: Dialect { inner.dialect }
    package var schema: any SchemaReader { inner.schema }
    package var loading: any RowLoading { inner.loading }

    // MARK: Statements

    package func statement(_ sql: SQL) throws(StoreError) -> Statement {
        calls.countRun()
        if let kept = cache.takeFree(sql.text) { return kept }
        let statement = try uncachedStatement(sql)
        statement.take()
        cache.insert(statement)
        return statement
    }

    package func uncachedStatement(_ sql: SQL) throws(StoreError) -> Statement {
        Statement(
            WatchedStatement(try prepared(sql) { () throws(StoreError) in try inner.uncachedStatement(sql) }, watch),
            sql: sql.text)
    }

    package func batchStatement(_ sql: SQL) throws(StoreError) -> Statement? {
        let made = try prepared(sql) { () throws(StoreError) in try inner.batchStatement(sql) }
        return made.map { Statement(WatchedStatement($0, watch, isLent: true), sql: sql.text) }
    }

    package func prepare(_ sql: SQL) throws(StoreError) -> Statement {
        Statement(
            WatchedStatement(try prepared(sql) { () throws(StoreError) in try inner.prepare(sql) }, watch),
            sql: sql.text)
    }

    package func userStatement(_ sql: SQL) throws(StoreError) -> Statement {
        // The engine's statement is discarded, because only its check of the SQL is needed.
        try prepared(sql) { () throws(StoreError) in try inner.userStatement(sql).finish() }
        return try statement(sql)
    }

    /// Returns the statement that `body` prepares; a failure is reported.
    private func prepared<R>(_ sql: SQL, _ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        do { return try body() } catch {
            var report = StatementReport(kind: .statement, sql: sql.text)
            report.error = error
            watcher?.willRun()
            watcher?.didRun(report)
            throw error
        }
    }

    package func columnsRead(by sql: SQL) throws(StoreError) -> [String: Set<String>] {
        try inner.columnsRead(by: sql)
    }
    package var statementRunCount: Int { inner.statementRunCount }
    package var busyStatementCount: Int { inner.busyStatementCount }
    package func trace(_ handler: ((String) -> Void)?) { inner.trace(handler) }

    package func write(_ batch: WriteBatch) throws {
        // The batch is written statement by statement, so that each statement is reported.
        try writeStepwise(batch, placeholderLimit: min(dialect.argumentLimit, 30_000))
    }

    // MARK: Transactions

    package func upgradeFormat() throws(StoreError) { try inner.upgradeFormat() }
    package var writeRefusal: StoreError? { inner.writeRefusal }
    package var isInTransaction: Bool { inner.isInTransaction }
    package var author: String? {
        get { inner.author }
        set { inner.author = newValue }
    }
    package func signEntries(transaction: Int64?) { inner.signEntries(transaction: transaction) }
    package var endOfTransaction: StoreError? { inner.endOfTransaction }
    package func begin() throws(StoreError) { try begin(.stepwise, alone: false) }
    package func begin(_ pace: Pace, alone: Bool) throws(StoreError) {
        try reporting("BEGIN IMMEDIATE") { () throws(StoreError) in try inner.begin(.stepwise, alone: alone) }
    }
    package func becomeAlone() throws(StoreError) -> Bool { try inner.becomeAlone() }
    package func beginReading() throws(StoreError) {
        try reporting("BEGIN") { () throws(StoreError) in try inner.beginReading() }
    }
    package func beginReading(mayBeEarlier: Bool) throws(StoreError) {
        try reporting("BEGIN") { () throws(StoreError) in try inner.beginReading(mayBeEarlier: mayBeEarlier) }
    }
    package func settle() throws(StoreError) { try inner.settle() }
    package func commit() throws(StoreError) { try reporting("COMMIT") { () throws(StoreError) in try inner.commit() } }
    package func commitMarking() throws(StoreError) -> CommitSpan {
        try reporting("COMMIT") { () throws(StoreError) in try inner.commitMarking() }
    }

    package func rollback() {
        guard inner.isInTransaction else { return inner.rollback() }
        reporting("ROLLBACK") { inner.rollback() }
    }

    package func setSavepoint(_ pace: Pace) throws(StoreError) {
        try reporting("SAVEPOINT") { () throws(StoreError) in try inner.setSavepoint(.stepwise) }
    }

    package func releaseSavepoint() throws(StoreError) {
        try reporting("RELEASE") { () throws(StoreError) in try inner.releaseSavepoint() }
    }

    package func rollBackToSavepoint() { reporting("ROLLBACK TO") { inner.rollBackToSavepoint() } }

    package func reserveIDs(_ count: Int, in table: String) throws(StoreError) -> Int64 {
        try inner.reserveIDs(count, in: table)
    }
    package func greatestID(in table: String) throws(StoreError) -> Int64 { try inner.greatestID(in: table) }
    package func reserveIDs(
        _ count: Int, inTableOfOthers table: String, id: SQL
    ) throws(StoreError) -> Int64 {
        try inner.reserveIDs(count, inTableOfOthers: table, id: id)
    }
    package func deferForeignKeys() throws(StoreError) {
        try reporting("PRAGMA defer_foreign_keys = ON") { () throws(StoreError) in try inner.deferForeignKeys() }
    }
    package func upkeep() throws(StoreError) -> any Upkeep { try inner.upkeep() }

    // MARK: Effects of statements and changes by other connections

    package var lastInsertedRowID: Int64 { inner.lastInsertedRowID }
    package var changedRowCount: Int { inner.changedRowCount }
    package var totalChangedRowCount: Int64 { inner.totalChangedRowCount }
    package var hasBrokenForeignKeys: Bool { inner.hasBrokenForeignKeys }
    package var writingTriggers: Set<String> { inner.writingTriggers }
    package var dataVersion: UInt32 { inner.dataVersion }
    package func polledDataVersion(waits: Bool) throws(StoreError) -> Int64 {
        try inner.polledDataVersion(waits: waits)
    }
    package var commitMark: CommitMark? { inner.commitMark }
    package func watchForCommits(_ calls: CommitWatchCalls) -> (any CommitWatch)? { inner.watchForCommits(calls) }

    package func openFeed() throws(StoreError) -> (any CommitFeed)? { try inner.openFeed() }
    package func tablesDidChange() throws(StoreError) { try inner.tablesDidChange() }
    package var lastCommit: WriteToken? { inner.lastCommit }
    package func startWork(after token: WriteToken?) throws(StoreError) { try inner.startWork(after: token) }

    // MARK: Interruption

    package func interrupt() { inner.interrupt() }
    package func suspendInterruption() { inner.suspendInterruption() }
    package func resumeInterruption() { inner.resumeInterruption() }
    package func suspendTimeLimit() { inner.suspendTimeLimit() }
    package func resumeTimeLimit() { inner.resumeTimeLimit() }

    // MARK: Rows written, undo, the file

    package var rowLog: RowLog? { inner.rowLog }
    package func watchRows(_ isOn: Bool) { inner.watchRows(isOn) }
    package var unreportedRowCount: Int64 { inner.unreportedRowCount }
    package func clearRowLog() { inner.clearRowLog() }
    package func makeRecorder() throws(StoreError) -> any ChangeRecorder { try inner.makeRecorder() }
    package func withoutRules<R>(_ body: () throws -> R) throws -> R { try inner.withoutRules(body) }

    package func apply(_ changes: [any RowChanges]) throws {
        var run = Run(.undo, "-- undo", self)
        do { try inner.apply(changes) } catch {
            run.end(error as? StoreError)
            throw error
        }
        run.end(nil)
    }

    package func releaseMemory() {
        cache.removeFree()
        inner.releaseMemory()
    }
    package func makeRoom() -> Bool { inner.makeRoom() }
}

// Operations without a separate statement.
extension WatchedConnection {
    /// Runs `body` as a step of a transaction, and reports it.
    private func reporting<R, E: Error>(_ sql: String, _ body: () throws(E) -> R) throws(E) -> R {
        var run = Run(.transaction, sql, self)
        do throws(E) {
            let result = try body()
            run.end(nil)
            return result
        } catch {
            run.end(error as? StoreError)
            throw error
        }
    }

    /// An operation that is measured as a whole.
    private struct Run {
        private var report: StatementReport
        private let connection: WatchedConnection
        private let changesBefore: Int64
        private let start = ContinuousClock.now

        init(_ kind: StatementReport.Kind, _ sql: String, _ connection: WatchedConnection) {
            report = StatementReport(kind: kind, sql: sql)
            self.connection = connection
            changesBefore = connection.inner.totalChangedRowCount
            connection.watcher?.willRun()
        }

        mutating func end(_ error: StoreError?) {
            report.duration = ContinuousClock.now - start
            report.changedRows = Int(clamping: connection.inner.totalChangedRowCount - changesBefore)
            report.error = error
            connection.watcher?.didRun(report)
        }
    }
}

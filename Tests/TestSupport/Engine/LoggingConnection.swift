internal import StoreEngine

/// A connection that forwards each call to an SQLite connection.
final class LoggingConnection: Connection {
    private let inner: any Connection
    private let engine: LoggingEngine
    private var cache = StatementCache()

    init(_ inner: any Connection, _ engine: LoggingEngine) {
        self.inner = inner
        self.engine = engine
    }

    var engineName: String { engine.name }
    var capabilities: Capabilities { engine.capabilities }
    var fileIdentity: FileIdentity? { inner.fileIdentity }
    var calls: CallCounter { inner.calls }
    var limits: CallLimits { inner.limits }
    var dialect: Dialect { inner.dialect }
    var schema: any SchemaReader { inner.schema }
    var loading: any RowLoading { inner.loading }
    var writeRefusal: StoreError? { inner.writeRefusal }
    func upgradeFormat() throws(StoreError) { try inner.upgradeFormat() }

    func statement(_ sql: SQL) throws(StoreError) -> Statement {
        calls.countRun()
        if let kept = cache.takeFree(sql.text) { return kept }
        let statement = try prepare(sql)
        statement.take()
        cache.insert(statement)
        return statement
    }

    func batchStatement(_ sql: SQL) throws(StoreError) -> Statement? {
        guard let known = try inner.batchStatement(sql) else { return nil }
        known.finish()
        return try statement(sql)
    }

    func prepare(_ sql: SQL) throws(StoreError) -> Statement {
        try engine.ask("prepare \(sql.text)")
        return Statement(LoggingStatement(try inner.prepare(sql), engine), sql: sql.text)
    }

    func userStatement(_ sql: SQL) throws(StoreError) -> Statement {
        // The inner statement is discarded, because only its check of the SQL is needed.
        try inner.userStatement(sql).finish()
        return try statement(sql)
    }

    func columnsRead(by sql: SQL) throws(StoreError) -> [String: Set<String>] {
        try require(.tablesRead)
        return try inner.columnsRead(by: sql)
    }

    var statementRunCount: Int { inner.statementRunCount }
    var busyStatementCount: Int { inner.busyStatementCount }
    func trace(_ handler: ((String) -> Void)?) { inner.trace(handler) }

    var isInTransaction: Bool { inner.isInTransaction }
    var author: String? {
        get { inner.author }
        set { inner.author = newValue }
    }
    func signEntries(transaction: Int64?) { inner.signEntries(transaction: transaction) }
    var endOfTransaction: StoreError? { inner.endOfTransaction }

    func begin() throws(StoreError) {
        try engine.ask("begin")
        try inner.begin()
    }

    func beginReading() throws(StoreError) {
        try engine.ask("begin reading")
        try inner.beginReading()
    }

    func settle() throws(StoreError) { try inner.settle() }

    func commit() throws(StoreError) {
        try engine.ask("commit")
        try inner.commit()
    }

    func commitMarking() throws(StoreError) -> CommitSpan {
        try engine.ask("commit")
        return try inner.commitMarking()
    }

    func rollback() {
        engine.note("rollback")
        inner.rollback()
    }

    func setSavepoint(_ pace: Pace) throws(StoreError) {
        try engine.ask("set savepoint")
        try inner.setSavepoint(.stepwise)
    }

    func releaseSavepoint() throws(StoreError) {
        try engine.ask("release savepoint")
        try inner.releaseSavepoint()
    }

    func rollBackToSavepoint() {
        engine.note("roll back to savepoint")
        inner.rollBackToSavepoint()
    }

    func reserveIDs(_ count: Int, in table: String) throws(StoreError) -> Int64 {
        try engine.ask("reserve \(count)")
        return try inner.reserveIDs(count, in: table)
    }

    func greatestID(in table: String) throws(StoreError) -> Int64 {
        try engine.ask("greatest id")
        return try inner.greatestID(in: table)
    }

    func reserveIDs(_ count: Int, inTableOfOthers table: String, id: SQL) throws(StoreError) -> Int64 {
        try engine.ask("reserve \(count)")
        return try inner.reserveIDs(count, inTableOfOthers: table, id: id)
    }

    func deferForeignKeys() throws(StoreError) {
        try engine.ask("defer foreign keys")
        try inner.deferForeignKeys()
    }

    func write(_ batch: WriteBatch) throws {
        for step in batch.steps {
            switch step {
            case .insert(let rows): engine.note("insert \(rows.rowCount)")
            case .update(let rows): engine.note("update \(rows.rowCount)")
            case .delete(let rows): engine.note("delete \(rows.ids.count)")
            }
        }
        try writeStepwise(batch, placeholderLimit: 30_000)
    }

    var lastInsertedRowID: Int64 { inner.lastInsertedRowID }
    var changedRowCount: Int { inner.changedRowCount }
    var totalChangedRowCount: Int64 { inner.totalChangedRowCount }
    var hasBrokenForeignKeys: Bool { inner.hasBrokenForeignKeys }
    var writingTriggers: Set<String> { inner.writingTriggers }
    var dataVersion: UInt32 { inner.dataVersion }
    var commitMark: CommitMark? { inner.commitMark }

    func polledDataVersion(waits: Bool) throws(StoreError) -> Int64 {
        try engine.ask("poll")
        return try inner.polledDataVersion(waits: waits)
    }

    func watchForCommits(_ calls: CommitWatchCalls) -> (any CommitWatch)? { inner.watchForCommits(calls) }

    func interrupt() { inner.interrupt() }
    func suspendInterruption() { inner.suspendInterruption() }
    func resumeInterruption() { inner.resumeInterruption() }
    func suspendTimeLimit() { inner.suspendTimeLimit() }
    func resumeTimeLimit() { inner.resumeTimeLimit() }

    var rowLog: RowLog? { inner.rowLog }

    func watchRows(_ isOn: Bool) {
        guard capabilities.contains(.rowLog) else { return }
        engine.note(isOn ? "watch rows" : "watch no rows")
        inner.watchRows(isOn)
    }

    var unreportedRowCount: Int64 { inner.unreportedRowCount }
    func clearRowLog() { inner.clearRowLog() }

    func makeRecorder() throws(StoreError) -> any ChangeRecorder {
        try require(.undo)
        try engine.ask("record")
        return try inner.makeRecorder()
    }

    func withoutRules<R>(_ body: () throws -> R) throws -> R { try inner.withoutRules(body) }

    func apply(_ changes: [any RowChanges]) throws {
        try engine.ask("apply")
        try inner.apply(changes)
    }

    func upkeep() throws(StoreError) -> any Upkeep {
        try require(.upkeep)
        return try inner.upkeep()
    }

    func releaseMemory() { inner.releaseMemory() }
    func makeRoom() -> Bool { inner.makeRoom() }
}

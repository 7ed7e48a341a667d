// Seam: the requests of the layers above to a database: statements, rows, transactions, batches of writes, and the
// capabilities of an engine. It must not know user classes, nor the implementation of an engine. The only exception is
// for speed: statements and columns call SQLite's functions directly if they belong to SQLite.

/// One connection to one database, as the layers above use it.
///
/// It belongs to one session at a time, which keeps threads apart; except for `interrupt()`, it must not be used from
/// two threads at once. It is called once for a statement, a transaction or a call, never for a row.
package protocol Connection: AnyObject {
    /// The engine's name, for messages.
    var engineName: String { get }
    /// The capabilities of the engine.
    var capabilities: Capabilities { get }
    /// The identity of its file; nil if it has no file.
    var fileIdentity: FileIdentity? { get }
    /// The counter of calls and statement runs.
    var calls: CallCounter { get }
    /// Limits in addition to its options.
    var limits: CallLimits { get }

    /// The engine-specific SQL.
    var dialect: Dialect { get }
    /// The schema of the database.
    var schema: any SchemaReader { get }
    /// How the database accepts the rows of a whole store.
    var loading: any RowLoading { get }

    // MARK: Statements

    /// Returns a prepared statement, ready for bindings: a cached free one, or a new one. Release it with `finish()`.
    func statement(_ sql: SQL) throws(StoreError) -> Statement
    /// Returns a prepared statement that writes several rows with `Dialect.batchClause`, like `statement(_:)`; nil if
    /// the rows must be written individually. If that turns out only when it runs, nothing was written, and the error's
    /// `repetition` is `oneByOne`.
    func batchStatement(_ sql: SQL) throws(StoreError) -> Statement?
    /// Returns a prepared statement, like `statement(_:)`, without caching it. A query may go to a replica.
    func uncachedStatement(_ sql: SQL) throws(StoreError) -> Statement
    /// Prepares exactly one statement, without caching it; text after it is rejected. Outside transactions, a query sees
    /// all commits.
    func prepare(_ sql: SQL) throws(StoreError) -> Statement
    /// Returns a prepared user statement, like `statement(_:)`; statements that are reserved for the store are
    /// rejected.
    func userStatement(_ sql: SQL) throws(StoreError) -> Statement
    /// The tables that a statement reads, with the columns of each; see `Capabilities.tablesRead`.
    func columnsRead(by sql: SQL) throws(StoreError) -> [String: Set<String>]
    /// The number of runs of the connection's cached statements.
    var statementRunCount: Int { get }
    /// The number of statements in use; 0 between calls.
    var busyStatementCount: Int { get }
    /// Calls `handler` with the text of each statement when it starts to run, until it is set to nil.
    func trace(_ handler: ((String) -> Void)?)

    // MARK: Transactions

    /// Upgrades the database to this version's format; call it in the transaction that first uses a newer format.
    func upgradeFormat() throws(StoreError)
    /// The reason that the database is read-only; nil if it can be written. Every `begin()` throws it.
    var writeRefusal: StoreError? { get }

    /// Waits until a lost connection is replaced, at most for the busy timeout. Does nothing if there is a connection.
    func awaitConnection()
    /// Whether a transaction is open.
    var isInTransaction: Bool { get }
    /// The error with which the engine has rolled back the transaction by itself. Each call except `rollback()` then
    /// throws it. Nil if that has not happened.
    var endOfTransaction: StoreError? { get }
    /// Opens a transaction that may write.
    ///
    /// Until its end it runs as if no other connection or process wrote. Four things rely on this promise: ids are
    /// assigned before rows are inserted, a conflict check's reads are still current when the changes are written,
    /// updates are by id alone, and the results of uniqueness checks and delete rules stay true. An engine either
    /// excludes other writers, or ends one of two conflicting writers with an error whose `repetition` is `again`: see
    /// `Capabilities.concurrentWriters`. Docs/Mechanisms.md lists them.
    func begin() throws(StoreError)
    /// Opens a transaction that may write, with a pace, and optionally exclusive.
    ///
    /// An engine without round trips ignores the pace. An engine that always excludes other writers ignores `alone`.
    func begin(_ pace: Pace, alone: Bool) throws(StoreError)
    /// The author of the history entries of the next transactions, which triggers write.
    var author: String? { get set }
    /// Makes triggers write `author` and this number into the entries of the open transaction; nil makes them write
    /// neither. An engine with `HistoryDialect.StatementTriggers` ignores it.
    func signEntries(transaction: Int64?)
    /// Makes the open transaction exclusive if it has done nothing yet; returns false if it is too late.
    ///
    /// Call it before a change of tables whose rows other sessions may be writing.
    @discardableResult
    func becomeAlone() throws(StoreError) -> Bool
    /// Waits for a deferred start of the transaction: `dataVersion` then belongs to the transaction.
    func confirmBeginning() throws(StoreError)
    /// Opens a transaction that only reads; its statements see one state of the database.
    func beginReading() throws(StoreError)
    /// Opens a transaction that only reads.
    ///
    /// - Parameter mayBeEarlier: Whether its state may be an earlier one, which a replica has.
    func beginReading(mayBeEarlier: Bool) throws(StoreError)
    /// Fixes the state that a reading transaction sees now, instead of at its first statement.
    func settle() throws(StoreError)
    /// Commits the transaction. It is not interrupted.
    func commit() throws(StoreError)
    /// Commits the transaction, and returns the database's position before and after the commit.
    func commitMarking() throws(StoreError) -> CommitSpan
    /// Rolls the transaction back; never fails, because the engine may already have rolled back by itself.
    func rollback()
    /// Sets a savepoint in the open transaction; savepoints nest. The pace applies up to the savepoint's end.
    func setSavepoint(_ pace: Pace) throws(StoreError)
    /// Releases the last savepoint and keeps the changes since then.
    func releaseSavepoint() throws(StoreError)
    /// Reverts the changes since the last savepoint, and releases it; never fails.
    ///
    /// If only the whole transaction can be rolled back, it is rolled back, and `endOfTransaction` is the reason.
    func rollBackToSavepoint()

    /// Returns the first of a number of consecutive ids that no row of a table has, or had before.
    ///
    /// Call it in a writing transaction, once for each table. No other session can insert until the transaction ends,
    /// so the ids are reserved for the caller. Ids are used up only if rows are inserted with them.
    func reserveIDs(_ count: Int, in table: String) throws(StoreError) -> Int64

    /// Returns the greatest id that a row of a table has, or that has been reserved; 0 for none.
    ///
    /// In the writing transaction, rows that are inserted with greater ids collide with no other rows.
    func greatestID(in table: String) throws(StoreError) -> Int64

    /// Like `reserveIDs(_:in:)`, for an existing table with the ids `id`.
    ///
    /// The database may reuse row numbers of deleted rows in such a table.
    func reserveIDs(_ count: Int, inTableOfOthers table: String, id: SQL) throws(StoreError) -> Int64

    /// Defers the check of the open transaction's references to its end, including foreign keys that are declared as
    /// immediate: rows that refer to each other can be written in any order.
    func deferForeignKeys() throws(StoreError)

    /// Writes the batch of a save in the open transaction.
    ///
    /// The failing step adds its location to an error.
    func write(_ batch: WriteBatch) throws

    // MARK: Effects of statements

    /// The id of the last inserted row. See `Capabilities.insertedIDs`.
    var lastInsertedRowID: Int64 { get }
    /// The number of rows that the last statement changed.
    var changedRowCount: Int { get }
    /// The number of rows that all statements, including their triggers, have changed.
    var totalChangedRowCount: Int64 { get }
    /// Whether the open transaction has dangling references, so that its commit would fail.
    var hasBrokenForeignKeys: Bool { get }
    /// The names of the writing triggers of all statements so far.
    var writingTriggers: Set<String> { get }

    // MARK: Changes by other connections

    /// A number that changes once any connection, including this one, has committed a change; read it inside a
    /// transaction or while a statement is on a row.
    var dataVersion: UInt32 { get }
    /// A number that changes once any other connection, in any process, has committed a change. Unlike `dataVersion` it
    /// needs no surrounding transaction.
    ///
    /// - Parameter waits: Whether it waits for a commit in progress; otherwise it throws.
    func polledDataVersion(waits: Bool) throws(StoreError) -> Int64
    /// The commit that the database is at, regardless of this connection's snapshot; nil if the engine cannot provide
    /// it. The connection must have read before.
    var commitMark: CommitMark? { get }
    /// Calls `look` soon after each commit of any connection, until the watch is cancelled; nil if the engine does not
    /// support it. The connection may end before the watch.
    func watchForCommits(_ calls: CommitWatchCalls) -> (any CommitWatch)?

    /// Opens a feed of all committed changes; nil if the engine cannot read them. The feed uses the connection, which must
    /// not be used for anything else.
    func openFeed() throws(StoreError) -> (any CommitFeed)?
    /// Called in a transaction that has created or changed tables of classes.
    func tablesDidChange() throws(StoreError)

    // MARK: Replicas

    /// The position after the last commit of the current work; nil if there was none, and for engines without replicas.
    var lastCommit: WriteToken? { get }
    /// Starts to work for another session, whose queries see all writes up to a position.
    func startWork(after token: WriteToken?) throws(StoreError)

    // MARK: Interruption

    /// Interrupts the running statement, if any. The only call that is allowed from another thread.
    func interrupt()
    /// Suspends interruptions until `resumeInterruption()`; calls nest.
    func suspendInterruption()
    /// Ends `suspendInterruption()`.
    func resumeInterruption()
    /// Suspends the time limit of statements until `resumeTimeLimit()`; calls nest.
    func suspendTimeLimit()
    /// Ends `suspendTimeLimit()`.
    func resumeTimeLimit()

    // MARK: Rows written

    /// The log of the current transaction's writes; nil if there is no log.
    var rowLog: RowLog? { get }
    /// Starts or ends a log of written rows; call it between transactions. See `Capabilities.rowLog`.
    func watchRows(_ isOn: Bool)
    /// The number of rows of the transaction that the engine did not report.
    var unreportedRowCount: Int64 { get }
    /// Clears the log of a transaction that has ended.
    func clearRowLog()

    // MARK: Undo

    /// Starts to record the changes of transactions. See `Capabilities.undo`.
    func makeRecorder() throws(StoreError) -> any ChangeRecorder
    /// Runs `body` with neither triggers nor foreign keys: rows are written exactly as specified, without side effects.
    /// An engine that cannot turn them off (see `Capabilities.undoWithoutTriggers`) ensures in `apply(_:)` that their side
    /// effects are none, or part of the changes.
    func withoutRules<R>(_ body: () throws -> R) throws -> R
    /// Writes recorded changes into the database one after the other, completely or not at all; call it in a
    /// transaction that was begun in `withoutRules`.
    ///
    /// - Throws: `ChangeConflict` if they do not fit the existing rows; the transaction must then be rolled back.
    func apply(_ changes: [any RowChanges]) throws

    // MARK: The file

    /// The maintenance interface of the database. See `Capabilities.upkeep`.
    func upkeep() throws(StoreError) -> any Upkeep
    /// Frees caches.
    func releaseMemory()
    /// Frees space on a full disk, if the engine can; false if that is not possible now.
    @discardableResult
    func makeRoom() -> Bool
}

extension Connection {
    /// Starts the transaction immediately, for engines that defer nothing.
    package func begin(_ pace: Pace, alone: Bool) throws(StoreError) { try begin() }
    /// Returns true, for engines that always exclude other writers.
    @discardableResult
    package func becomeAlone() throws(StoreError) -> Bool { true }
    /// Does nothing, for engines without connections that can be lost.
    package func awaitConnection() {}
    /// Sets a savepoint after which nothing is deferred.
    package func setSavepoint() throws(StoreError) { try setSavepoint(.stepwise) }
    /// Returns nil, for engines that keep no changes.
    package func openFeed() throws(StoreError) -> (any CommitFeed)? { nil }
    /// Does nothing, for engines that need no triggers for a feed.
    package func tablesDidChange() throws(StoreError) {}
    /// Does nothing, for engines that defer nothing.
    package func confirmBeginning() throws(StoreError) {}
    /// Waits for the deferred start, which fixes the state.
    package func settle() throws(StoreError) { try confirmBeginning() }

    /// Returns the statement, for engines that need no clause.
    package func batchStatement(_ sql: SQL) throws(StoreError) -> Statement? { try statement(sql) }

    /// Does nothing, for engines without significant caches.
    package func releaseMemory() {}

    /// Runs a statement without values that returns no rows.
    package func execute(_ sql: SQL) throws(StoreError) {
        let statement = try prepare(sql)
        defer { statement.finish() }
        while try statement.step() {}
    }

    /// Returns the first column of the first row of a statement without values.
    package func value(_ sql: SQL) throws(StoreError) -> DatabaseValue? {
        let statement = try prepare(sql)
        defer { statement.finish() }
        guard try statement.step() else { return nil }
        do throws(ValueFault) { return try statement.column(0).value() } catch { throw .value(error) }
    }

    /// Runs `body` to its end, even in a cancelled task and beyond the time limit.
    package func uninterrupted<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        suspendInterruption()
        defer { resumeInterruption() }
        return try body()
    }

    /// Runs `body` without the time limit of statements; it can still be cancelled.
    package func unlimited<R>(_ body: () throws -> R) rethrows -> R {
        suspendTimeLimit()
        defer { resumeTimeLimit() }
        return try body()
    }

    /// Checks that the engine has a capability.
    ///
    /// - Throws: `StoreError` with the code `unsupported`, which names the engine and the missing capability.
    package func require(
        _ capability: Capabilities, className: String? = nil, property: String? = nil
    ) throws(StoreError) {
        try capabilities.require(capability, of: engineName, className: className, property: property)
    }
}

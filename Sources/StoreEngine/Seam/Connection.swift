// Seam: what it knows is what the layers above ask of a database: statements, rows, transactions, batches of writes, and
// what an engine may lack. What it must not know are the classes of users, and how any one engine does it. One exception
// is made for speed: statements and columns call SQLite's functions themselves, and ask first whether they may.

/// One connection to one database, as the layers above use it.
///
/// It belongs to one session at a time, which keeps threads apart; it must not
/// be used from two threads at once, but for `interrupt()`. It is asked once
/// for a statement, a transaction or a call, never for a row.
package protocol Connection: AnyObject {
    /// The engine's name, for messages.
    var engineName: String { get }
    /// What the engine can do.
    var capabilities: Capabilities { get }
    /// Which file it is; nil where it is none.
    var fileIdentity: FileIdentity? { get }
    /// Where calls and runs of statements are counted.
    var calls: CallCounter { get }
    /// What ends what is done with it, beside its options.
    var limits: CallLimits { get }

    /// How its SQL says what engines say differently.
    var dialect: Dialect { get }
    /// What tables the database has.
    var schema: any SchemaReader { get }

    // MARK: Statements

    /// A prepared statement, ready for bindings: a kept one that is free, or a new one. Give it back with `finish()`.
    func statement(_ sql: SQL) throws(StoreError) -> Statement
    /// Prepares exactly one statement, which is not kept; text after it is refused.
    func prepare(_ sql: SQL) throws(StoreError) -> Statement
    /// A prepared statement of the user's, as `statement(_:)` gives one; those that are not the user's business are
    /// refused.
    func userStatement(_ sql: SQL) throws(StoreError) -> Statement
    /// The tables that a statement reads, and of each the columns; see `Capabilities.tablesRead`.
    func columnsRead(by sql: SQL) throws(StoreError) -> [String: Set<String>]
    /// How often the statements that the connection keeps have been run.
    var statementRunCount: Int { get }
    /// How many statements are in use; 0 between calls.
    var busyStatementCount: Int { get }
    /// Calls `handler` with the text of each statement that begins to run, until it is set to nil.
    func trace(_ handler: ((String) -> Void)?)

    // MARK: Transactions

    /// Makes the database one of the format that this version writes; call it in the transaction that first writes what
    /// earlier formats did not have.
    func upgradeFormat() throws(StoreError)
    /// Why the database can be read only; nil where it can be written. What it says every `begin()` throws.
    var writeRefusal: StoreError? { get }

    /// Whether a transaction is open.
    var isInTransaction: Bool { get }
    /// Why the transaction is gone though nobody has ended it: the engine has rolled it back by itself. Each call but
    /// `rollback()` throws it then. Nil where that has not happened.
    var endOfTransaction: StoreError? { get }
    /// Opens a transaction that may write.
    ///
    /// From here to its end it is as if nobody else wrote: no other connection, no other process. It is the promise on
    /// which four things rest: ids are given before rows are inserted, what a conflict check has read is still so when it
    /// is written, updates name the id alone, and what uniqueness and delete rules have found stays true. An engine
    /// either keeps others out, or ends one of those who meet with an error whose `repetition` is `again`: see
    /// `Capabilities.concurrentWriters`. Docs/Mechanisms.md lists them.
    func begin() throws(StoreError)
    /// The same in a pace, and beside nobody else; an engine without round trips has one pace only, and one that keeps
    /// others out does so each time.
    func begin(_ pace: Pace, alone: Bool) throws(StoreError)
    /// Has the open transaction be alone where it has done nothing yet: before tables are changed whose rows others
    /// may be writing. False where it is too late for that.
    @discardableResult
    func becomeAlone() throws(StoreError) -> Bool
    /// Waits for the beginning of the transaction, where that was put off: `dataVersion` is that of the transaction then.
    func confirmBeginning() throws(StoreError)
    /// Opens a transaction that only reads; its statements see one state of the database.
    func beginReading() throws(StoreError)
    /// Has a transaction that reads see the state that the database is in now, rather than at its first statement.
    func settle() throws(StoreError)
    /// Ends the transaction with its changes. It is not interrupted.
    func commit() throws(StoreError)
    /// The same, and tells where the database was before and is behind it.
    func commitMarking() throws(StoreError) -> CommitSpan
    /// Ends the transaction without its changes; never fails, since the engine may have rolled back by itself.
    func rollback()
    /// Marks a place in the open transaction; marks nest. The pace is that of what follows, up to the end of the mark.
    func setSavepoint(_ pace: Pace) throws(StoreError)
    /// Gives up the last mark and keeps what was done since.
    func releaseSavepoint() throws(StoreError)
    /// Undoes what was done since the last mark, and gives it up; never fails: where it cannot be undone alone the whole
    /// transaction is, and `endOfTransaction` says why.
    func rollBackToSavepoint()

    /// The first of so many ids that follow each other and that no row of a table has, or had before.
    ///
    /// Call it in a transaction that writes, once for each table: until its end nobody else can insert, so the ids are
    /// the caller's. They are given when the rows are inserted, and not used up where none are.
    func reserveIDs(_ count: Int, in table: String) throws(StoreError) -> Int64

    /// The greatest id that a row of a table has, or that has been reserved; 0 for none. Rows that are inserted with ids
    /// of the caller's own behind it, in the transaction that writes, meet no others.
    func greatestID(in table: String) throws(StoreError) -> Int64

    /// The same as `reserveIDs(_:in:)` of a table that others have made, whose ids `id` says: numbers of the database's own may have been
    /// those of rows that are gone.
    func reserveIDs(_ count: Int, inTableOfOthers table: String, id: SQL) throws(StoreError) -> Int64

    /// Has the references of the open transaction checked at its end, those too that others have declared to be checked
    /// at once: rows that refer to each other are written in any order.
    func deferForeignKeys() throws(StoreError)

    /// Writes what a save has to write, in the transaction that is open.
    ///
    /// What a failure is about says the step that it happened in.
    func write(_ batch: WriteBatch) throws

    // MARK: What statements have done

    /// The id of the row inserted last. See `Capabilities.insertedIDs`.
    var lastInsertedRowID: Int64 { get }
    /// How many rows the last statement changed.
    var changedRowCount: Int { get }
    /// How many rows all statements have changed, their triggers too.
    var totalChangedRowCount: Int64 { get }
    /// Whether the open transaction has references to rows that are not there, so that its commit would fail.
    var hasBrokenForeignKeys: Bool { get }
    /// The names of the triggers that any statement so far makes write rows.
    var writingTriggers: Set<String> { get }

    // MARK: What others have done

    /// A number that differs once anybody, this connection too, has committed a change; read it inside a transaction or
    /// while a statement is on a row.
    var dataVersion: UInt32 { get }
    /// A number that differs once any other connection, of whichever process, has committed a change. Unlike
    /// `dataVersion` it needs no transaction around it.
    ///
    /// - Parameter waits: Whether it waits for whoever is just committing; else it throws then.
    func polledDataVersion(waits: Bool) throws(StoreError) -> Int64
    /// Which commit the database is at, whatever this connection sees; nil where the engine cannot tell. Ask a connection
    /// that has read.
    var commitMark: CommitMark? { get }
    /// Has `look` called soon after each commit of anybody, until the watch is cancelled; nil where the engine cannot
    /// tell. The connection may go before the watch.
    func watchForCommits(_ calls: CommitWatchCalls) -> (any CommitWatch)?

    // MARK: Interruption

    /// Ends the statement that is running, if any. The only call that may come from another thread than the one that
    /// uses the connection.
    func interrupt()
    /// From here to `resumeInterruption()` nothing is ended; calls nest.
    func suspendInterruption()
    /// The end of what `suspendInterruption()` began.
    func resumeInterruption()
    /// From here to `resumeTimeLimit()` statements may take as long as they want; calls nest.
    func suspendTimeLimit()
    /// The end of what `suspendTimeLimit()` began.
    func resumeTimeLimit()

    // MARK: Rows written

    /// What the transaction under way writes; nil where nobody wants to know.
    var rowLog: RowLog? { get }
    /// Begins or ends a log of the rows that are written; call it between transactions. See `Capabilities.rowLog`.
    func watchRows(_ isOn: Bool)
    /// How many rows the transaction has written that the engine does not tell of.
    var untoldRowCount: Int64 { get }
    /// Forgets what a transaction has written that has ended.
    func clearRowLog()

    // MARK: Undo

    /// Records what transactions change from now on. See `Capabilities.undo`.
    func makeRecorder() throws(StoreError) -> any ChangeRecorder
    /// Runs `body` with neither triggers nor foreign keys: rows are written as they are told, and nothing follows.
    func withoutRules<R>(_ body: () throws -> R) throws -> R
    /// Writes recorded changes into the database, whole or not at all, one after the other; call it in a transaction
    /// that was begun in `withoutRules`.
    ///
    /// - Throws: `ChangeConflict` where they do not fit the rows that are there; the transaction must be rolled back
    ///   then.
    func apply(_ changes: [any RecordedChanges]) throws

    // MARK: The file

    /// What keeps the database in order. See `Capabilities.upkeep`.
    func upkeep() throws(StoreError) -> any Upkeep
    /// Gives back memory that only makes what comes faster.
    func releaseMemory()
    /// Makes room on a full disk, where the engine can; false where that is not possible now.
    @discardableResult
    func makeRoom() -> Bool
}

/// When what a transaction does gets to the database.
package enum Pace {
    /// Each statement when it is run.
    case stepwise
    /// The same, but the beginning may go with the first statement: whether somebody else writes is told there.
    case beginningLater
    /// Statements that are sent and not run may go together, with the first answer that somebody waits for or with the
    /// end.
    ///
    /// What fails then fails all of it, and the error has a `repetition`: the caller rolls back and does all of it again
    /// at once, for the user was not asked. Rows that others have changed since `dataVersion` was last read are such a
    /// failure.
    case together
}

extension Connection {
    /// Nothing is put off.
    package func begin(_ pace: Pace, alone: Bool) throws(StoreError) { try begin() }
    /// Nobody else is there.
    @discardableResult
    package func becomeAlone() throws(StoreError) -> Bool { true }
    /// Marks a place, behind which nothing is put off.
    package func setSavepoint() throws(StoreError) { try setSavepoint(.stepwise) }
    /// Nothing was.
    package func confirmBeginning() throws(StoreError) {}
    /// What was put off settles it.
    package func settle() throws(StoreError) { try confirmBeginning() }

    /// It has none to speak of.
    package func releaseMemory() {}

    /// Runs a statement without values that gives no rows.
    package func execute(_ sql: SQL) throws(StoreError) {
        let statement = try prepare(sql)
        defer { statement.finish() }
        while try statement.step() {}
    }

    /// The first column of the first row of a statement without values.
    package func value(_ sql: SQL) throws(StoreError) -> DatabaseValue? {
        let statement = try prepare(sql)
        defer { statement.finish() }
        guard try statement.step() else { return nil }
        do throws(ValueFault) { return try statement.column(0).value() } catch { throw .value(error) }
    }

    /// Runs `body` to its end, even in a task that was cancelled and behind the limit of time: what must not stop
    /// half-way.
    package func uninterrupted<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        suspendInterruption()
        defer { resumeInterruption() }
        return try body()
    }

    /// Runs `body` without the limit of time; it can be cancelled.
    package func unlimited<R>(_ body: () throws -> R) rethrows -> R {
        suspendTimeLimit()
        defer { resumeTimeLimit() }
        return try body()
    }

    /// Sees that the engine has a capability.
    ///
    /// - Throws: `StoreError` with the code `unsupported`, which names the engine and what it lacks.
    package func require(
        _ capability: Capabilities, className: String? = nil, property: String? = nil
    ) throws(StoreError) {
        try capabilities.require(capability, of: engineName, className: className, property: property)
    }
}

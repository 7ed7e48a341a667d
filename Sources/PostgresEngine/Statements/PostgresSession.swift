internal import StoreEngine

/// The state shared by a connection and its statements: the link to the server, and the transaction.
final class PostgresSession {
    private(set) var pipe: PostgresPipe
    /// What the connection has seen of the server and its replica; nil if there is no replica.
    let progress: PostgresProgress?
    /// Whether the server is a replica: the configured one, or the one with which the store was opened.
    var isReplica: Bool
    /// Cancels the running command.
    private(set) var canceller: PostgresCanceller
    /// The number of reconnections, each of which invalidates prepared statements.
    private(set) var connectionCount = 0
    /// The start time of the connected server, which identifies it.
    var serverStart = ""
    /// Opens a new connection.
    var reopen: (() throws(StoreError) -> PostgresPipe)?
    private var nextName = 1
    /// The number of statement runs.
    var runCount = 0
    /// The number of statements with unread rows.
    var busyCount = 0
    /// The number of rows that the last statement, and all statements, have changed.
    private(set) var changedRowCount = 0
    private(set) var totalChangedRowCount: Int64 = 0
    var tracer: ((String) -> Void)?
    /// Whether a transaction is open.
    var isInTransaction = false
    /// Whether a writing transaction is open, whose statements are reverted individually if they fail.
    var isWriting = false
    /// Whether the start of the open transaction, which only reads, was not answered yet.
    var isBeginning = false
    /// Whether no other session can write until its end.
    var isAlone = false
    /// The server's id of the open transaction, if it was queried.
    var number: String?
    /// The reason that the open transaction is lost.
    var end: StoreError?
    /// Whether the connection with the open transaction was lost.
    var isLost: Bool { end?.code == .connectionLost || end?.code == .commitUnknown }
    /// Whether the transaction can continue after a failing statement, which then has no effect.
    var goesOnAfterErrors: Bool { isInTransaction ? isWriting && !delivery.isOn : true }
    let interruption: PostgresInterruption
    /// The deferred commands of the open transaction.
    var delivery = PostgresDelivery()
    var ids = PostgresIDs()
    let snapshots: PostgresSnapshots

    init(_ pipe: PostgresPipe, _ progress: PostgresProgress? = nil) {
        self.pipe = pipe
        self.progress = progress
        isReplica = false
        (interruption, snapshots) = (PostgresInterruption(), PostgresSnapshots())
        canceller = pipe.makeCanceller()
        watchWaits()
    }

    /// Creates the session on the replica of another session's server. Both sessions are used in turn.
    init(_ pipe: PostgresPipe, replicaOf primary: PostgresSession) {
        self.pipe = pipe
        progress = primary.progress
        isReplica = true
        (interruption, snapshots) = (primary.interruption, primary.snapshots)
        canceller = pipe.makeCanceller()
        watchWaits()
    }

    private func watchWaits() {
        pipe.onWait = { [interruption] canceller in interruption.look { canceller().cancel() } }
    }

    var lost: StoreError { StoreError(.connectionLost, "The connection to the server was lost. Try again") }

    // MARK: Prepared statements

    /// The maximum number of arguments whose types the server infers.
    ///
    /// libpq accepts no description of more than some 7,000 arguments. In longer statements the bound values determine
    /// the types.
    static let mostInferred = 5000

    func prepare(_ text: PostgresText, _ types: [PostgresType]) throws(StoreError) -> PostgresPrepared {
        let name = "po\(nextName)"
        nextName += 1
        guard types.count <= PostgresSession.mostInferred else {
            guard !types.contains(.inferred) else { throw .tooManyArguments }
            _ = try apart([.prepare(name: name, sql: text.sql, types: types)], text.source)
            return PostgresPrepared(
                name: name, types: types, layout: PostgresLayout([]), isDescribed: false, estimatedRowCount: 0,
                connection: connectionCount)
        }
        // A statement with arguments cannot be explained before they are bound.
        let isEstimated = types.isEmpty && text.isQuery && !isWriting
        let results = try apart(
            [.prepare(name: name, sql: text.sql, types: types), .describe(name: name)]
                + (isEstimated ? [.text("EXPLAIN \(text.sql)")] : []), text.source)
        guard results.count >= 2 else { throw lost }
        return PostgresPrepared(
            name: name, types: results[1].argumentTypes,
            layout: PostgresLayout(results[1].columns, hasAnyValues: text.usesHistory, canBeText: true),
            isDescribed: true,
            estimatedRowCount: isEstimated ? results[2].estimatedRowCount : 0, connection: connectionCount)
    }

    /// Runs commands independent of the deferred commands, which stay queued.
    private func apart(_ commands: [PostgresPipe.Command], _ sql: String) throws(StoreError) -> [PostgresResult] {
        let waiting = delivery
        delivery = PostgresDelivery()
        defer { delivery = waiting }
        try reconnect()
        return try guarded(commands, sql, isGuarded: isInTransaction && waiting.openingCount == 0)
    }

    /// Releases a plan that will not be run any more.
    func forget(_ plan: PostgresPrepared) {
        guard plan.connection == connectionCount else { return }
        pipe.enqueue(.text("DEALLOCATE \(plan.name)"))
    }

    /// Reconnects if the connection was lost between transactions, when nothing is lost with it.
    func reconnect() throws(StoreError) {
        guard !isInTransaction, !pipe.isAlive, let reopen else { return }
        pipe = try reopen()
        canceller = pipe.makeCanceller()
        watchWaits()
        connectionCount += 1
        snapshots.forgetAll()
    }

    // MARK: Running

    func run(
        _ plan: PostgresPrepared, _ message: PostgresMessage, isReadOnly: Bool, _ sql: String
    ) throws(StoreError) -> PostgresResult {
        tracer?(sql)
        runCount += 1
        // The database's state is queried before the rows, in the same round trip, because the rows must not be older.
        guard isReadOnly, !isInTransaction else {
            let results = try guarded([.run(name: plan.name, message)], sql, isGuarded: isWriting && !delivery.isOn)
            guard let result = results.last else { throw lost }
            if !isInTransaction { progress?.becomeUnknown() }
            if !isReadOnly { count(result) }
            return result
        }
        let query = [PostgresSnapshots.prepared, .run(name: plan.name, message)]
        guard let progress, !isReplica else {
            let results = try guarded(query, sql, isGuarded: false)
            guard results.count == 2 else { throw lost }
            try see(results[0])
            return results[1]
        }
        // The position is queried after the query has ended, whose functions may have written, too.
        let start = ContinuousClock.now
        let results = try guarded(query, sql, isGuarded: false, then: PostgresSnapshots.preparedPosition)
        guard results.count == 3 else { throw lost }
        try see(results[0])
        progress.record(results[2], 0, since: start)
        return results[1]
    }

    /// Runs a statement whose number of changed rows is not needed.
    func send(_ plan: PostgresPrepared, _ message: PostgresMessage, _ sql: String) throws(StoreError) {
        guard delivery.isOn else {
            _ = try run(plan, message, isReadOnly: false, sql)
            return
        }
        if let end { throw end }
        tracer?(sql)
        runCount += 1
        if delivery.add(.run(name: plan.name, message), sql) { try flush() }
    }

    /// Runs a statement without arguments whose number of changed rows is not needed.
    func send(_ text: String) throws(StoreError) {
        if delivery.isOn { delivery.add(text) } else { try runTexts([text]) }
    }

    func count(_ result: PostgresResult) {
        changedRowCount = result.tag.hasPrefix("SELECT") ? 0 : result.affectedRowCount
        totalChangedRowCount += Int64(changedRowCount)
    }

    /// Runs commands; if one fails, the open transaction is reverted to its earlier state.
    ///
    /// PostgreSQL aborts a transaction at the first error. The layers above continue after some errors, as on SQLite,
    /// so each statement is preceded by a savepoint, in the same round trip.
    ///
    /// - Parameter last: A command that runs after `commands` were committed. It needs no guard.
    private func guarded(
        _ commands: [PostgresPipe.Command], _ sql: String, isGuarded: Bool, then last: PostgresPipe.Command? = nil
    ) throws(StoreError) -> [PostgresResult] {
        if let end { throw end }
        guard isGuarded else { return try deliver(commands, sql, then: last) }
        let all = [.text("SAVEPOINT po_statement")] + commands + [.text("RELEASE po_statement")]
        let (results, failure) = try sendWaiting(and: all)
        guard let failure else { return Array(results.dropFirst().dropLast()) }
        let error = translated(failure, sql)
        if error.repetition == .again { end = error } else { rollBackToMark("po_statement") }
        throw error
    }

    /// The error for the server's report on a statement.
    func translated(_ failure: PostgresFailure, _ sql: String) -> StoreError {
        let error = interruption.translated(StoreError.postgres(failure, sql: sql, role: pipe.role))
        return ids.meeting(failure, error) ?? error
    }

    /// Reverts the failed part immediately, because the server accepts nothing else before.
    func rollBackToMark(_ name: String) {
        do throws(StoreError) {
            let undone = try pipe.roundTrip(
                [.text("ROLLBACK TO \(name)"), .text("RELEASE \(name)")], sendsDeferred: false)
            if let failure = undone.lazy.compactMap(\.failure).first { end = .postgres(failure) }
        } catch { end = error }
    }

    /// Runs commands; if one fails, all deferred commands fail.
    private func deliver(
        _ commands: [PostgresPipe.Command], _ sql: String, then last: PostgresPipe.Command? = nil
    ) throws(StoreError) -> [PostgresResult] {
        let (results, failure) = try sendWaiting(and: commands, then: last)
        guard let failure else { return results }
        var error = translated(failure, sql)
        if delivery.isOn, error.repetition == nil { error.repetition = .after(failure) }
        // Outside transactions there is nothing to end. For example, a replica rejects one query and accepts the next.
        if error.repetition != nil, isInTransaction { end = error }
        throw error
    }

    /// Sends the deferred commands, followed by further commands.
    ///
    /// - Returns: The results of the commands, and the failure of one of them.
    /// - Throws: `StoreError` if the connection is lost, or a deferred command has failed.
    private func sendWaiting(
        and commands: [PostgresPipe.Command], then last: PostgresPipe.Command? = nil
    ) throws(StoreError) -> ([PostgresResult], PostgresFailure?) {
        let before = delivery.take()
        if before.commands.isEmpty, commands.isEmpty { return ([], nil) }
        let start = ContinuousClock.now
        let results = try exchange(before.commands + commands, then: last)
        let failed = results.firstIndex { $0.failure != nil && !$0.isSkipped }
        if let failed, failed < before.commands.count, let failure = results[failed].failure {
            // The rows that the failed statement has met belong to the state at the start.
            if before.openingCount > 0, failed >= before.openingCount, !isReplica {
                progress?.record(
                    results[before.openingCount - 1], PostgresSnapshots.positionColumn, since: start)
            }
            var error = translated(failure, before.texts[failed])
            if delivery.isOn, failed >= before.openingCount, error.repetition == nil {
                error.repetition = .after(failure)
            }
            end = error
            throw error
        }
        if before.openingCount > 0 { try recordBeginning(results[..<before.openingCount], since: start) }
        for result in results[before.openingCount..<before.commands.count] { count(result) }
        return (Array(results.dropFirst(before.commands.count)), failed.flatMap { results[$0].failure })
    }

    private func exchange(
        _ commands: [PostgresPipe.Command], then last: PostgresPipe.Command?
    ) throws(StoreError) -> [PostgresResult] {
        try whileOpen { () throws(StoreError) in try pipe.roundTrip(commands, then: last) }
    }

    /// Sends the deferred commands.
    func flush() throws(StoreError) {
        if let end { throw end }
        _ = try deliver([], "")
    }

    /// Sends the deferred commands, and reads the server's id of the transaction.
    func flushRequestingNumber() throws(StoreError) {
        if let end { throw end }
        guard !delivery.isEmpty else { return }
        number = try run([.text(PostgresSnapshots.queryWithOwn)], "").last?.text(0, 1)
    }

    func whileOpen<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        do throws(StoreError) { return try interruption.watching(canceller, body) } catch {
            if isInTransaction { end = error }
            throw error
        }
    }

    /// Runs statements without arguments and without a savepoint.
    @discardableResult
    func runTexts(_ texts: [String]) throws(StoreError) -> [PostgresResult] {
        try run(texts.map { .text($0) }, texts.first ?? "")
    }

    /// Runs commands without a savepoint.
    func run(_ commands: [PostgresPipe.Command], _ sql: String) throws(StoreError) -> [PostgresResult] {
        try reconnect()
        return try deliver(commands, sql)
    }
}

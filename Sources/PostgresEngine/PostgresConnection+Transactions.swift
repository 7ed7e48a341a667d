internal import StoreEngine

// Transactions: starts and ends them, and sends parts of them together with other statements.
extension PostgresConnection {
    func upgradeFormat() throws(StoreError) {}
    var writeRefusal: StoreError? {
        options.file.isReadOnly ? StoreError(.readOnly, "The store was opened as read-only") : nil
    }

    var isInTransaction: Bool { session.isInTransaction && session.end == nil && session.pipe.isOpen }
    var endOfTransaction: StoreError? { session.isInTransaction ? session.end : nil }

    func begin() throws(StoreError) { try begin(.stepwise, alone: false) }

    func begin(_ pace: Pace, alone: Bool) throws(StoreError) {
        if let writeRefusal { throw writeRefusal }
        if author?.utf8.contains(0) ?? false { throw .value(PostgresArguments.hasNUL) }
        // The table for recorded rows belongs to one connection.
        if recordsChanges {
            try checkTransaction()
            try session.reconnect()
        }
        try open(writing(alone: alone || options.writesAlone))
        session.isWriting = true
        session.isAlone = alone || options.writesAlone
        session.delivery.isOn = pace == .together
        guard pace == .stepwise else { return }
        do throws(StoreError) { try confirmBeginning() } catch {
            rollback()
            throw error
        }
    }

    func becomeAlone() throws(StoreError) -> Bool {
        try checkTransaction()
        guard session.isWriting, !session.isAlone else { return session.isAlone }
        let hasDoneNothing = session.delivery.isEmpty && session.runCount == runCountBefore
        guard hasDoneNothing, idBlocksBefore.count == 1 else { return false }
        // If statements are sent individually, the start was already sent, but nothing depends on it yet.
        let wasSent = session.delivery.openingCount == 0
        rollback()
        try begin(wasSent ? .stepwise : .beginningLater, alone: true)
        return true
    }

    /// Does nothing, because the triggers know the transaction.
    func signEntries(transaction: Int64?) {}

    func beginReading() throws(StoreError) { try open(primary.beginningToRead) }

    func beginReading(mayBeEarlier: Bool) throws(StoreError) {
        try checkTransaction()
        guard mayBeEarlier, let replica, replica.beginReading() else { return try beginReading() }
        idBlocksBefore = [idBlocks]
        session.tracer?("BEGIN")
    }

    /// Queues the statements that open a transaction.
    private func open(_ texts: [String]) throws(StoreError) {
        try checkTransaction()
        try session.reconnect()
        idBlocksBefore = [idBlocks]
        runCountBefore = session.runCount
        session.delivery.begin(texts)
        snapshots.deferBeginning()
        session.isInTransaction = true
        session.tracer?("BEGIN")
    }

    func confirmBeginning() throws(StoreError) {
        if let replica, let reading = replica.reading, reading.isBeginning {
            do throws(StoreError) { try reading.flush() } catch {
                guard try replica.yields(after: error) else { throw error }
            }
        }
        if session.delivery.openingCount > 0 { try session.flush() }
    }

    /// The statements that open a writing transaction, and query the database's state.
    ///
    /// Transactions are serializable: the server tracks their reads and writes
    /// (https://www.postgresql.org/docs/15/transaction-iso.html#XACT-SERIALIZABLE). All of them lock the same gate. An
    /// exclusive transaction closes it, and waits until the other transactions have finished. LOCK, unlike a query,
    /// runs before the server takes the transaction's snapshot, so that the snapshot includes all earlier writes.
    private func writing(alone: Bool) -> [String] {
        var settings = author.map { [PostgresHistory.setting(author: $0)] } ?? []
        if recordsChanges { settings.append(PostgresRecorder.setting) }
        let begin = "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE"
        let lock = "LOCK TABLE po_gate IN \(alone ? "EXCLUSIVE" : "ROW SHARE") MODE"
        // The creation of a table takes a snapshot, so the gate is locked before.
        let table = recordsChanges ? recordTable.beginning(on: session.connectionCount) : []
        guard timeLimit > 0, timeLimitSuspensions == 0 else {
            return [begin] + settings + [lock] + table + [session.stateQuery]
        }
        // Waiting does not count toward the statement limit.
        return [begin] + settings + [
            "SET LOCAL statement_timeout = 0", lock, "SET LOCAL statement_timeout = \(timeLimit)",
        ] + table + [session.stateQuery]
    }

    func commit() throws(StoreError) {
        try checkTransaction()
        session.interruption.suspend()
        defer { session.interruption.resume() }
        session.tracer?("COMMIT")
        // Nothing was written or queried.
        if session.delivery.openingCount > 0, session.delivery.isEmpty { return close() }
        guard session.isWriting else {
            try session.runTexts(["COMMIT"])
            return close()
        }
        // If the connection is lost here, nothing is committed, because the commit was not requested.
        try alignSequences()
        let results: [PostgresResult]
        commitResults = nil
        let start = ContinuousClock.now
        do throws(StoreError) {
            let all = try session.run(
                commitQueries + [
                    .textAtOnce(PostgresSnapshots.queryWithOwn), .text("COMMIT"), .text(session.stateQuery),
                ], "COMMIT")
            commitResults = Array(all.dropLast(3))
            results = Array(all.suffix(3))
        } catch {
            // If the server failed before it reached the COMMIT, nothing is committed.
            let isRefused = error.serverState != nil && error.sql != "COMMIT"
            guard error.code == .connectionLost, !isRefused else { throw error }
            // A server that shuts down sends the result of a finished commit before it closes the connection.
            if session.pipe.lastWords.contains(where: { $0.tag == "COMMIT" }) {
                primary.progress?.loseCommit()
                return close()
            }
            primary.progress?.becomeUnknown()
            try settleCommit(after: error)
            primary.progress?.loseCommit()
            return close()
        }
        // At the COMMIT of a failed transaction, the server rolls back without reporting an error.
        guard results.count == 3, results[1].tag == "COMMIT" else {
            throw session.end ?? StoreError(.sqlite, "The transaction failed and was rolled back")
        }
        snapshots.recordCommit(before: results[0], after: results[2])
        recordPosition(results[2], since: start)
        if recordsChanges { recordTable.didCommit(on: session.connectionCount) }
        close()
    }

    /// Records the position after a commit.
    private func recordPosition(_ result: PostgresResult, since start: ContinuousClock.Instant) {
        guard let progress = primary.progress else { return }
        progress.record(result, PostgresSnapshots.positionColumn, since: start)
        progress.recordCommit()
        if announcesCommit { progress.announceCommit() }
    }

    func rollback() {
        guard session.isInTransaction else { return }
        session.interruption.suspend()
        defer { session.interruption.resume() }
        session.tracer?("ROLLBACK")
        // The result is not awaited. Deferred statements are dropped, because they would fail in a failed transaction.
        if session.delivery.openingCount == 0, !session.isLost { session.pipe.leave("ROLLBACK") }
        idBlocks = idBlocksBefore.first ?? idBlocks
        if session.isWriting, recordsChanges { recordTable.mustBeEmptied = true }
        close()
        // A setting that was made in the transaction was reverted with it.
        setTimeLimit()
    }

    private func close() {
        session.isInTransaction = false
        session.isWriting = false
        session.isAlone = false
        session.ids.reserved = []
        session.end = nil
        session.number = nil
        session.delivery = PostgresDelivery()
        session.isBeginning = false
        replica?.didEndReading()
        announcesCommit = false
        commitQueries = []
        snapshots.forgetBeginning()
    }

    func checkTransaction() throws(StoreError) {
        try ProcessCopy.check()
        if let end = endOfTransaction { throw end }
    }

    /// The name of the innermost savepoint.
    ///
    /// Each depth has a separate name, because rolling back to a savepoint also removes nested savepoints, whose
    /// release may not have been sent.
    private var mark: String { "po_inner_\(idBlocksBefore.count)" }

    func setSavepoint(_ pace: Pace) throws(StoreError) {
        try checkTransaction()
        idBlocksBefore.append(idBlocks)
        session.delivery.mark()
        session.delivery.add("SAVEPOINT \(mark)")
        (session.delivery.isOn, session.delivery.hasMark) = (pace == .together, pace == .together)
    }

    func releaseSavepoint() throws(StoreError) {
        try checkTransaction()
        if session.delivery.isOn { try session.flushRequestingNumber() }
        (session.delivery.isOn, session.delivery.hasMark) = (false, false)
        session.delivery.releaseMark()
        session.delivery.add("RELEASE \(mark)")
        idBlocksBefore.removeLast()
    }

    func rollBackToSavepoint() {
        let hasFailed = session.delivery.hasMark && session.end?.isOfPart == true
        if hasFailed { session.end = nil }
        (session.delivery.isOn, session.delivery.hasMark) = (false, false)
        guard isInTransaction else { return }
        let mark = mark
        idBlocks = idBlocksBefore.popLast() ?? idBlocks
        if session.delivery.dropMark() { return }
        if hasFailed { return session.rollBackToMark(mark) }
        session.delivery.add("ROLLBACK TO \(mark)")
        session.delivery.add("RELEASE \(mark)")
    }
}

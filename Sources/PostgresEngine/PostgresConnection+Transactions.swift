internal import StoreEngine

// Transactions: how they begin and end, and what of both goes with what stands between.
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
        // What it begins with was sent already where each statement goes alone; nothing hangs on that yet.
        let wasSent = session.delivery.openingCount == 0
        rollback()
        try begin(wasSent ? .stepwise : .beginningLater, alone: true)
        return true
    }

    func beginReading() throws(StoreError) {
        try open(["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", PostgresSnapshots.query])
    }

    /// Opens a transaction, with the first statement in it.
    private func open(_ texts: [String]) throws(StoreError) {
        try checkTransaction()
        try session.reconnect()
        idBlocksBefore = [idBlocks]
        runCountBefore = session.runCount
        session.delivery.begin(texts)
        snapshots.putOffBeginning()
        session.isInTransaction = true
        session.tracer?("BEGIN")
    }

    func confirmBeginning() throws(StoreError) {
        if session.delivery.openingCount > 0 { try session.flush() }
    }

    /// What opens a transaction that writes, and tells what the database is like.
    ///
    /// Each is as if it were alone, by the server's watch over what they read and write
    /// (https://www.postgresql.org/docs/15/transaction-iso.html#XACT-SERIALIZABLE). All pass the same gate: one that must
    /// be alone closes it, and waits until the others are out. LOCK, unlike any query, is done before the server fixes
    /// what the transaction sees, so that this has all that those before it have written.
    private func writing(alone: Bool) -> [String] {
        let begin = "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE"
        let lock = "LOCK TABLE po_gate IN \(alone ? "EXCLUSIVE" : "ROW SHARE") MODE"
        guard timeLimit > 0, timeLimitSuspensions == 0 else { return [begin, lock, PostgresSnapshots.query] }
        // Waiting is no long statement.
        return [
            begin, "SET LOCAL statement_timeout = 0", lock, "SET LOCAL statement_timeout = \(timeLimit)",
            PostgresSnapshots.query,
        ]
    }

    func commit() throws(StoreError) {
        try checkTransaction()
        session.interruption.suspend()
        defer { session.interruption.resume() }
        session.tracer?("COMMIT")
        // Nothing was written, nor asked.
        if session.delivery.openingCount > 0, session.delivery.isEmpty { return close() }
        guard session.isWriting else {
            try session.runTexts(["COMMIT"])
            return close()
        }
        // Where the connection is lost here, the commit was not asked for.
        try alignSequences()
        let results: [PostgresResult]
        do throws(StoreError) {
            results = try session.run(
                [.textAtOnce(PostgresSnapshots.queryWithOwn), .text("COMMIT"), .text(PostgresSnapshots.query)], "COMMIT"
            )
        } catch {
            // What the server has refused before it came to the COMMIT is not made.
            let isRefused = error.serverState != nil && error.sql != "COMMIT"
            guard error.code == .connectionLost, !isRefused else { throw error }
            try settleCommit(after: error)
            return close()
        }
        // A transaction that has failed is rolled back by it, and no error told.
        guard results[1].tag == "COMMIT" else {
            throw session.end ?? StoreError(.sqlite, "The transaction failed and was rolled back")
        }
        snapshots.noteCommit(before: results[0], after: results[2])
        close()
    }

    func rollback() {
        guard session.isInTransaction else { return }
        session.interruption.suspend()
        defer { session.interruption.resume() }
        session.tracer?("ROLLBACK")
        // Nobody waits for it, nor does it wait for what was put off, which would fail in a transaction that has failed.
        if session.delivery.openingCount == 0, !session.isLost { session.pipe.leave("ROLLBACK") }
        idBlocks = idBlocksBefore.first ?? idBlocks
        close()
        // A setting that was made in the transaction has gone with it.
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
        snapshots.forgetBeginning()
    }

    func checkTransaction() throws(StoreError) {
        try ProcessCopy.check()
        if let end = endOfTransaction { throw end }
    }

    /// The innermost savepoint's. One that is undone takes along those in it, whose release may not have been sent.
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
        if session.delivery.isOn { try session.flushAskingForNumber() }
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

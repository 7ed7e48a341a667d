internal import StoreEngine

// Transactions: how they begin and end, and what of both goes with what stands between.
extension PostgresConnection {
    func upgradeFormat() throws(StoreError) {}
    var writeRefusal: StoreError? {
        options.file.isReadOnly ? StoreError(.readOnly, "the store was opened for reading only") : nil
    }

    var isInTransaction: Bool { session.isInTransaction && session.end == nil && session.pipe.isOpen }
    var endOfTransaction: StoreError? { session.isInTransaction ? session.end : nil }

    func begin() throws(StoreError) {
        try begin(.beginningLater)
        do throws(StoreError) { try confirmBeginning() } catch {
            rollback()
            throw error
        }
    }

    func begin(_ pace: Pace) throws(StoreError) {
        if pace == .stepwise { return try begin() }
        if let writeRefusal { throw writeRefusal }
        try open(writing)
        session.isWriting = true
        session.delivery.isOn = pace == .together
    }

    func beginReading() throws(StoreError) {
        try open(["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", PostgresSnapshots.query])
    }

    /// Opens a transaction, with the first statement in it.
    private func open(_ texts: [String]) throws(StoreError) {
        try checkTransaction()
        try session.reconnect()
        idBlocksBefore = [idBlocks]
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
    /// Nobody else writes from here on; the key is of the schema, so that stores beside this one do not wait. The level
    /// is said whatever the server's default: a snapshot of the time before the lock would not have what others wrote.
    private var writing: [String] {
        let begin = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
        let lock = "SELECT pg_advisory_xact_lock(28783, hashtext(current_schema()))"
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
            throw session.end ?? StoreError(.sqlite, "the transaction had failed and was rolled back")
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
        let hasFailed = session.delivery.hasMark && session.end?.repetition != nil
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

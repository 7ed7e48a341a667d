internal import StoreEngine

// COPY in both directions.
extension PostgresSession {
    /// Sends rows to a statement `COPY … FROM STDIN`, in a transaction with batched statements.
    ///
    /// - Parameter next: Returns the next bytes; nil after the last row.
    func copy(_ sql: String, _ next: () throws -> [UInt8]?) throws {
        tracer?(sql)
        runCount += 1
        try flush()
        let begun = try whileOpen { () throws(StoreError) in try pipe.beginRows(sql) }
        try see(begun, sql)
        do {
            while let bytes = try next() { try whileOpen { () throws(StoreError) in try pipe.sendRows(bytes) } }
        } catch {
            // The caller rolls back to the state before the batch.
            if !isLost { _ = try? pipe.endRows(givingUp: "a value cannot be stored") }
            throw error
        }
        let result = try whileOpen { () throws(StoreError) in try pipe.endRows() }
        try see(result, sql)
        count(result)
    }

    /// Throws if COPY has failed, which makes the deferred statements fail, too.
    private func see(_ result: PostgresResult, _ sql: String) throws(StoreError) {
        guard let failure = result.failure else { return }
        var error = translated(failure, sql)
        if error.repetition == nil { error.repetition = .after(failure) }
        end = error
        throw error
    }

    /// Whether rows can be streamed.
    ///
    /// A writing transaction cannot stream, because a failing statement must be reverted before its rows are read.
    var canStream: Bool { !isWriting && end == nil }

    /// Streams the rows of a query.
    func stream(_ query: String, _ source: String) throws(StoreError) -> PostgresStream {
        tracer?(source)
        runCount += 1
        try reconnect()
        try flush()
        let requestsSnapshot = !isInTransaction
        interruption.begin(canceller)
        do throws(StoreError) {
            let (rows, refusal, first) = try pipe.openRows(of: query, after: requestsSnapshot ? checkQuery : nil)
            if let failure = refusal?.failure { throw translated(failure, source) }
            guard let rows else { throw lost }
            if requestsSnapshot {
                do throws(StoreError) { try see(first) } catch {
                    rows.abandon()
                    throw error
                }
                if !isReplica { progress?.becomeUnknown() }
            }
            rows.error = { [weak self] in self?.translated($0, source) ?? .postgres($0, sql: source) }
            rows.onEnd = { [weak self] lost in
                guard let self else { return }
                interruption.finish()
                if let lost, isInTransaction { end = lost }
            }
            return rows
        } catch {
            interruption.finish()
            if isInTransaction { end = error }
            throw error
        }
    }
}

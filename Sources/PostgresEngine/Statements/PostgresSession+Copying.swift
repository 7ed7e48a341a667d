internal import StoreEngine

// Many rows at once, in either direction.
extension PostgresSession {
    /// Sends rows to a statement `COPY … FROM STDIN`, in a transaction that goes together; `next` gives their bytes, until
    /// there are no more.
    func copy(_ sql: String, _ next: () throws -> [UInt8]?) throws {
        tracer?(sql)
        runCount += 1
        try flush()
        let begun = try whileOpen { () throws(StoreError) in try pipe.beginRows(sql) }
        try see(begun, sql)
        do {
            while let bytes = try next() { try whileOpen { () throws(StoreError) in try pipe.sendRows(bytes) } }
        } catch {
            // Whoever catches this goes back to what was before.
            if !isLost { _ = try? pipe.endRows(givingUp: "a value cannot be stored") }
            throw error
        }
        let result = try whileOpen { () throws(StoreError) in try pipe.endRows() }
        try see(result, sql)
        count(result)
    }

    /// What was put off has failed where this has.
    private func see(_ result: PostgresResult, _ sql: String) throws(StoreError) {
        guard let failure = result.failure else { return }
        var error = told(failure, sql)
        if error.repetition == nil { error.repetition = .after(failure) }
        end = error
        throw error
    }

    /// Whether rows can come as they are read. In a transaction that writes a statement that fails is undone alone, which
    /// has to be known before its rows are.
    var canStream: Bool { !isWriting && end == nil }

    /// Has the rows of a query come as they are read.
    func stream(_ query: String, _ source: String) throws(StoreError) -> PostgresStream {
        tracer?(source)
        runCount += 1
        try reconnect()
        try flush()
        let asksSnapshot = !isInTransaction
        interruption.begin()
        do throws(StoreError) {
            let (rows, refusal, first) = try pipe.openRows(
                of: query, after: asksSnapshot ? PostgresSnapshots.query : nil)
            if asksSnapshot { snapshots.note(first) }
            if let failure = refusal?.failure { throw told(failure, source) }
            guard let rows else { throw lost }
            rows.error = { [weak self] in self?.told($0, source) ?? .postgres($0, sql: source) }
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

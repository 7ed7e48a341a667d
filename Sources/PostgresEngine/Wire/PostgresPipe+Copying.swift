internal import CPostgres
internal import StoreEngine

// Rows by COPY, in either direction: it goes in no pipeline, and nothing else goes meanwhile.
extension PostgresPipe {
    private func leavePipeline() throws(StoreError) {
        try finishWhatWasLeft()
        guard PQexitPipelineMode(handle) == 1 else {
            isBroken = true
            throw lost
        }
    }

    /// Begins to send rows to a statement `COPY … FROM STDIN`; where that does not fail, nothing else goes before
    /// `endRows`.
    func beginRows(_ sql: String) throws(StoreError) -> PostgresResult {
        try leavePipeline()
        guard send(.text(sql)), let pointer = PQgetResult(handle) else {
            isBroken = true
            throw lost
        }
        let result = PostgresResult(pointer)
        return result.failure == nil ? result : try goOn(with: result)
    }

    func sendRows(_ bytes: [UInt8]) throws(StoreError) {
        let isSent = bytes.withUnsafeBytes {
            PQputCopyData(handle, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: $0.count)) == 1
        }
        guard isSent else {
            isBroken = true
            throw lost
        }
    }

    /// Ends them; with a reason for giving up, the server takes none of them.
    func endRows(givingUp reason: String? = nil) throws(StoreError) -> PostgresResult {
        guard PQputCopyEnd(handle, reason) == 1, let pointer = nextResult() else {
            isBroken = true
            throw lost
        }
        return try goOn(with: PostgresResult(pointer))
    }

    /// Goes back to sending many commands at once.
    func goOn(with result: PostgresResult) throws(StoreError) -> PostgresResult {
        while let pointer = PQgetResult(handle) { PQclear(pointer) }
        guard isOpen, PQenterPipelineMode(handle) == 1 else {
            isBroken = true
            throw lost
        }
        return result
    }

    // MARK: From the server

    /// Has the rows of a query come in, and runs a statement without arguments before it in the same round trip.
    ///
    /// - Returns: The rows, or the answer that says why there are none; and that to the statement before.
    func openRows(
        of query: String, after first: String?
    ) throws(StoreError) -> (rows: PostgresStream?, refusal: PostgresResult?, first: PostgresResult?) {
        try ProcessCopy.check()
        stream?.readAhead()
        try leavePipeline()
        let copy = "COPY (\(query)\n) TO STDOUT (FORMAT BINARY)"
        guard PQsendQuery(handle, first.map { "\($0); \(copy)" } ?? copy) == 1 else {
            isBroken = true
            throw lost
        }
        var answers: [PostgresResult] = []
        while let pointer = nextResult() {
            let answer = PostgresResult(pointer)
            if answer.isCopy {
                let rows = PostgresStream(self)
                stream = rows
                return (rows, nil, answers.first)
            }
            if answer.failure != nil { return (nil, try goOn(with: answer), nil) }
            answers.append(answer)
        }
        isBroken = true
        throw lost
    }
}

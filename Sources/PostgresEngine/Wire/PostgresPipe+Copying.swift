internal import CPostgres
internal import StoreEngine

// COPY in both directions. It is not possible in a pipeline, and no other command can be sent meanwhile.
extension PostgresPipe {
    private func leavePipeline() throws(StoreError) {
        try finishWhatWasLeft()
        guard PQexitPipelineMode(handle) == 1 else {
            isBroken = true
            throw lost
        }
    }

    /// Starts to send rows to a statement `COPY … FROM STDIN`.
    ///
    /// If it succeeds, no other command can be sent before `endRows`.
    func beginRows(_ sql: String) throws(StoreError) -> PostgresResult {
        try leavePipeline()
        guard send(.text(sql)), let pointer = PQgetResult(handle) else {
            isBroken = true
            throw lost
        }
        let result = PostgresResult(pointer)
        return result.failure == nil ? result : try resumePipeline(with: result)
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

    /// Ends the rows. If there is a reason for aborting, the server discards all rows.
    func endRows(givingUp reason: String? = nil) throws(StoreError) -> PostgresResult {
        guard PQputCopyEnd(handle, reason) == 1, let pointer = nextResult() else {
            isBroken = true
            throw lost
        }
        return try resumePipeline(with: PostgresResult(pointer))
    }

    /// Returns to the pipeline mode.
    func resumePipeline(with result: PostgresResult) throws(StoreError) -> PostgresResult {
        while let pointer = PQgetResult(handle) { PQclear(pointer) }
        guard isOpen, PQenterPipelineMode(handle) == 1 else {
            isBroken = true
            throw lost
        }
        return result
    }

    // MARK: From the server

    /// Starts to stream the rows of a query, and runs a statement without arguments before it in the same round trip.
    ///
    /// - Returns: The rows, or the failed result; and the result of the statement before.
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
            if answer.failure != nil { return (nil, try resumePipeline(with: answer), nil) }
            answers.append(answer)
        }
        isBroken = true
        throw lost
    }
}

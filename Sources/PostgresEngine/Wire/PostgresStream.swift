internal import CPostgres
internal import StoreEngine

/// The rows of a query as they arrive from the server, in the binary form of COPY.
///
/// Rows are read one at a time, without a result that contains all of them.
///
/// https://www.postgresql.org/docs/15/sql-copy.html#id-1.9.3.55.9.4
final class PostgresStream {
    private typealias Buffer = UnsafeMutableBufferPointer<CChar>

    private let pipe: PostgresPipe
    /// The buffer that is being read.
    private var buffer = Buffer(start: nil, count: 0)
    private var place = 0
    /// Buffers that were received in advance.
    private var ahead: ArraySlice<Buffer> = []
    private var hasHead = false
    /// Whether the server has sent everything.
    private var hasArrived = false
    private var hasEnded = false
    private var failure: StoreError?
    /// The number of returned rows.
    private(set) var rowCount = 0
    /// The error for a failure that the server reports.
    var error: (PostgresFailure) -> StoreError = { StoreError.postgres($0) }
    /// Called with the number of rows after all were returned.
    var onRead: ((Int) -> Void)?
    /// Called once when nothing more will arrive, with the error if the connection is lost.
    var onEnd: ((StoreError?) -> Void)?

    init(_ pipe: PostgresPipe) { self.pipe = pipe }

    deinit {
        PQfreemem(buffer.baseAddress)
        for buffer in ahead { PQfreemem(buffer.baseAddress) }
    }

    /// The bytes of the next row, valid until the next call; nil if there is none.
    func next() throws(StoreError) -> UnsafeRawBufferPointer? {
        guard !hasEnded else { return nil }
        if place == buffer.count { guard try advance() else { return nil } }
        let row = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[place...])
        guard row.count >= 2 else { throw cutShort }
        // The last row is followed by a row with -1 columns.
        guard Int16(bigEndian: row.loadUnaligned(as: Int16.self)) >= 0 else {
            guard try !advance() else { throw cutShort }
            return nil
        }
        rowCount += 1
        return row
    }

    /// Called with the number of bytes of the row.
    func didRead(_ count: Int) { place += count }

    /// Advances to the next buffer; false if there is none.
    private func advance() throws(StoreError) -> Bool {
        PQfreemem(buffer.baseAddress)
        buffer = Buffer(start: nil, count: 0)
        place = 0
        if let next = ahead.popFirst() { buffer = next } else if !hasArrived, let next = receive() { buffer = next }
        guard buffer.baseAddress != nil else {
            hasEnded = true
            if let failure { throw failure }
            onRead?(rowCount)
            return false
        }
        if !hasHead {
            hasHead = true
            // The header has a signature, flags, and the length of an extension, which is 0 so far.
            guard buffer.count >= 19 else { throw cutShort }
            place = 19
            if place == buffer.count { return try advance() }
        }
        return true
    }

    /// The next buffer from the server; nil at the end, and on failure.
    private func receive() -> Buffer? {
        while true {
            var pointer: UnsafeMutablePointer<CChar>?
            let count = PQgetCopyData(pipe.handle, &pointer, 1)
            if count > 0 { return Buffer(start: pointer, count: Int(count)) }
            if count == 0, pipe.readMore() { continue }
            finish(isLost: count != -1)
            return nil
        }
    }

    private func finish(isLost: Bool) {
        hasArrived = true
        pipe.stream = nil
        do throws(StoreError) {
            guard !isLost, let pointer = pipe.nextResult() else {
                pipe.isBroken = true
                throw pipe.lost
            }
            if let refusal = try pipe.resumePipeline(with: PostgresResult(pointer)).failure { failure = error(refusal) }
            onEnd?(nil)
        } catch {
            failure = error
            onEnd?(error)
        }
        onEnd = nil
    }

    /// Reads everything in advance, so that another command can be sent.
    func readAhead() { while !hasArrived, let next = receive() { ahead.append(next) } }

    /// Discards the remaining rows.
    func abandon() {
        guard !hasArrived else { return }
        pipe.makeCanceller().cancel()
        while !hasArrived, let next = receive() { PQfreemem(next.baseAddress) }
    }

    /// The error if the received data is malformed. The connection cannot be used any more.
    var cutShort: StoreError {
        pipe.isBroken = true
        return pipe.lost
    }
}

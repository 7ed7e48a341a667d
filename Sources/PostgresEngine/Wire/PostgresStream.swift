internal import CPostgres
internal import StoreEngine

/// The rows of a query as they come from the server, in the binary form of COPY: one after the other, with no result that
/// holds all of them.
///
/// https://www.postgresql.org/docs/15/sql-copy.html#id-1.9.3.55.9.4
final class PostgresStream {
    private typealias Buffer = UnsafeMutableBufferPointer<CChar>

    private let pipe: PostgresPipe
    /// What is being read.
    private var buffer = Buffer(start: nil, count: 0)
    private var place = 0
    /// What came before it was asked for.
    private var ahead: ArraySlice<Buffer> = []
    private var hasHead = false
    /// Whether the server has sent all.
    private var hasArrived = false
    private var hasEnded = false
    private var failure: StoreError?
    /// How many rows were given.
    private(set) var rowCount = 0
    /// The error for what the server says went wrong.
    var error: (PostgresFailure) -> StoreError = { StoreError.postgres($0) }
    /// Is called with the number of rows when all were given.
    var onRead: ((Int) -> Void)?
    /// Is called once, when nothing comes any more: with what went wrong, where the connection is lost.
    var onEnd: ((StoreError?) -> Void)?

    init(_ pipe: PostgresPipe) { self.pipe = pipe }

    deinit {
        PQfreemem(buffer.baseAddress)
        for buffer in ahead { PQfreemem(buffer.baseAddress) }
    }

    /// The bytes of the next row, good until the one after it; nil where there is none.
    func next() throws(StoreError) -> UnsafeRawBufferPointer? {
        guard !hasEnded else { return nil }
        if place == buffer.count { guard try advance() else { return nil } }
        let row = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[place...])
        guard row.count >= 2 else { throw cutShort }
        // Behind the last row there is one with -1 columns.
        guard Int16(bigEndian: row.loadUnaligned(as: Int16.self)) >= 0 else {
            guard try !advance() else { throw cutShort }
            return nil
        }
        rowCount += 1
        return row
    }

    /// Says how many bytes the row had.
    func didRead(_ count: Int) { place += count }

    /// Goes to what came next; false where that is nothing.
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
            // A signature, flags, and the length of what may follow: nothing, so far.
            guard buffer.count >= 19 else { throw cutShort }
            place = 19
            if place == buffer.count { return try advance() }
        }
        return true
    }

    /// What comes next from the server; nil where that is the end, or went wrong.
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
            if let refusal = try pipe.goOn(with: PostgresResult(pointer)).failure { failure = error(refusal) }
            onEnd?(nil)
        } catch {
            failure = error
            onEnd?(error)
        }
        onEnd = nil
    }

    /// Reads all that comes, so that something else can be asked.
    func readAhead() { while !hasArrived, let next = receive() { ahead.append(next) } }

    /// Nobody wants the rest.
    func abandon() {
        guard !hasArrived else { return }
        pipe.makeCanceller().cancel()
        while !hasArrived, let next = receive() { PQfreemem(next.baseAddress) }
    }

    /// What came is none of what the server says that it sends.
    var cutShort: StoreError {
        pipe.isBroken = true
        return pipe.lost
    }
}

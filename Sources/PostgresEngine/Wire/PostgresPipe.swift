internal import CPostgres
internal import Foundation
internal import StoreEngine

/// The connection to a server, which sends any number of commands in one round trip.
///
/// libpq's pipeline is always on, except during COPY. A command whose result is not awaited is deferred and sent with
/// the next round trip.
final class PostgresPipe {
    /// One command.
    enum Command {
        /// A statement without arguments.
        case text(String)
        /// A statement without arguments, whose result is sent before the next command starts.
        case textAtOnce(String)
        case prepare(name: String, sql: String, types: [PostgresType])
        /// Queries the arguments and columns of a prepared statement.
        case describe(name: String)
        case run(name: String, PostgresMessage)
    }

    /// The interval of the checks while waiting, in milliseconds.
    private static let timeBetweenLooks: Int32 = 50

    let handle: OpaquePointer
    /// The commands of the next round trip.
    private var deferred: [Command] = []
    /// The waiting time since the last check.
    private var waited: Int32 = 0
    /// Whether TLS was just checked for buffered data.
    private var hasCheckedTLS = false
    /// The number of sent commands whose results were not read.
    private var leftCount = 0
    /// The incoming rows, which must be read before anything else.
    var stream: PostgresStream?
    /// Called periodically while a result is awaited, with a function that returns the canceller.
    var onWait: ((() -> PostgresCanceller) -> Void)?
    /// The results that arrived before the connection was lost.
    private(set) var lastWords: [PostgresResult] = []

    init(_ handle: OpaquePointer) {
        self.handle = handle
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        PQenterPipelineMode(handle)
    }

    deinit {
        if !ProcessCopy.isThis { PQfinish(handle) }
    }

    /// Whether commands and results are out of step, so that the next result would belong to another command.
    var isBroken = false

    /// Whether the connection is open.
    var isOpen: Bool { !isBroken && PQstatus(handle) == CONNECTION_OK }

    /// Whether the connection is open according to the operating system.
    ///
    /// A server that has ended meanwhile has sent a message and then closed its end, so both are read.
    var isAlive: Bool {
        guard isOpen else { return false }
        var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        if poll(&socket, 1, 0) == 0 { return true }
        return PQconsumeInput(handle) == 1 && PQconsumeInput(handle) == 1 && isOpen
    }

    /// A setting that the server has reported, such as its version.
    func parameter(_ name: String) -> String? { PQparameterStatus(handle, name).map { String(cString: $0) } }

    /// The role of the connection.
    var role: String? { PQuser(handle).map { String(cString: $0) } }

    /// Creates the object with which another thread can cancel the running command.
    func makeCanceller() -> PostgresCanceller { PostgresCanceller(PQgetCancel(handle)) }

    /// Defers a command to the next round trip. Its result is reported only if it fails.
    func enqueue(_ command: Command) { deferred.append(command) }

    /// Sends a command now. The next round trip reads its result and ignores it.
    func leave(_ text: String) {
        stream?.readAhead()
        guard isOpen else { return }
        guard send(.text(text)), PQpipelineSync(handle) == 1, PQflush(handle) == 0 else {
            isBroken = true
            return
        }
        leftCount += 1
    }

    /// Sends commands, deferred ones first, and waits for all results.
    ///
    /// - Parameters:
    ///   - sendsDeferred: Whether the deferred commands are sent, too.
    ///   - last: A command that runs after `commands` were committed, even if a command has failed.
    /// - Returns: A result for each of `commands`, and for `last`; the commands after a failed one are skipped.
    /// - Throws: `StoreError` if the connection is lost.
    func roundTrip(
        _ commands: [Command], sendsDeferred: Bool = true, then last: Command? = nil
    ) throws(StoreError) -> [PostgresResult] {
        try ProcessCopy.check()
        stream?.readAhead()
        do throws(StoreError) { return try exchange(commands, sendsDeferred, last) } catch {
            isBroken = true
            throw error
        }
    }

    /// Reads all outstanding results.
    func finishWhatWasLeft() throws(StoreError) {
        if leftCount > 0 || !deferred.isEmpty { _ = try roundTrip([.text("")]) }
    }

    private func exchange(
        _ commands: [Command], _ sendsDeferred: Bool, _ last: Command?
    ) throws(StoreError) -> [PostgresResult] {
        let before = sendsDeferred ? deferred : []
        if sendsDeferred { deferred = [] }
        let all = before + commands
        let count = before.count
        // If no transaction is open, the commands between two syncs are one transaction. Deferred commands must not be
        // part of it, so they get a separate sync.
        for (place, command) in all.enumerated() {
            if place == count, count > 0 { guard PQpipelineSync(handle) == 1 else { throw lost } }
            guard send(command) else { throw lost }
        }
        guard PQpipelineSync(handle) == 1 else { throw lost }
        if let last { guard send(last), PQpipelineSync(handle) == 1 else { throw lost } }
        while leftCount > 0 {
            _ = try answers(1)
            leftCount -= 1
        }
        let answersBefore = count > 0 ? try answers(count) : []
        var results = try answers(commands.count)
        if last != nil { results += try answers(1) }
        // The deferred commands precede the others, so their failure is reported first.
        if let failed = answersBefore.first(where: { $0.failure != nil && !$0.isSkipped }) { return [failed] }
        return results
    }

    /// The results up to a sync.
    private func answers(_ count: Int) throws(StoreError) -> [PostgresResult] {
        var results: [PostgresResult] = []
        results.reserveCapacity(count)
        for _ in 0..<count {
            // The results of each command end with nil.
            var last: PostgresResult?
            while let pointer = nextResult() { last = PostgresResult(pointer) }
            guard let last, isOpen else {
                lastWords = results
                throw lost
            }
            results.append(last)
        }
        guard let pointer = nextResult(), PostgresResult(pointer).isSync else { throw lost }
        return results
    }

    /// The next available result; nil at the end of a command's results.
    func nextResult() -> OpaquePointer? {
        // If reading fails, libpq waits and reports the reason.
        while PQisBusy(handle) == 1, readMore() {}
        return PQgetResult(handle)
    }

    /// Waits until data may have arrived, with periodic checks; false if none will arrive.
    func readMore() -> Bool {
        // The system does not report data that TLS has already read from the socket, so TLS is checked each time, and
        // more often. The remaining data can be the part of a record for which libpq had no space.
        let isEncrypted = PQsslInUse(handle) == 1
        if isEncrypted, !hasCheckedTLS {
            hasCheckedTLS = true
            return PQconsumeInput(handle) == 1
        }
        hasCheckedTLS = false
        var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        let time = isEncrypted ? PostgresPipe.timeBetweenLooks / 10 : PostgresPipe.timeBetweenLooks
        switch poll(&socket, 1, time) {
        case 0:
            waited += time
            guard waited >= PostgresPipe.timeBetweenLooks else { return true }
            waited = 0
            onWait?(makeCanceller)
            return true
        case 1...: return PQconsumeInput(handle) == 1
        default: return errno == EINTR
        }
    }

    func send(_ command: Command) -> Bool {
        switch command {
        case .text(let text): PQsendQueryParams(handle, text, 0, nil, nil, nil, nil, 1) == 1
        case .textAtOnce(let text): send(.text(text)) && PQsendFlushRequest(handle) == 1
        case .prepare(let name, let sql, let types):
            types.map(\.number).withUnsafeBufferPointer { types in
                PQsendPrepare(handle, name, sql, Int32(types.count), types.baseAddress) == 1
            }
        case .describe(let name): PQsendDescribePrepared(handle, name) == 1
        case .run(let name, let message):
            message.withPointers { values, lengths, formats in
                PQsendQueryPrepared(
                    handle, name, Int32(message.lengths.count), values, lengths, formats, message.asksForText ? 0 : 1)
                    == 1
            }
        }
    }

    var lost: StoreError {
        let message = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
        return StoreError(
            .connectionLost, "The connection to the server was lost: \(PostgresFailure.line(message)). Try again")
    }
}

/// Cancels the running command of another connection.
// @unchecked: its only property is constant, and libpq's manual permits calls of PQcancel from any thread.
final class PostgresCanceller: @unchecked Sendable {
    private let pointer: OpaquePointer?
    init(_ pointer: OpaquePointer?) { self.pointer = pointer }
    deinit { PQfreeCancel(pointer) }

    /// Requests the cancellation on a separate connection; returns when the request has arrived.
    func cancel() {
        var message = [CChar](repeating: 0, count: 256)
        PQcancel(pointer, &message, Int32(message.count))
    }
}

extension PostgresFailure {
    /// A message in one line.
    static func line(_ message: String) -> String {
        message.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

internal import CPostgres
internal import Foundation
internal import StoreEngine

/// The way to a server and back: any number of commands in one round trip.
///
/// libpq's pipeline is always on. Commands whose answers nobody waits for are
/// put off and go with the next that somebody does.
final class PostgresPipe {
    /// One command.
    enum Command {
        /// A statement without arguments.
        case text(String)
        /// The same, whose answer comes before that of the next has begun.
        case textAtOnce(String)
        case prepare(name: String, sql: String, types: [PostgresType])
        /// Asks what a prepared statement takes and gives.
        case describe(name: String)
        case run(name: String, PostgresMessage)
    }

    /// How long it waits before it looks up, in milliseconds.
    private static let timeBetweenLooks: Int32 = 50

    let handle: OpaquePointer
    /// What goes with the next round trip.
    private var putOff: [Command] = []
    /// How long it has waited since it last looked up.
    private var waited: Int32 = 0
    /// Whether TLS was just asked for what it has.
    private var hasAsked = false
    /// How many commands were sent whose answers were not read.
    private var leftCount = 0
    /// The rows that are coming in, which have to be read before anything else is.
    var stream: PostgresStream?
    /// Is called now and then while an answer is waited for, with what ends that.
    var onWait: ((() -> PostgresCanceller) -> Void)?
    /// The answers that came before the connection was lost.
    private(set) var lastWords: [PostgresResult] = []

    init(_ handle: OpaquePointer) {
        self.handle = handle
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        PQenterPipelineMode(handle)
    }

    deinit {
        if !ProcessCopy.isThis { PQfinish(handle) }
    }

    /// Whether commands and answers have come apart: what comes next would be the answer to something else.
    var isBroken = false

    /// Whether the connection is there.
    var isOpen: Bool { !isBroken && PQstatus(handle) == CONNECTION_OK }

    /// The same, asked of the system: a server that has gone meanwhile has said so, and closed its end behind that.
    var isAlive: Bool {
        guard isOpen else { return false }
        var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        if poll(&socket, 1, 0) == 0 { return true }
        return PQconsumeInput(handle) == 1 && PQconsumeInput(handle) == 1 && isOpen
    }

    /// A setting that the server has told, its version for one.
    func parameter(_ name: String) -> String? { PQparameterStatus(handle, name).map { String(cString: $0) } }

    /// What another thread needs to end what is running.
    func makeCanceller() -> PostgresCanceller { PostgresCanceller(PQgetCancel(handle)) }

    /// Sends a command with the next round trip; nobody hears of it but where it fails.
    func putOff(_ command: Command) { putOff.append(command) }

    /// Sends a command now, and reads its answer with the next round trip; nobody hears of it.
    func leave(_ text: String) {
        stream?.readAhead()
        guard isOpen else { return }
        guard send(.text(text)), PQpipelineSync(handle) == 1, PQflush(handle) == 0 else {
            isBroken = true
            return
        }
        leftCount += 1
    }

    /// Sends commands, those put off first, and waits for all answers.
    ///
    /// - Parameter sendsPutOff: Whether what was put off goes with them.
    /// - Returns: An answer for each of `commands`; those behind one that failed are skipped.
    /// - Throws: `StoreError` where the connection is lost.
    func roundTrip(_ commands: [Command], sendsPutOff: Bool = true) throws(StoreError) -> [PostgresResult] {
        try ProcessCopy.check()
        stream?.readAhead()
        do throws(StoreError) { return try exchange(commands, sendsPutOff) } catch {
            isBroken = true
            throw error
        }
    }

    /// Has nothing under way any more.
    func finishWhatWasLeft() throws(StoreError) {
        if leftCount > 0 || !putOff.isEmpty { _ = try roundTrip([.text("")]) }
    }

    private func exchange(_ commands: [Command], _ sendsPutOff: Bool) throws(StoreError) -> [PostgresResult] {
        let before = sendsPutOff ? putOff : []
        if sendsPutOff { putOff = [] }
        let all = before + commands
        let count = before.count
        // What stands between two syncs is one transaction where none is open: what was put off is none of it.
        for (place, command) in all.enumerated() {
            if place == count, count > 0 { guard PQpipelineSync(handle) == 1 else { throw lost } }
            guard send(command) else { throw lost }
        }
        guard PQpipelineSync(handle) == 1 else { throw lost }
        while leftCount > 0 {
            _ = try answers(1)
            leftCount -= 1
        }
        let answersBefore = count > 0 ? try answers(count) : []
        let results = try answers(commands.count)
        // What failed was meant to be done before.
        if let failed = answersBefore.first(where: { $0.failure != nil && !$0.isSkipped }) { return [failed] }
        return results
    }

    /// The answers up to a sync.
    private func answers(_ count: Int) throws(StoreError) -> [PostgresResult] {
        var results: [PostgresResult] = []
        results.reserveCapacity(count)
        for _ in 0..<count {
            // Each ends with nil.
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

    /// The next result, when it is there; nil at the end of an answer.
    func nextResult() -> OpaquePointer? {
        // Where that fails, libpq waits and says why.
        while PQisBusy(handle) == 1, readMore() {}
        return PQgetResult(handle)
    }

    /// Waits until something may have come, and looks up now and then; false where nothing will.
    func readMore() -> Bool {
        // What TLS has taken from the socket already, the system does not tell of: it is asked for each time, and more
        // often. The part of a record for which libpq had no room can be all that is left to come.
        let isEncrypted = PQsslInUse(handle) == 1
        if isEncrypted, !hasAsked {
            hasAsked = true
            return PQconsumeInput(handle) == 1
        }
        hasAsked = false
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
                PQsendQueryPrepared(handle, name, Int32(message.lengths.count), values, lengths, formats, 1) == 1
            }
        }
    }

    var lost: StoreError {
        let message = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
        return StoreError(
            .connectionLost, "The connection to the server was lost: \(PostgresFailure.line(message)). Try again")
    }
}

/// Ends what another connection is running.
// @unchecked: its one variable never changes, and PQcancel may be called from any thread, as libpq's manual says.
final class PostgresCanceller: @unchecked Sendable {
    private let pointer: OpaquePointer?
    init(_ pointer: OpaquePointer?) { self.pointer = pointer }
    deinit { PQfreeCancel(pointer) }

    /// Asks the server to; it has its own connection, and answers when the request has arrived.
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

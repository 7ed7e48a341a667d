internal import Synchronization

/// What the threads of libmicrohttpd use.
final class ServerContext: Sendable {
    let limits: ServerLimits
    /// The headers of every response.
    let headers: [(String, String)]
    let waiting: WaitingRequests
    private let functions = Mutex<Functions?>(nil)
    /// How many bytes the bodies of the current requests may have together.
    private let reserved = Mutex(0)

    private struct Functions {
        let gate: LoopbackServer.Gate
        let handler: LoopbackServer.Handler
    }

    init(_ limits: ServerLimits, _ headers: [(String, String)]) {
        (self.limits, self.headers) = (limits, headers)
        waiting = WaitingRequests(limit: limits.waiting)
    }

    func start(_ gate: @escaping LoopbackServer.Gate, _ handler: @escaping LoopbackServer.Handler) {
        functions.withLock { $0 = Functions(gate: gate, handler: handler) }
    }

    /// Nil before the start.
    var handler: LoopbackServer.Handler? { functions.withLock { $0?.handler } }

    /// Decides by the head whether a request is read.
    func begin(_ request: Request) -> (IncomingRequest, refusal: Response?) {
        let nothing = IncomingRequest(request, 0)
        let stated = request.headers["content-length"]
        guard request.headers["transfer-encoding"] == nil, let length = stated.map({ Int($0) }) ?? 0, length >= 0 else {
            return (nothing, .refused(411, "State the length of the body."))
        }
        let gate = functions.withLock { $0?.gate }
        if let refusal = gate?(request) { return (nothing, refusal) }
        guard length == 0 || request.method == limits.bodyMethod && length <= limits.bodyBytes else {
            return (nothing, .refused(413, "The body is too large."))
        }
        let isReserved = reserved.withLock { reserved in
            guard reserved + length <= limits.memory else { return false }
            reserved += length
            return true
        }
        guard isReserved else { return (nothing, .refused(503, "The server is busy.")) }
        return (IncomingRequest(request, length), nil)
    }

    func end(_ request: IncomingRequest) { reserved.withLock { $0 -= request.length } }
}

/// A request that is received or waits. One thread at a time uses it.
final class IncomingRequest {
    /// The stated length of the body.
    let length: Int
    var mustAnswer = false
    private var request: Request
    private let started = ContinuousClock.now
    private var end: ContinuousClock.Instant?

    init(_ request: Request, _ length: Int) { (self.request, self.length) = (request, length) }

    /// Adds a part of the body; false if it is too long, or if it takes too much time.
    func append(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: ServerLimits) -> Bool {
        guard request.body.count + bytes.count <= length, started.duration(to: .now) < .seconds(limits.bodySeconds)
        else { return false }
        request.body += bytes
        return true
    }

    /// When it must be answered, at most some seconds after the first call.
    func deadline(_ seconds: Int) -> ContinuousClock.Instant {
        let deadline = end ?? .now + .seconds(seconds)
        end = deadline
        return deadline
    }

    /// The request at this moment.
    var current: Request {
        var current = request
        current.hasWaited = end != nil
        current.isLate = mustAnswer || end.map { $0 <= .now } ?? false
        return current
    }
}

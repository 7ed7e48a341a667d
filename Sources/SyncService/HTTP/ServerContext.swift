internal import CMicrohttpd
internal import Synchronization

/// What the threads of libmicrohttpd use.
final class ServerContext: Sendable {
    let limits: Limits
    let handler: Daemon.Handler
    let waiting: WaitingRequests
    private let gate: Daemon.Gate
    /// How many bytes the bodies of the current requests may have together.
    private let reserved = Mutex(0)

    init(_ limits: Limits, _ gate: @escaping Daemon.Gate, _ handler: @escaping Daemon.Handler) {
        (self.limits, self.gate, self.handler) = (limits, gate, handler)
        waiting = WaitingRequests(limit: limits.waiting)
    }

    /// Decides by the head whether a request is read.
    func begin(_ head: Head) -> (IncomingRequest, refusal: Response?) {
        let nothing = IncomingRequest(head.request, 0)
        guard let length = head.length, length >= 0 else {
            return (nothing, .text(411, "State the length of the body."))
        }
        if let refusal = gate(head.request) { return (nothing, refusal) }
        guard length == 0 || head.request.method == "PUT" && length <= limits.bodyBytes else {
            return (nothing, .text(413, "The body is too large."))
        }
        let isReserved = reserved.withLock { reserved in
            guard reserved + length <= limits.memory else { return false }
            reserved += length
            return true
        }
        guard isReserved else { return (nothing, .text(503, "The service is busy.")) }
        return (IncomingRequest(head.request, length), nil)
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
    func append(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: Limits) -> Bool {
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
        current.isLate = mustAnswer || end.map { $0 <= .now } ?? false
        return current
    }
}

/// The requests that wait for news.
final class WaitingRequests: Sendable {
    struct Waiting: Sendable {
        let topic: String
        /// Of a connection.
        let address: UInt
        let deadline: ContinuousClock.Instant

        var isLate: Bool { deadline <= .now }
    }

    enum Addition { case waits, full, again }

    private struct Content {
        var requests: [Waiting] = []
        var generation = 0
        var hasEnded = false
    }

    private let content = Mutex(Content())
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// How often requests were woken. News that arrive while a request is handled are not lost, because it changes.
    var generation: Int { content.withLock { $0.generation } }

    var hasEnded: Bool { content.withLock { $0.hasEnded } }

    func add(
        _ topic: String, _ address: UInt, _ deadline: ContinuousClock.Instant, since generation: Int
    ) -> Addition {
        content.withLock { content in
            guard !content.hasEnded, content.requests.count < limit else { return .full }
            guard content.generation == generation else { return .again }
            MHD_suspend_connection(OpaquePointer(bitPattern: address))
            content.requests.append(Waiting(topic: topic, address: address, deadline: deadline))
            return .waits
        }
    }

    /// Lets requests be handled again.
    func wake(_ isWoken: (Waiting) -> Bool) {
        // The lock is held: a connection must not end in between.
        content.withLock { content in
            content.generation += 1
            for request in content.requests where isWoken(request) {
                MHD_resume_connection(OpaquePointer(bitPattern: request.address))
            }
            content.requests.removeAll(where: isWoken)
        }
    }

    /// Lets all requests be answered, now and from now on.
    func end() {
        content.withLock { $0.hasEnded = true }
        wake { _ in true }
    }
}

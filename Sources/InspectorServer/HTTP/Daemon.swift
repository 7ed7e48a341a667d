internal import CMicrohttpd
internal import Synchronization

/// libmicrohttpd, which answers requests on a few threads.
final class Daemon: Sendable {
    /// Returns nil for a request that waits for a change. It is called again then.
    typealias Handler = @Sendable (Request) -> Response?

    /// The limits of a request: the bytes of its head and its body, and the seconds without activity.
    static let (headBytes, bodyBytes, seconds, connections) = (16 * 1024, 1 << 20, UInt32(5), UInt32(64))
    static let threads = UInt32(4)

    /// What the threads of libmicrohttpd use.
    private final class Context: Sendable {
        let handler: Mutex<Handler?> = Mutex(nil)
        /// The addresses of the connections that wait; nil after the end.
        let waiting: Mutex<[UInt]?> = Mutex([])
    }

    /// What a connection has received of a request.
    private final class Incoming {
        var body: [UInt8] = []
        var hasWaited = false
    }

    let port: UInt16
    private let context: Context
    /// The daemon is stopped once.
    private let daemon: Mutex<UInt?>

    /// Starts a server on the loopback address; nil if the port is taken.
    init?(port: UInt16) {
        let context = Context()
        let pointer = Unmanaged.passRetained(context)
        guard
            let daemon = po_mhd_start(
                port, Daemon.answer, Daemon.complete, pointer.toOpaque(), Daemon.seconds, Daemon.headBytes,
                Daemon.connections, Daemon.threads)
        else {
            pointer.release()
            return nil
        }
        self.context = context
        self.port = po_mhd_port(daemon)
        self.daemon = Mutex(UInt(bitPattern: daemon))
    }

    deinit { stop() }

    /// Sets the function that answers requests. Until then, requests are answered with status 503.
    func start(_ handler: @escaping Handler) { context.handler.withLock { $0 = handler } }

    /// Lets the handler answer the requests that wait.
    func wake() {
        // The lock is held: a connection must not end in between.
        context.waiting.withLock { waiting in
            for address in waiting ?? [] { MHD_resume_connection(OpaquePointer(bitPattern: address)) }
            if waiting != nil { waiting = [] }
        }
    }

    /// Ends the server, after the current request.
    func stop() {
        let address = daemon.withLock { daemon in
            defer { daemon = nil }
            return daemon
        }
        guard let address else { return }
        wake()
        context.waiting.withLock { $0 = nil }
        wake()
        MHD_stop_daemon(OpaquePointer(bitPattern: address))
        Unmanaged.passUnretained(context).release()
    }

    // The callbacks run on threads of libmicrohttpd, so they must not be isolated to any actor.
    private static let answer: PO_MHD_Handler = { context, connection, url, method, _, upload, size, state in
        guard let context, let connection, let url, let method, let size, let state else { return 0 }
        let shared = Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
        guard let pointer = state.pointee else {
            state.pointee = Unmanaged.passRetained(Incoming()).toOpaque()
            return refusal(String(cString: method), connection).map { queue($0, connection) } ?? 1
        }
        let incoming = Unmanaged<Incoming>.fromOpaque(pointer).takeUnretainedValue()
        if size.pointee > 0 {
            guard incoming.body.count + size.pointee <= bodyBytes, let upload else { return 0 }
            upload.withMemoryRebound(to: UInt8.self, capacity: size.pointee) {
                incoming.body += UnsafeBufferPointer(start: $0, count: size.pointee)
            }
            size.pointee = 0
            return 1
        }
        let received = request(String(cString: method), String(cString: url), incoming, connection)
        guard let handler = shared.handler.withLock({ $0 }) else {
            return queue(.refused(503, "The inspector is starting."), connection)
        }
        if let response = handler(received) { return queue(response, connection) }
        incoming.hasWaited = true
        let waits = shared.waiting.withLock { waiting in
            guard waiting != nil else { return false }
            MHD_suspend_connection(connection)
            waiting?.append(UInt(bitPattern: connection))
            return true
        }
        return waits ? 1 : queue(.refused(503, "The inspector ends."), connection)
    }

    /// The end of a request.
    private static let complete: PO_MHD_Completed = { _, _, state, _ in
        guard let state, let pointer = state.pointee else { return }
        Unmanaged<Incoming>.fromOpaque(pointer).release()
        state.pointee = nil
    }

    private static func value(_ kind: Int, _ name: String, _ connection: OpaquePointer) -> String? {
        MHD_lookup_connection_value(connection, Int32(kind), name).map { String(cString: $0) }
    }

    /// The reason that the body of a request is not read.
    private static func refusal(_ method: String, _ connection: OpaquePointer) -> Response? {
        if value(PO_MHD_HEADER, "Transfer-Encoding", connection) != nil {
            return .refused(501, "Requests in chunks are not answered.")
        }
        guard let length = value(PO_MHD_HEADER, "Content-Length", connection) else { return nil }
        guard let count = Int(length), count >= 0, count <= bodyBytes, count == 0 || method == "POST" else {
            return .refused(413, "The request is too long.")
        }
        return nil
    }

    private static func request(
        _ method: String, _ path: String, _ incoming: Incoming, _ connection: OpaquePointer
    ) -> Request {
        var request = Request(method: method, path: path)
        request.query = arguments(connection)
        request.host = value(PO_MHD_HEADER, "Host", connection)
        request.origin = value(PO_MHD_HEADER, "Origin", connection)
        request.cookie = value(PO_MHD_COOKIE, "inspector", connection)
        request.hasWaited = incoming.hasWaited
        let type = value(PO_MHD_HEADER, "Content-Type", connection) ?? ""
        if method == "POST", type.hasPrefix("application/x-www-form-urlencoded") {
            request.form = FormFields.fields(incoming.body)
        }
        return request
    }

    private static func arguments(_ connection: OpaquePointer) -> [String: String] {
        var found: [String: String] = [:]
        withUnsafeMutablePointer(to: &found) { pointer in
            _ = MHD_get_connection_values(
                connection, Int32(PO_MHD_ARGUMENT),
                { context, _, name, value in
                    guard let context, let name else { return 1 }
                    context.assumingMemoryBound(to: [String: String].self).pointee[String(cString: name)] =
                        value.map { String(cString: $0) } ?? ""
                    return 1
                }, pointer)
        }
        return found
    }

    private static func queue(_ response: Response, _ connection: OpaquePointer) -> Int32 {
        var bytes = response.body
        let made = bytes.withUnsafeMutableBytes {
            MHD_create_response_from_buffer($0.count, $0.baseAddress, Int32(PO_MHD_MUST_COPY))
        }
        guard let made else { return 0 }
        defer { MHD_destroy_response(made) }
        let headers = Response.common + [("Content-Type", response.type)] + response.headers.map { ($0, $1) }
        for (name, value) in headers { _ = MHD_add_response_header(made, name, value) }
        return MHD_queue_response(connection, UInt32(response.status), made)
    }
}

internal import CMicrohttpd
internal import Synchronization

/// libmicrohttpd, which receives requests on a separate thread.
final class Daemon: Sendable {
    typealias Handler = @Sendable (Request) -> Response

    /// The limits of a request: the bytes of its head, and the seconds without activity.
    static let (headBytes, seconds, connections) = (16 * 1024, UInt32(5), UInt32(32))

    /// What the thread of libmicrohttpd uses.
    private final class Context: Sendable {
        let handler: Mutex<Handler?> = Mutex(nil)
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
                port, Daemon.answer, pointer.toOpaque(), Daemon.seconds, Daemon.headBytes, Daemon.connections)
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

    /// Ends the server, after the current request.
    func stop() {
        let address = daemon.withLock { daemon in
            defer { daemon = nil }
            return daemon
        }
        guard let address else { return }
        MHD_stop_daemon(OpaquePointer(bitPattern: address))
        Unmanaged.passUnretained(context).release()
    }

    // The callback runs on a thread of libmicrohttpd, so it must not be isolated to any actor.
    private static let answer: PO_MHD_Handler = { context, connection, url, method, _, _, size, state in
        guard let context, let connection, let url, let method else { return 0 }
        // A body is not read: the connection ends.
        if let size, size.pointee > 0 { return 0 }
        func value(_ kind: Int, _ name: String) -> String? {
            MHD_lookup_connection_value(connection, Int32(kind), name).map { String(cString: $0) }
        }
        var request = Request(method: String(cString: method), path: String(cString: url))
        for name in ["q", "after", "token"] { request.query[name] = value(PO_MHD_ARGUMENT, name) }
        request.host = value(PO_MHD_HEADER, "Host")
        request.origin = value(PO_MHD_HEADER, "Origin")
        request.cookie = value(PO_MHD_COOKIE, "inspector")
        let handler = Unmanaged<Context>.fromOpaque(context).takeUnretainedValue().handler.withLock { $0 }
        let response = handler?(request) ?? .refused(503, "The inspector is starting.")
        var bytes = Array(response.body.utf8)
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

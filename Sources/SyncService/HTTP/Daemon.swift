internal import CMicrohttpd
internal import Foundation
internal import PersistentSync
internal import Synchronization

/// libmicrohttpd, which answers requests on a few threads.
final class Daemon: Sendable {
    /// Decides by the head of a request whether its body is read; an answer refuses it.
    typealias Gate = @Sendable (Request) -> Response?
    typealias Handler = @Sendable (Request) -> Outcome

    let port: UInt16
    private let context: ServerContext
    /// The daemon is stopped once.
    private let daemon: Mutex<UInt?>

    /// Starts a server on the loopback address; nil if the port is taken.
    init?(port: UInt16, limits: Limits, gate: @escaping Gate, handler: @escaping Handler) {
        let context = ServerContext(limits, gate, handler)
        let pointer = Unmanaged.passRetained(context)
        guard
            let daemon = po_mhd_start(
                port, Daemon.answer, Daemon.complete, pointer.toOpaque(), limits.idleSeconds, limits.headBytes,
                limits.connections, limits.threads)
        else {
            pointer.release()
            return nil
        }
        self.context = context
        self.port = po_mhd_port(daemon)
        self.daemon = Mutex(UInt(bitPattern: daemon))
        // A separate thread, because tasks can use all threads of the pool.
        Thread.detachNewThread { [waiting = context.waiting] in
            while !waiting.hasEnded {
                Thread.sleep(forTimeInterval: 0.5)
                waiting.wake { $0.isLate }
            }
        }
    }

    deinit { stop() }

    /// Lets the requests that wait for news of a topic be handled again.
    func wake(_ topic: String) { context.waiting.wake { $0.topic == topic } }

    /// Ends the server, after the current requests.
    func stop() {
        let address = daemon.withLock { daemon in
            defer { daemon = nil }
            return daemon
        }
        guard let address else { return }
        context.waiting.end()
        MHD_stop_daemon(OpaquePointer(bitPattern: address))
        Unmanaged.passUnretained(context).release()
    }

    // The callbacks run on threads of libmicrohttpd, so they must not be isolated to any actor.
    private static let answer: PO_MHD_Handler = { context, connection, url, method, _, upload, size, state in
        guard let context, let connection, let url, let method, let size, let state else { return 0 }
        let server = Unmanaged<ServerContext>.fromOpaque(context).takeUnretainedValue()
        guard let pointer = state.pointee else {
            let head = Head(connection, String(cString: method), String(cString: url))
            let (incoming, refusal) = server.begin(head)
            state.pointee = Unmanaged.passRetained(incoming).toOpaque()
            return refusal.map { queue($0, connection) } ?? 1
        }
        let incoming = Unmanaged<IncomingRequest>.fromOpaque(pointer).takeUnretainedValue()
        if size.pointee > 0, let upload {
            let isAccepted = upload.withMemoryRebound(to: UInt8.self, capacity: size.pointee) {
                incoming.append(UnsafeBufferPointer(start: $0, count: size.pointee), server.limits)
            }
            size.pointee = 0
            // The connection is closed.
            return isAccepted ? 1 : 0
        }
        while true {
            let generation = server.waiting.generation
            switch server.handler(incoming.current) {
            case .answered(let response): return queue(response, connection)
            case .waits(let topic, let seconds):
                let address = UInt(bitPattern: connection)
                switch server.waiting.add(topic, address, incoming.deadline(seconds), since: generation) {
                case .waits: return 1
                case .full: incoming.mustAnswer = true
                case .again: continue
                }
            }
        }
    }

    /// The end of a request.
    private static let complete: PO_MHD_Completed = { context, _, state, _ in
        guard let context, let state, let pointer = state.pointee else { return }
        let server = Unmanaged<ServerContext>.fromOpaque(context).takeUnretainedValue()
        let incoming = Unmanaged<IncomingRequest>.fromOpaque(pointer)
        server.end(incoming.takeUnretainedValue())
        incoming.release()
        state.pointee = nil
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

/// The head of a request.
struct Head {
    let request: Request
    /// The number of bytes of the body; nil if it is not stated as a number.
    let length: Int?

    init(_ connection: OpaquePointer, _ method: String, _ path: String) {
        func value(_ name: String) -> String? {
            MHD_lookup_connection_value(connection, Int32(PO_MHD_HEADER), name).map { String(cString: $0) }
        }
        var request = Request(method: method, path: path)
        let authorization = value("Authorization") ?? ""
        if authorization.hasPrefix("Bearer ") { request.token = String(authorization.dropFirst(7)) }
        request.range = value("Range")
        request.signature = SignedRequest.headers.map { value($0) }
        for name in ["after", "wait"] {
            if let found = MHD_lookup_connection_value(connection, Int32(PO_MHD_ARGUMENT), name) {
                request.query[name] = String(cString: found)
            }
        }
        self.request = request
        let stated = value("Content-Length")
        length = value("Transfer-Encoding") == nil ? stated.map { Int($0) } ?? 0 : nil
    }
}

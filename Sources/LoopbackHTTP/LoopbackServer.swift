internal import CMicrohttpd
internal import Synchronization

/// A server on the loopback address, which answers requests on a few threads of libmicrohttpd.
package final class LoopbackServer: Sendable {
    /// Decides by the head of a request whether its body is read; an answer refuses it.
    package typealias Gate = @Sendable (Request) -> Response?
    package typealias Handler = @Sendable (Request) -> Outcome

    package let port: UInt16
    private let context: ServerContext
    /// The address of libmicrohttpd's server, which is stopped once.
    private let daemon: Mutex<UInt?>

    /// Starts a server; nil if the port is taken.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any free port.
    ///   - headers: The headers of every response, in addition to those of all servers.
    package init?(port: UInt16, limits: ServerLimits, headers: [(String, String)] = []) {
        let context = ServerContext(limits, Response.common + headers)
        let pointer = Unmanaged.passRetained(context)
        guard
            let daemon = po_mhd_start(
                port, LoopbackServer.answer, LoopbackServer.complete, pointer.toOpaque(), limits.idleSeconds,
                limits.headBytes, limits.connections, limits.threads)
        else {
            pointer.release()
            return nil
        }
        self.context = context
        self.port = po_mhd_port(daemon)
        self.daemon = Mutex(UInt(bitPattern: daemon))
    }

    deinit { stop() }

    /// Sets the functions that answer requests. Until then, requests are answered with status 503.
    package func start(gate: @escaping Gate = { _ in nil }, handler: @escaping Handler) {
        context.start(gate, handler)
    }

    /// Lets the requests that wait for news of a topic be handled again.
    package func wake(_ topic: String) { context.waiting.wake(topic) }

    /// Ends the server, after the current requests.
    package func stop() {
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
            var request = Request(method: String(cString: method), path: String(cString: url))
            request.query = values(PO_MHD_ARGUMENT, connection)
            request.headers = values(PO_MHD_HEADER, connection) { $0.lowercased() }
            let (incoming, refusal) = server.begin(request)
            state.pointee = Unmanaged.passRetained(incoming).toOpaque()
            return refusal.map { queue($0, server, connection) } ?? 1
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
        guard let handler = server.handler else {
            return queue(.refused(503, "The server is starting."), server, connection)
        }
        while true {
            let generation = server.waiting.generation
            switch handler(incoming.current) {
            case .answered(let response): return queue(response, server, connection)
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

    /// The first value of each name.
    private static func values(
        _ kind: Int, _ connection: OpaquePointer, key: (String) -> String = { $0 }
    ) -> [String: String] {
        var found: [(String, String)] = []
        withUnsafeMutablePointer(to: &found) { pointer in
            // A decoded value can contain NUL.
            _ = MHD_get_connection_values_n(
                connection, Int32(kind),
                { context, _, name, nameSize, value, valueSize in
                    func text(_ start: UnsafePointer<CChar>?, _ size: Int) -> String {
                        String(
                            decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : size),
                            as: UTF8.self)
                    }
                    context?.assumingMemoryBound(to: [(String, String)].self).pointee
                        .append((text(name, nameSize), text(value, valueSize)))
                    return 1
                }, pointer)
        }
        return Dictionary(found.map { (key($0), $1) }, uniquingKeysWith: { first, _ in first })
    }

    private static func queue(_ response: Response, _ server: ServerContext, _ connection: OpaquePointer) -> Int32 {
        var bytes = response.body
        let made = bytes.withUnsafeMutableBytes {
            MHD_create_response_from_buffer($0.count, $0.baseAddress, Int32(PO_MHD_MUST_COPY))
        }
        guard let made else { return 0 }
        defer { MHD_destroy_response(made) }
        let headers = server.headers + [("Content-Type", response.type)] + response.headers.map { ($0, $1) }
        for (name, value) in headers { _ = MHD_add_response_header(made, name, value) }
        return MHD_queue_response(connection, UInt32(response.status), made)
    }
}

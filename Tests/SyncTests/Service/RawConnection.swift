#if Sync
    import Foundation
    import TestSupport

    #if canImport(Glibc)
        import Glibc
    #endif

    /// A connection to a port of this machine.
    final class RawConnection: Sendable {
        struct Failure: Error {}

        private let socket: Int32

        init(socket: Int32) { self.socket = socket }

        init(to port: UInt16) throws {
            socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var limit = timeval(tv_sec: 60, tv_usec: 0)
            setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            var address = RawConnection.address(port)
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            if result != 0 { throw Failure() }
        }

        deinit { close(socket) }

        static func address(_ port: UInt16) -> sockaddr_in {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            return address
        }

        /// Sends bytes; false if the other side has ended the connection.
        @discardableResult
        func send(_ bytes: [UInt8]) -> Bool {
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }

        /// Some bytes; none at the end of the connection.
        func receive() -> [UInt8] {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(socket, &buffer, buffer.count, 0)
            return count > 0 ? Array(buffer[..<count]) : []
        }

        /// Ends the connection, also for a thread that receives.
        func end() { shutdown(socket, Int32(SHUT_RDWR)) }

        /// What is received until the connection ends.
        func received() -> String {
            var received: [UInt8] = []
            while true {
                let bytes = receive()
                if bytes.isEmpty { break }
                received += bytes
            }
            return String(decoding: received, as: UTF8.self)
        }
    }

    /// Accepts connections, and never answers.
    final class SilentServer {
        private let listener: Listener
        var port: UInt16 { listener.port }

        init() throws { listener = try Listener() }
    }

    /// A port of this machine that accepts connections.
    final class Listener: Sendable {
        private let socket: Int32
        let port: UInt16

        init() throws {
            let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            self.socket = socket
            var address = RawConnection.address(0)
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(socket, $0, size) == 0 && listen(socket, 50) == 0 && getsockname(socket, $0, &size) == 0
                }
            }
            port = UInt16(bigEndian: address.sin_port)
            if !isBound { throw RawConnection.Failure() }
        }

        deinit { close(socket) }

        /// The next connection; nil if the listener has ended.
        func next() -> RawConnection? {
            let connection = accept(socket, nil, nil)
            return connection >= 0 ? RawConnection(socket: connection) : nil
        }

        /// Ends the listener, also for a thread that waits.
        func end() { shutdown(socket, Int32(SHUT_RDWR)) }
    }

    /// Passes on what clients and a service send, and cuts each connection after some bytes of the service.
    final class CuttingProxy: Sendable {
        private let listener: Listener
        private let counts = Recorder<Int>()
        var port: UInt16 { listener.port }

        /// - Parameters:
        ///   - limit: The number of bytes after which a connection is cut.
        ///   - pause: The time, in microseconds, before each part that a client receives.
        init(to target: UInt16, after limit: Int, pause: UInt32 = 0) throws {
            let listener = try Listener()
            self.listener = listener
            Thread.detachNewThread { [counts] in
                while let client = listener.next() {
                    guard let server = try? RawConnection(to: target) else { return client.end() }
                    Thread.detachNewThread {
                        while case let bytes = client.receive(), !bytes.isEmpty { server.send(bytes) }
                        server.end()
                    }
                    Thread.detachNewThread {
                        var left = limit
                        while left > 0, case let bytes = server.receive(), !bytes.isEmpty {
                            // A slow connection, if the test asks for one.
                            if pause > 0 { usleep(pause) }
                            // They are counted before the client has them, because a test reads the count then.
                            counts.add(min(bytes.count, left))
                            client.send(Array(bytes.prefix(left)))
                            left -= bytes.count
                        }
                        client.end()
                        server.end()
                    }
                }
            }
        }

        deinit { listener.end() }

        /// How many bytes the clients were sent.
        var sentCount: Int { counts.all.reduce(0, +) }
    }
#endif

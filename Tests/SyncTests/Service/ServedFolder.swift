#if Sync
    import Foundation
    import PersistentObjectsTesting
    import PersistentSync
    import SyncService
    import TestSupport
    import Testing

    #if canImport(Glibc)
        import Glibc
    #endif

    /// A service in this process, with an account.
    final class ServedFolder: Sendable {
        let folder: TemporaryStore
        let service: SyncService
        let token: String
        let signer = RequestSigner()

        /// Among thousands of other tests, a client can be unable to send anything for a minute.
        private static let patient = {
            var limits = Limits()
            (limits.idleSeconds, limits.bodySeconds) = (600, 3600)
            return limits
        }()

        init(megabytes: Int = 100, limits: Limits = patient) throws {
            folder = try TemporaryStore()
            token = try Self.command(folder.path, "add", "Joe", "--megabytes", "\(megabytes)")
            service = try SyncService(file: folder.path, limits: limits)
        }

        deinit { service.stop() }

        /// Runs a command of the program; returns its output.
        @discardableResult
        static func command(_ arguments: String...) throws -> String {
            var lines: [String] = []
            var command = try ServiceCommand(arguments)
            _ = try command.run { lines.append($0) }
            return lines.joined(separator: "\n")
        }

        static func url(_ port: UInt16) throws -> URL { try #require(URL(string: "http://127.0.0.1:\(port)")) }

        func transport(account: String? = nil) throws -> HTTPTransport {
            .http(try Self.url(service.port), account: account ?? token)
        }

        /// The headers with the signature of a device.
        func signed(_ head: String, by signer: RequestSigner? = nil, body: [UInt8] = []) -> [String] {
            let parts = head.split(whereSeparator: { $0 == " " || $0 == "?" }).map { String($0) }
            let path = parts[1].removingPercentEncoding ?? ""
            return (signer ?? self.signer).headers(parts[0], String(path.dropFirst(4)), account: token, body: body)
                .map { "\($0): \($1)" }
        }

        /// Sends bytes, and returns what is received until the service ends the connection.
        ///
        /// - Parameter signature: The headers with the signature of a device; by default that of this request.
        func exchange(
            _ head: String, _ headers: String..., body: [UInt8] = [], signature: [String]? = nil
        ) throws -> String {
            let all =
                ["\(head) HTTP/1.1", "Host: 127.0.0.1", "Authorization: Bearer \(token)"] + headers
                + (signature ?? signed(head, body: body)) + ["", ""]
            let connection = try RawConnection(to: service.port)
            connection.send(Array(all.joined(separator: "\r\n").utf8) + body)
            return connection.received()
        }
    }

    /// A connection to a port of this machine.
    final class RawConnection {
        struct Failure: Error {}

        private let socket: Int32

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

        /// What is received until the connection ends.
        func received() -> String {
            var received: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(socket, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                received += buffer[..<count]
            }
            return String(decoding: received, as: UTF8.self)
        }
    }

    /// Accepts connections, and never answers.
    final class SilentServer {
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
    }
#endif

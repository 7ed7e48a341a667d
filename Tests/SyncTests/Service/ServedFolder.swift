#if Sync
    import Foundation
    import LoopbackHTTP
    import PersistentObjectsTesting
    import PersistentSync
    import SyncService
    import TestSupport
    import Testing

    /// A service in this process, with an account.
    final class ServedFolder: Sendable {
        let folder: TemporaryStore
        let service: SyncService
        let token: String
        let signer = RequestSigner()

        /// Among thousands of other tests, a client can be unable to send anything for a minute.
        private static let patient = {
            var limits = SyncService.limits
            (limits.idleSeconds, limits.bodySeconds) = (600, 3600)
            return limits
        }()

        init(megabytes: Int = 100, limits: ServerLimits = patient, in folder: TemporaryStore? = nil) throws {
            self.folder = try folder ?? TemporaryStore()
            token = try Self.command(self.folder.path, "add", "Joe", "--megabytes", "\(megabytes)")
            service = try SyncService(file: self.folder.path, limits: limits)
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
#endif

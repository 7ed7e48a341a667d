// SyncService: a service that keeps the encrypted files of devices. It knows paths, sizes and accounts, and must not know
// what the files contain.

package import LoopbackHTTP

/// A service on the loopback address, whose data are in a store's file.
package final class SyncService: Sendable {
    package enum Failure: Error, CustomStringConvertible {
        case portIsTaken(UInt16)

        package var description: String {
            switch self {
            case .portIsTaken(let port):
                "The port \(port) cannot be used. The service was not started. Choose another one with --port"
            }
        }
    }

    /// The limits of a service, unless it is started with different ones.
    package static let limits = ServerLimits(bodyMethod: "PUT")

    private let entries: EntryStore
    private let server: LoopbackServer

    /// Starts the service.
    ///
    /// - Parameters:
    ///   - file: The path of the store's file, which is created if it does not exist.
    ///   - port: The port; 0 for any free port.
    package init(file: String, port: UInt16 = 0, limits: ServerLimits = limits) throws {
        let entries = try EntryStore(file)
        guard let server = LoopbackServer(port: port, limits: limits) else {
            entries.close()
            throw Failure.portIsTaken(port)
        }
        (self.entries, self.server) = (entries, server)
        // The server keeps the routes.
        let routes = Routes(entries: entries, limits: limits, added: { [weak server] in server?.wake($0) })
        server.start(gate: { routes.refusal($0) }, handler: { routes.outcome($0) })
    }

    package var port: UInt16 { server.port }

    /// Ends the service, after the current requests.
    package func stop() {
        server.stop()
        entries.close()
    }
}

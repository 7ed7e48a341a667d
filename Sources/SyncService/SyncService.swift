// SyncService: a service that keeps the encrypted files of devices. It knows paths, sizes and accounts, and must not know
// what the files contain.

internal import Synchronization

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

    private let entries: EntryStore
    private let daemon: Daemon

    /// Starts the service.
    ///
    /// - Parameters:
    ///   - file: The path of the store's file, which is created if it does not exist.
    ///   - port: The port; 0 for any free port.
    package init(file: String, port: UInt16 = 0, limits: Limits = Limits()) throws {
        let entries = try EntryStore(file)
        let waker = Waker()
        let routes = Routes(entries: entries, limits: limits, added: { waker.wake($0) })
        guard
            let daemon = Daemon(
                port: port, limits: limits, gate: { routes.refusal($0) }, handler: { routes.outcome($0) })
        else {
            entries.close()
            throw Failure.portIsTaken(port)
        }
        waker.set(daemon)
        (self.entries, self.daemon) = (entries, daemon)
    }

    package var port: UInt16 { daemon.port }

    /// Ends the service, after the current requests.
    package func stop() {
        daemon.stop()
        entries.close()
    }

    /// Wakes the requests that wait for news of a group. It does not keep the daemon.
    private final class Waker: Sendable {
        private struct Target {
            weak var daemon: Daemon?
        }

        private let target = Mutex(Target())

        func set(_ daemon: Daemon) { target.withLock { $0.daemon = daemon } }
        func wake(_ group: String) { target.withLock { $0.daemon }?.wake(group) }
    }
}

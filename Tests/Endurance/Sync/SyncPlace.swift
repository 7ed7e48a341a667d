#if Sync
    import CFaultVFS
    import Foundation
    import PersistentObjects
    import PersistentSync
    import SyncService

    /// Where the devices of a run exchange files.
    enum SyncPlace: Sendable {
        case folder
        /// A service on a port of this machine, with the token of an account.
        case service(port: UInt16, token: String)

        func sync(
            _ store: Store, _ folder: String, _ device: String, _ settings: Sync.Configuration
        ) throws -> Sync {
            switch self {
            case .folder:
                return try Sync(
                    store, through: .folder(URL(filePath: "\(folder)/shared")), device: device, configuration: settings)
            case .service(let port, let token):
                let url = try found(URL(string: "http://127.0.0.1:\(port)"), "no address")
                return try Sync(store, through: .http(url, account: token), device: device, configuration: settings)
            }
        }

        /// Whether an error is expected while the run goes on.
        func permits(_ error: SyncError) -> Bool {
            if case .service = self { [.notReachable, .quota].contains(error.code) } else { false }
        }
    }

    /// A process with a service, which is killed, and whose disk is full at times.
    struct SyncServiceProcess: Sendable {
        private let folder: String
        private let port: UInt16
        private let token: String
        private var file: String { "\(folder)/entries.sqlite" }
        var place: SyncPlace { .service(port: port, token: token) }

        /// Makes the file of a service with an account.
        init(in world: String) throws {
            folder = "\(world)/service"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            port = try Self.freePort()
            let (file, output) = ("\(folder)/entries.sqlite", "\(world)/token")
            try ChildProcess.run {
                var command = try ServiceCommand([file, "add", "Joe"])
                _ = try command.run { try? Data($0.utf8).write(to: URL(filePath: output)) }
            }
            token = try String(contentsOfFile: output, encoding: .utf8)
        }

        /// A service keeps its port when it is started again.
        private static func freePort() throws -> UInt16 {
            try withAddress(port: 0) { socket, address, size in
                try require(bind(socket, address, size.pointee) == 0, "no free port")
                try require(getsockname(socket, address, size) == 0, "no free port")
                return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    UInt16(bigEndian: $0.pointee.sin_port)
                }
            }
        }

        /// Waits until the service accepts connections.
        func waitUntilServed() throws {
            for _ in 0..<6000 {
                let isServed = try Self.withAddress(port: port) { connect($0, $1, $2.pointee) == 0 }
                if isServed { return }
                // Nothing reports that another process accepts connections.
                usleep(10_000)
            }
            throw Failure("the service did not start")
        }

        /// Calls `body` with a new socket and an address of this machine.
        private static func withAddress<R>(
            port: UInt16, _ body: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) throws -> R
        ) throws -> R {
            let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(socket) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            return try withUnsafeMutablePointer(to: &address) { pointer in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { try body(socket, $0, &size) }
            }
        }

        /// Serves until it is killed.
        ///
        /// - Parameter seed: The times at which the disk is full; nil if it never is.
        func serve(_ seed: UInt64?) throws {
            let watch = po_watch_folder(folder)
            let service = try start()
            defer { service.stop() }
            // The threads of the service work until the process is killed.
            guard let seed else { while true { sleep(1000) } }
            var random = Randomness(seed)
            while true {
                // How long there is room on the disk, and how long there is none.
                usleep(UInt32(random.logarithmic(200)) * 1000)
                po_arm(watch, PO_CHANGES.rawValue, 1, PO_FULL, true)
                usleep(UInt32(random.logarithmic(50)) * 1000)
                po_disarm(watch)
            }
        }

        private func start() throws -> SyncService {
            let limit = ContinuousClock.now + .seconds(60)
            while true {
                // The system may not have freed the port of the process that was killed.
                do { return try SyncService(file: file, port: port) } catch {
                    guard ContinuousClock.now < limit else { throw error }
                }
                // Until the next attempt.
                usleep(10_000)
            }
        }
    }
#endif

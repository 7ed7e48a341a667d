#if PostgreSQL
    import Foundation
    import PersistentObjects
    import PersistentTransfer

    /// The time and memory of copying players from a file to a server.
    ///
    /// It is compared with hand-written code that reads the rows of the file and sends them with COPY. The library also
    /// compares all rows of both stores at the end.
    struct ServerCopy {
        let options: Options
        let address: String

        /// The schema of the copy, to which `address` must lead.
        static let schema = "po_benchmarks_copy"
        private static let part = 10_000

        func run() throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(at: folder) }
            let path = folder.appendingPathComponent("players.sqlite").path
            try fill(path)
            print("\ncopy of \(options.rows) players from a file to a server")
            print("        library       COPY   ratio   more memory")
            for _ in 0..<options.rounds {
                let server = try FloorServer(address)
                try server.execute("SET client_min_messages = warning")
                try server.execute("DROP SCHEMA IF EXISTS \(Self.schema) CASCADE")
                try server.execute("CREATE SCHEMA \(Self.schema)")
                defer { try? server.execute("DROP SCHEMA \(Self.schema) CASCADE") }
                let (ours, memory) = try copy(path)
                try server.execute("TRUNCATE player")
                let floor = try copyByHand(path, server)
                print(
                    String(
                        format: "%13.2f s %8.2f s %7.2f %10.0f MB", ours / 1e9, floor / 1e9, ours / floor,
                        Double(memory) / 1e6))
            }
        }

        private func fill(_ path: String) throws {
            let store = try Store(path, configuration: .init(durability: .relaxed))
            defer { store.close() }
            for first in stride(from: 1, through: options.rows, by: Self.part) {
                let numbers = first...min(options.rows, first + Self.part - 1)
                try store.withSession { session in
                    try session.save(numbers.map { Player(PlayerData($0, rows: options.rows)) })
                }
            }
        }

        /// The nanoseconds, and the bytes that the process needs in addition.
        private func copy(_ path: String) throws -> (time: Double, memory: Int) {
            let (file, server) = (try Store(path), try Store(.postgres(address)))
            defer {
                file.close()
                server.close()
            }
            let before = try ResidentMemory.bytes()
            var most = before
            let (count, time) = try Stopwatch.time {
                try file.copy([Player.self], to: server) { _ in most = max(most, try ResidentMemory.bytes()) }
            }
            guard count == options.rows else { throw Incomplete(count: count) }
            return (time, most - before)
        }

        private func copyByHand(_ path: String, _ server: FloorServer) throws -> Double {
            let database = try FloorDatabase(path, noMutex: options.floorNoMutex)
            defer { database.close() }
            let columns = FloorServerPlayers.columns
            let rows = try database.prepare("SELECT id, \(columns) FROM player ORDER BY id")
            let players = try FloorServerPlayers(server)
            return try Stopwatch.time {
                try players.insert { try rows.step() ? FloorPlayer(row: rows) : nil }
            }.nanoseconds
        }

        private struct Incomplete: Error, CustomStringConvertible {
            let count: Int

            var description: String { "only \(count) players were copied" }
        }
    }
#endif

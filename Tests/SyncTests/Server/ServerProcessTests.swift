#if Sync && PostgreSQL
    import Foundation
    import PersistentObjects
    import PersistentSync
    import TestSupport
    import Testing

    /// Processes, each with a store, that share a server.
    @Suite(.ownProcesses, .onSQLite("the devices are files")) struct ServerProcessTests {
        private static let names = ["Ann", "Bob", "Cid"]
        /// The file that exists after the last restart.
        private static let marker = "/restarted"
        private static let count = 10

        @Test func `three processes over a server that is restarted show the same objects`() async throws {
            let server = try RestartablePostgres()
            let place = try TemporaryStore()
            let folder = place.folder.path(percentEncoded: false)
            try await Self.makeGroup(server.address, folder)
            let restarts = Task {
                defer { _ = FileManager.default.createFile(atPath: folder + Self.marker, contents: nil) }
                for _ in 1...2 {
                    // The processes work on in between.
                    try await Task.sleep(for: .seconds(1))
                    try server.restart()
                }
            }
            await withTaskGroup(of: Void.self) { tasks in
                for name in Self.names {
                    tasks.addTask {
                        await #expect(processExitsWith: .success) {
                            [name = name as String, address = server.address as String, folder = folder as String] in
                            try await ServerProcessTests.work(name, address, folder)
                        }
                    }
                }
            }
            try await restarts.value
            let titles = try Self.names.map { name in
                try SQLiteTool.run("\(folder)/\(name).sqlite", "SELECT hex(key), title FROM memo ORDER BY key")
            }
            expect(titles[1], titles[0])
            expect(titles[2], titles[0])
            expect(titles[0].split(separator: "\n").count, 3 * Self.count)
        }

        private static func makeGroup(_ address: String, _ folder: String) async throws {
            let devices = try names.map { try ServerDevice($0, .postgres(address), in: URL(filePath: folder)) }
            let group = try await devices[0].sync.makeGroup("Family")
            for device in devices.dropFirst() { _ = try await device.sync.join(try await group.invitation()) }
            for _ in 0..<2 {
                for device in devices { try await device.sync.meet() }
            }
            for device in devices { device.store.close() }
        }

        /// Inserts objects with rounds in between, and meets until those of all processes are here.
        private static func work(_ name: String, _ address: String, _ folder: String) async throws {
            let device = try ServerDevice(name, .postgres(address), in: URL(filePath: folder))
            let group = try #require(try device.sync.groups.first)
            func meet() async throws {
                let problems = try await device.sync.meet().problems
                try #require(problems.allSatisfy { $0.error.code == .notReachable }, "\(problems)")
            }
            for number in 1...count {
                try device.insert("\(name) \(number)", in: group)
                try await meet()
                // So that the restarts come in the middle of the work.
                try await Task.sleep(for: .milliseconds(200))
            }
            let limit = ContinuousClock.now + .seconds(240)
            func isDone() throws -> Bool {
                try device.titles.count == 3 * count && FileManager.default.fileExists(atPath: folder + marker)
            }
            while try !isDone(), ContinuousClock.now < limit {
                try await meet()
                // The other processes need the processor.
                try await Task.sleep(for: .milliseconds(100))
            }
            // Other processes may still wait for the last batch of this one, and the server may not have started yet.
            while try await !device.sync.meet().problems.isEmpty { try await Task.sleep(for: .milliseconds(100)) }
            device.store.close()
        }
    }
#endif

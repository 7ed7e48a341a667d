#if Sync
    import Foundation
    import PersistentObjects
    import PersistentSync
    import TestSupport
    import Testing

    /// Two processes, each with a store, that share a folder.
    @Suite(.ownProcesses) struct SyncProcessTests {
        @Test func `two processes show the same objects`() async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sync-\(UUID().uuidString)").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try await Self.makeGroup(folder)
            async let ann = #expect(processExitsWith: .success) { [folder = folder as String] in
                try await SyncProcessTests.work("Ann", folder)
            }
            async let bob = #expect(processExitsWith: .success) { [folder = folder as String] in
                try await SyncProcessTests.work("Bob", folder)
            }
            _ = await (ann, bob)
            let titles = try ["Ann", "Bob"].map { name in
                try SQLiteTool.run("\(folder)/\(name).sqlite", "SELECT hex(key), title FROM memo ORDER BY key")
            }
            expect(titles[0], titles[1])
            expect(titles[0].split(separator: "\n").count, 40)
        }

        private static func device(_ name: String, _ folder: String) throws -> (Store, Sync) {
            let store = try Store("\(folder)/\(name).sqlite")
            try store.prepare(Memo.self)
            let sync = try Sync(
                store, through: .folder(URL(filePath: "\(folder)/shared")), device: name,
                configuration: .init(stateFolder: URL(filePath: "\(folder)/keys-\(name)")))
            return (store, sync)
        }

        private static func makeGroup(_ folder: String) async throws {
            let ((annStore, ann), (bobStore, bob)) = (try device("Ann", folder), try device("Bob", folder))
            let group = try await ann.makeGroup("Family")
            _ = try await bob.join(try await group.invitation())
            for sync in [ann, bob, ann] { try await sync.meet() }
            annStore.close()
            bobStore.close()
        }

        /// Inserts 20 objects with rounds in between, and meets until all 40 are here.
        private static func work(_ name: String, _ folder: String) async throws {
            let (store, sync) = try device(name, folder)
            let group = try #require(try sync.groups.first)
            for number in 1...20 {
                try store.withSession { _ in
                    let memo = Memo()
                    memo.title = "\(name) \(number)"
                    try memo.save()
                    try group.add(memo)
                }
                if number % 3 == 0 { try await sync.meet() }
            }
            let limit = ContinuousClock.now + .seconds(240)
            while try store.withSession({ _ in try Memo.count() }) < 40, ContinuousClock.now < limit {
                try await sync.meet()
                try await Task.sleep(for: .milliseconds(50))
            }
            // The other process may still wait for the last batch of this one.
            try await sync.meet()
            store.close()
        }
    }
#endif

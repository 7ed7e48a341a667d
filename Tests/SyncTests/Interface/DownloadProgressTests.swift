#if Sync
    import Foundation
    import PersistentObjects
    import PersistentSync
    import TestSupport
    import Testing

    /// A folder on a slow network.
    private struct SlowTransport: SyncTransport {
        let folder: FolderTransport
        /// Whether a reader of the states has seen a download.
        let isSeen: @Sendable () -> Bool
        private let logs = Recorder<SyncEntry>()

        init(_ folder: FolderTransport, isSeen: @escaping @Sendable () -> Bool) {
            (self.folder, self.isSeen) = (folder, isSeen)
        }

        func list(_ group: String, after cursor: String?) async throws -> SyncListing {
            try await folder.list(group, after: cursor)
        }

        func read(_ entry: SyncEntry, from offset: Int) async throws -> [UInt8] {
            // A slow connection: the state is reported only during long downloads.
            try await Task.sleep(for: .milliseconds(300))
            if entry.path.contains("/log/") {
                // A reader that is late receives only the newest state, so the second file waits for the reader.
                if !logs.all.isEmpty { try await waitUntil(isSeen) }
                logs.add(entry)
            }
            return try await folder.read(entry, from: offset)
        }

        func write(_ entry: SyncEntry, _ bytes: [UInt8]) async throws { try await folder.write(entry, bytes) }
        func remove(_ entry: SyncEntry) async throws { try await folder.remove(entry) }
    }

    @Suite struct DownloadProgressTests {
        @Test func `states report the progress of a long download, and not of a short one`() async throws {
            let pair = try StorePair()
            let group = try await pair.makeGroup()
            let downloads = Recorder<Sync.Download?>()
            let transport = SlowTransport(.folder(pair.folder.appendingPathComponent("shared"))) {
                downloads.all.contains { $0 != nil }
            }
            let slow = try Sync(
                pair.bob, through: transport, device: "Bob",
                configuration: .init(stateFolder: pair.folder.appendingPathComponent("keys")))
            let reading = Task { for await state in slow.states { downloads.add(state.download) } }
            defer { reading.cancel() }
            for number in 1...4 {
                try pair.insert("\(number)", in: group)
                try await pair.annSync.meet()
            }
            expect(try await slow.meet().problems, [])
            try await waitUntil { downloads.all.contains { $0 != nil } && downloads.all.last == .some(nil) }
            let reported = downloads.take().compactMap(\.self)
            #expect(!reported.isEmpty)
            #expect(Set(reported.map(\.totalBytes)).count == 1)
            let fractions = reported.map(\.fraction)
            #expect(fractions == fractions.sorted() && fractions.allSatisfy { (0...1).contains($0) }, "\(fractions)")
            expect(try await slow.meet().receivedBatches, 0)
            expect(downloads.take().compactMap(\.self), [])
        }
    }
#endif

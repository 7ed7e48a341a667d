#if Sync
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// The reports of files that others add to a folder.
    @Suite struct FolderHintTests {
        private let group = GroupID(1)

        private func entry(_ device: UInt128, _ name: String) throws -> SyncEntry {
            try #require(SyncEntry(group, .log(DeviceID(device)), name: name, size: 1))
        }

        @Test func `files that others add or complete are reported, also in folders that are new`() async throws {
            let place = try TemporaryStore()
            let folder = place.folder.appending(path: "shared")
            let transport = FolderTransport(folder)
            let hints = Recorder<Bool>()
            let task = Task {
                for await _ in transport.hints([HexName.text(group.number)]) { hints.add(true) }
            }
            defer { task.cancel() }
            func expectHint(_ body: () async throws -> Void) async throws {
                // Until the reports of earlier files have arrived.
                repeat { try await Task.sleep(for: .milliseconds(300)) } while !hints.take().isEmpty
                try await body()
                try await waitUntil { !hints.all.isEmpty }
            }
            try await waitUntil { !hints.all.isEmpty }
            // A folder that did not exist.
            try await expectHint {
                try await transport.write(try entry(1, "0-1-0a1b2c3d"), [1])
            }
            // A file.
            try await expectHint { try await transport.write(try entry(1, "1-2-0a1b2c3d"), [1]) }
            // A new device.
            try await expectHint { try await transport.write(try entry(2, "0-1-0a1b2c3d"), [1]) }
            // The file of a new device.
            try await expectHint {
                try await transport.write(try entry(2, "1-2-0a1b2c3d"), [1])
            }
            // A folder that is removed and made again.
            try await expectHint {
                try FileManager.default.removeItem(at: folder)
                try await transport.write(try entry(1, "2-3-0a1b2c3d"), [1])
            }
            #if os(Linux)
                // A file that is completed changes no date of a folder.
                let log = folder.appending(path: "\(HexName.text(group.number))/log/\(HexName.text(1))")
                let file = try FileHandle(forWritingTo: log.appending(path: "2-3-0a1b2c3d.posb"))
                try await expectHint {
                    try file.write(contentsOf: Data([2]))
                    try file.close()
                }
            #endif
        }
    }
#endif

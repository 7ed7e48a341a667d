#if Sync
    import Foundation
    import PersistentObjectsTesting
    import PersistentSync
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// The transports, and what a folder may contain besides.
    @Suite struct TransportTests {
        private let group = GroupID(1)

        private func withFolder(_ body: (URL, FolderTransport) async throws -> Void) async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sync-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            try await body(folder, FolderTransport(folder.path))
        }

        private func entry(_ name: String, _ size: Int) throws -> SyncEntry {
            try #require(SyncEntry(group, .log(DeviceID(1)), name: name, size: size))
        }

        @Test func `the transport in memory satisfies the rules of transports`() async throws {
            try await checkTransport(MemoryTransport())
        }

        @Test(arguments: MemoryTransport.Fault.allCases)
        func `checkTransport reports a transport that breaks a rule`(_ fault: MemoryTransport.Fault) async {
            let error = await #expect(throws: TransportProblems.self) {
                try await checkTransport(MemoryTransport(fault))
            }
            #expect((1..<60).contains(error?.problems.count ?? 0), "\(String(describing: error))")
        }

        @Test func `a path names an entry in one way`() throws {
            let (group, device) = (String(repeating: "a1", count: 16), String(repeating: "0f", count: 16))
            for path in ["members/m-1", "log/\(device)/0-1-0a1b2c3d", "snapshots/S", "blobs/b"] {
                expect(SyncEntry(path: "\(group)/\(path)", size: 3)?.path, "\(group)/\(path)")
            }
            let wrong = [
                "", "/", group, "\(group)/members", "\(group)/members/", "\(group)/members/a/b", "\(group)/others/a",
                "\(group)/log/a", "\(group)/log/\(device.uppercased())/a", "\(group.uppercased())/members/a",
                "../members/a", "\(group)/members/..", "\(group)/members/a.b", "/\(group)/members/a", "\(group)//a",
            ]
            for path in wrong { expect(SyncEntry(path: path, size: 3), nil) }
            expect(SyncEntry(path: "\(group)/members/a", size: -1), nil)
        }

        @Test func `a folder satisfies the rules of transports, and keeps no temporary files`() async throws {
            try await withFolder { folder, transport in
                try await checkTransport(transport)
                let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
                #expect(!names.contains { $0.contains("partial") }, "\(names)")
                #expect(!names.contains { $0.hasSuffix(".posb") }, "\(names)")
            }
        }

        @Test func `a folder ignores conflicted copies, placeholders, links and the files of other programs`()
            async throws
        {
            try await withFolder { folder, transport in
                let batch = try entry("1-2-0a1b2c3d", 3)
                try await transport.write(batch, [1, 2, 3])
                let log = folder.appendingPathComponent(
                    "00000000000000000000000000000001/log/00000000000000000000000000000001")
                let others = [
                    "1-2-0a1b2c3d (Joe's conflicted copy 2026-11-28).posb", "1-2-0a1b2c3d 2.posb",
                    ".3-4-0a1b2c3d.posb.icloud", ".1-2-0a1b2c3d.77.partial", "notes.txt", "Thumbs.db", ".DS_Store",
                    "\(String(repeating: "a", count: 101)).posb", ".posb", "ä.posb", "1-2-0a1b2c3d.POSB",
                    "1-2-0a1b2c3d.posb.sync-conflict-20261128-220000-ABCDEFG.posb",
                ]
                for name in others { try Data([1]).write(to: log.appendingPathComponent(name)) }
                try Data().write(to: log.appendingPathComponent("5-6-00000000.posb"))
                let files = FileManager.default
                try files.createDirectory(
                    at: log.appendingPathComponent("7-8-00000000.posb"), withIntermediateDirectories: true)
                try files.createSymbolicLink(
                    at: log.appendingPathComponent("9-9-00000000.posb"),
                    withDestinationURL: URL(fileURLWithPath: "/etc/passwd"))
                for name in ["somebody's folder", "ABCDEF", "0000000000000000000000000000000A"] {
                    try files.createDirectory(
                        at: log.deletingLastPathComponent().appendingPathComponent(name),
                        withIntermediateDirectories: true)
                }
                try Data([1]).write(to: log.deletingLastPathComponent().appendingPathComponent("file"))
                try Data([1]).write(to: folder.appendingPathComponent("readme.txt"))
                expect(try await transport.list(group, after: nil).entries, [batch])
            }
        }

        @Test func `a batch that a service copied in part is damaged, and complete later`() async throws {
            try await withFolder { folder, transport in
                let keys = BatchBytes()
                let bytes = try keys.bytes(of: BatchBytes.some(2)[1])
                let batch = try entry("1-2-0a1b2c3d", bytes.count)
                try await transport.write(batch, bytes)
                let file = folder.appendingPathComponent(
                    "00000000000000000000000000000001/log/00000000000000000000000000000001/1-2-0a1b2c3d.posb")
                try Data(bytes.prefix(bytes.count / 2)).write(to: file)
                expect(keys.code(try await transport.read(batch, from: 0)), .damagedBatch)
                expect(try await transport.list(group, after: nil).entries.map(\.size), [bytes.count / 2])
                try Data(bytes).write(to: file)
                expect(keys.code(try await transport.read(batch, from: 0)), nil)
            }
        }

        @Test func `after failures a call is repeated after 1, 2, 4 seconds and so on, up to five minutes`() {
            for (failures, seconds) in [1: 1.0, 2: 2, 3: 4, 8: 128, 9: 256, 10: 300, 100: 300] {
                for _ in 0..<20 {
                    let delay = Backoff.delay(after: failures) / .seconds(1)
                    #expect((seconds...seconds * 1.25).contains(delay), "\(failures): \(delay)")
                }
            }
        }

        @Test func `a name is at most a hundred letters, digits and hyphens`() {
            for name in ["", "a/b", "..", "a b", "ä", String(repeating: "a", count: 101), "a.b"] {
                expect(SyncEntry(group, .members, name: name, size: 1), nil)
            }
            #expect(SyncEntry(group, .members, name: String(repeating: "a", count: 100), size: 1) != nil)
        }

        @Test func `a folder that cannot be written is reported, and nothing is lost`() async throws {
            try await withFolder { folder, transport in
                try Data([1]).write(to: folder)
                let batch = try entry("1-2-0a1b2c3d", 1)
                let error = await #expect(throws: SyncError.self) { try await transport.write(batch, [1]) }
                expect(error?.code, .notReachable)
                expect(try Data(contentsOf: folder), Data([1]))
                expect(try await transport.list(group, after: nil).entries, [])
            }
        }
    }
#endif

import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

#if os(Linux)
    /// Backups to a disk without space for the copy. The disk is a small file system in memory, which only root can
    /// mount.
    @Suite(.enabled(if: SmallDisk.isAvailable, "no small file system can be mounted here"))
    struct BackupRoomTests {
        @Test func `on a full disk, a backup throws an error and leaves no part of the copy`() throws {
            try withCareStore { store, file throws in
                try store.withSession { session throws in
                    let person = CarePerson()
                    person.photo = Data(repeating: 7, count: 4_000_000)
                    try session.save(person)
                }
                let disk = try SmallDisk()
                defer { disk.unmount() }
                let error = #expect(throws: StoreError.self) { try store.backup(to: disk.path + "/copy.sqlite") }
                #expect(error?.code == .diskFull)
                #expect(error?.message.contains("no disk space for the copy") == true)
                #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).isEmpty)
                // An existing file at the destination stays unchanged.
                _ = try SQLiteTool.run(disk.path + "/copy.sqlite", "CREATE TABLE other (x)")
                #expect(careCode { try store.backup(to: disk.path + "/copy.sqlite", replacing: true) } == .diskFull)
                #expect(try SQLiteTool.run(disk.path + "/copy.sqlite", "SELECT count(*) FROM other") == "0")
                #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["copy.sqlite"])
            }
        }
    }

    /// A file system of one megabyte.
    private struct SmallDisk {
        let path: String

        static let isAvailable: Bool = {
            guard let disk = try? SmallDisk() else { return false }
            disk.unmount()
            return true
        }()

        init() throws {
            path = FileManager.default.temporaryDirectory.appending(path: "po-disk-\(UUID().uuidString)").path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            guard SmallDisk.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", path]) else {
                try FileManager.default.removeItem(atPath: path)
                throw CocoaError(.fileWriteNoPermission)
            }
        }

        func unmount() {
            _ = SmallDisk.run(["umount", path])
            try? FileManager.default.removeItem(atPath: path)
        }

        private static func run(_ arguments: [String]) -> Bool {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = arguments
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }
    }
#endif

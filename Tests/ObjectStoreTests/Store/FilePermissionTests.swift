import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The permissions of files that a store creates.
struct FilePermissionTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
    }

    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `only the owner can read and write the files of a store`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try store.withSession { _ throws in
            try Person().save()
            for end in ["", "-wal", "-shm"] { try expect(permissions(file.path + end), 0o600, "\(end)") }
        }
    }

    @Test func `filePermissions can share the files with a group`() throws {
        let file = try TemporaryStore()
        // The permissions after the process's umask was applied.
        let sample = file.path + ".sample"
        close(open(sample, O_CREAT | O_WRONLY, 0o664))
        let store = try file.open(configuration: .init(filePermissions: 0o664))
        try store.withSession { _ throws in
            try Person().save()
            for end in ["", "-wal", "-shm"] {
                try expect(permissions(file.path + end), permissions(sample), "\(end)")
            }
        }
    }

    @Test func `an existing file keeps its permissions, and its log gets the same`() throws {
        let file = try TemporaryStore()
        _ = try file.sqlite("PRAGMA user_version = 0")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        let store = try file.open()
        try store.withSession { _ throws in
            try Person().save()
            for end in ["", "-wal", "-shm"] { try expect(permissions(file.path + end), 0o644, "\(end)") }
        }
    }

    @Test(arguments: [0, 0o400, 0o200, 0o066, 0o1600, 0o7777] as [UInt16])
    func `permissions that exclude the owner are refused, and no file is created`(permissions: UInt16) throws {
        let file = try TemporaryStore()
        let error = try #require(throws: StoreError.self) {
            try file.open(configuration: .init(filePermissions: permissions))
        }
        #expect(error.code == .misuse && error.message.contains("filePermissions"))
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `only the user can read a temporary store, and its files are deleted with it`() throws {
        var store: Store? = try .temporary()
        let path = try #require(store?.path)
        let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        try store?.withSession { _ in try Person().save() }
        #expect(try permissions(folder) == 0o700 && permissions(path) == 0o600)
        store = nil
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func `unused temporary folders are removed, and no other folders`() throws {
        let files = FileManager.default
        let file = try TemporaryStore()
        let parent = String(file.path.prefix { $0 != "\0" }.dropLast("/store.sqlite".count))
        let target = parent + "/target"
        let dead = parent + "/persistent-objects-dead"
        let young = parent + "/persistent-objects-young"
        let other = parent + "/PersistentObjects-other"
        let link = parent + "/persistent-objects-link"
        for folder in [target, dead, young, other] {
            try files.createDirectory(atPath: folder, withIntermediateDirectories: false)
            try Data([1]).write(to: URL(filePath: folder + "/store.sqlite"))
        }
        try files.createSymbolicLink(atPath: dead + "/link", withDestinationPath: target)
        try files.createSymbolicLink(atPath: link, withDestinationPath: target)
        var living: TemporaryFolder? = try TemporaryFolder(in: parent)
        let used = try #require(living?.path)
        for folder in [target, dead, other, used] {
            try files.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: folder)
        }
        TemporaryFolder.sweep(parent)
        #expect(!files.fileExists(atPath: dead))
        for path in [target + "/store.sqlite", young, other, link, used] {
            #expect(files.fileExists(atPath: path), "\(path)")
        }
        living = nil
        #expect(!files.fileExists(atPath: used))
        // A parent folder that cannot be read causes no error.
        TemporaryFolder.sweep(parent + "/nothing")
    }
}

import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

/// A file with several names, and several stores on one file.
@Suite struct LinkedFileTests {
    private func withLink(_ body: (TemporaryStore, String) throws -> Void) throws {
        let file = try TemporaryStore()
        try file.fill(3)
        let other = file.folder.path(percentEncoded: false) + "other.sqlite"
        try FileManager.default.linkItem(atPath: file.path, toPath: other)
        try body(file, other)
    }

    // Each name has a separate log, so two programs would each write half of the commits into one file.
    @Test func `a file with two hard links is rejected with the reason, and opens when one link is deleted`() throws {
        try withLink { file, other in
            for path in [file.path, other] {
                let error = try #require(throws: StoreError.self) { _ = try Store(path) }
                #expect(error.code == .cannotOpen && error.message.contains("2 names (hard links)"))
                #expect(error.message.contains(path))
            }
            try FileManager.default.removeItem(atPath: other)
            try file.open().withSession { _ throws in #expect(try Person.count() == 3) }
        }
    }

    @Test func `a file with two hard links can be opened read-only`() throws {
        try withLink { _, other in
            try Store(other, configuration: .init(isReadOnly: true)).withSession { _ throws in
                try expect(Person.count(), 3)
            }
        }
    }

    @Test(arguments: ["", "-wal", "-shm"])
    func `a store's own files cannot be the target of an export or the source of an import`(_ end: String) throws {
        try withTemporarySession(.quiet) { session, file throws in
            try person("first").save()
            let link = file.folder.appending(path: "link")
            try FileManager.default.createSymbolicLink(
                atPath: link.path(percentEncoded: false), withDestinationPath: file.path + end)
            for url in [URL(filePath: file.path + end), link] {
                #expect(throws: TransferError.self) { try session.store.export(Person.self, to: url) }
                #expect(throws: TransferError.self) { try session.store.import(Person.self, from: url) }
            }
            // The locks are still held: another process that closes the file does not assume that it has the last
            // connection.
            #expect(try file.peopleCount == 1)
            try person("second").save()
            #expect(try Person.count() == 2)
        }
    }

    @Test func `a hard link made while a store is open does not affect the store`() throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .quiet)
        let other = file.folder.path(percentEncoded: false) + "other.sqlite"
        try store.withSession { _ throws in try person("first").save() }
        try FileManager.default.linkItem(atPath: file.path, toPath: other)
        try store.withSession { _ throws in
            try person("second").save()
            // A connection that is opened now.
            try store.withSession { _ throws in try person("third").save() }
        }
        expect(code(of: { _ = try Store(other) }), .cannotOpen)
        try expect(file.peopleCount, 3)
    }

    @Test func `two stores on one file by different paths see each other's commits, and either can close`() throws {
        let file = try TemporaryStore()
        let link = file.folder.path(percentEncoded: false) + "link.sqlite"
        let store = try file.open(configuration: .quiet)
        try store.withSession { _ throws in try person("first").save() }
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
        let paths = [link, file.folder.path(percentEncoded: false) + "./store.sqlite"]
        for (number, path) in paths.enumerated() {
            let other = try Store(path, configuration: .quiet)
            try other.withSession { _ throws in
                try expect(Person.count(), 1 + 2 * number)
                try person("other").save()
            }
            // Closing a file releases the locks that the process holds on it. SQLite must recognize that both paths
            // are the same file.
            other.close()
            try store.withSession { _ throws in
                try person("mine").save()
                try expect(Person.count(), 3 + 2 * number)
            }
        }
        try expect(file.sqlite("PRAGMA integrity_check; SELECT count(*) FROM person"), "ok\n5")
        #expect(!FileManager.default.fileExists(atPath: link + "-wal"))
    }
}

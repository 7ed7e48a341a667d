import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

/// One file by several names, and one name for several stores.
@Suite struct LinkedFileTests {
    private func withLink(_ body: (TemporaryStore, String) throws -> Void) throws {
        let file = try TemporaryStore()
        try file.fill(3)
        let other = file.folder.path(percentEncoded: false) + "other.sqlite"
        try FileManager.default.linkItem(atPath: file.path, toPath: other)
        try body(file, other)
    }

    // Each name has a log of its own: two programs would each write half of the commits into one file.
    @Test func `a file with two names is refused by both, says why, and opens when one of them is gone`() throws {
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

    @Test func `it can be read, where nothing is written`() throws {
        try withLink { _, other in
            try Store(other, configuration: .init(isReadOnly: true)).withSession { _ throws in
                try expect(Person.count(), 3)
            }
        }
    }

    @Test(arguments: ["", "-wal", "-shm"])
    func `a store's own files are no place for an export, and nothing to import`(_ end: String) throws {
        try withTemporarySession(.quiet) { session, file throws in
            try person("first").save()
            let link = file.folder.appending(path: "link")
            try FileManager.default.createSymbolicLink(
                atPath: link.path(percentEncoded: false), withDestinationPath: file.path + end)
            for url in [URL(filePath: file.path + end), link] {
                #expect(throws: TransferError.self) { try session.store.export(Person.self, to: url) }
                #expect(throws: TransferError.self) { try session.store.import(Person.self, from: url) }
            }
            // The locks are there still: another process that closes the file does not take it for the last one's.
            #expect(try file.peopleCount == 1)
            try person("second").save()
            #expect(try Person.count() == 2)
        }
    }

    @Test func `a second name that is made while a store is open does not stop it`() throws {
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

    @Test func `two stores on one file by different paths see each other's commits, and one may close`() throws {
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
            // Closing a file ends the locks that the process has on it; SQLite must know that it is the same file.
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

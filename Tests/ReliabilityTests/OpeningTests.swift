import Foundation
import PersistentObjects
import TestSupport
import Testing

@Suite struct OpeningTests {
    @Test func `opening a missing file creates a store`() throws {
        let file = try TemporaryStore()
        try file.fill(3)
        try expect(file.peopleCount, 3)
    }

    @Test func `opening an empty file creates a store`() throws {
        let file = try TemporaryStore()
        try file.write(Data())
        try file.fill(3)
        try expect(file.peopleCount, 3)
    }

    @Test func `opening a folder throws`() throws {
        let file = try TemporaryStore()
        for path in [file.folder.path(percentEncoded: false), "/", file.folder.path(percentEncoded: false) + "/"] {
            let error = try #require(throws: StoreError.self) { _ = try Store(path) }
            expect(error.code, .cannotOpen)
            #expect(error.message.contains("it is a folder"))
        }
    }

    @Test func `opening a path in a missing folder names the folder and does not create it`() throws {
        let file = try TemporaryStore()
        let folder = file.folder.path(percentEncoded: false) + "/missing"
        let error = try #require(throws: StoreError.self) { _ = try Store(folder + "/store.sqlite") }
        expect(error.code, .cannotOpen)
        #expect(error.message.contains("there is no folder \(folder)"))
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func `opening a path with a file in place of a folder throws`() throws {
        let file = try TemporaryStore()
        try file.fill(1)
        let error = try #require(throws: StoreError.self) { _ = try Store(file.path + "/store.sqlite") }
        expect(error.code, .cannotOpen)
    }

    @Test func `opening an empty path throws`() throws {
        expect(code(of: { _ = try Store("") }), .cannotOpen)
    }

    @Test func `each store at the path :memory: is a separate store in memory`() throws {
        let files = Set(try FileManager.default.contentsOfDirectory(atPath: "."))
        let (store, other) = (try Store(":memory:"), try Store(":memory:"))
        try store.withSession { session in try session.save([person("Smith"), person("Jones")]) }
        try store.withSession { _ throws in try expect(Person.count(), 2) }
        try other.withSession { _ throws in try expect(Person.count(), 0) }
        #expect(store.path == nil)
        #expect(!Set(try FileManager.default.contentsOfDirectory(atPath: ".")).subtracting(files).contains(":memory:"))
    }

    @Test func `a path that contains NUL is rejected, and no file with the truncated name is created`() throws {
        let file = try TemporaryStore()
        expect(code(of: { _ = try Store(file.path + "\0.old") }), .cannotOpen)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a file name that is too long is rejected`() throws {
        let file = try TemporaryStore()
        expect(code(of: { _ = try Store(file.path + String(repeating: "x", count: 5000)) }), .cannotOpen)
    }

    @Test func `opening a pipe or a device throws without waiting`() throws {
        let file = try TemporaryStore()
        expect(mkfifo(file.path, 0o600), 0)
        for path in [file.path, "/dev/null", "/dev/zero"] {
            expect(code(of: { _ = try Store(path) }), .cannotOpen)
        }
    }

    @Test(arguments: [
        "store #1?mode=memory", "file:x", ":memory:", "100 %25", "it's \"quoted\"", "группа", "🎉", "e\u{301}", " ",
        "a\nb", "-wal",
    ])
    func `a file can have any name`(_ name: String) throws {
        let file = try TemporaryStore()
        let path = file.folder.path(percentEncoded: false) + "/" + name
        do {
            let store = try Store(path, configuration: .quiet)
            try store.withSession { _ throws in try person("Smith").save() }
        }
        #expect(FileManager.default.fileExists(atPath: path))
        try Store(path).withSession { _ throws in try expect(Person.count(), 1) }
    }

    @Test func `a symbolic link to a store opens the store`() throws {
        let file = try TemporaryStore()
        try file.fill(2)
        let link = file.folder.path(percentEncoded: false) + "/link.sqlite"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
        let store = try Store(link, configuration: .quiet)
        try store.withSession { _ throws in
            try expect(Person.count(), 2)
            try person("Smith").save()
        }
        try expect(file.peopleCount, 3)
    }

    @Test func `a failed opening leaves no file open`() throws {
        let file = try TemporaryStore()
        try file.write(Data(repeating: 0x55, count: 10_000))
        expect(code(of: { _ = try file.open() }), .notADatabase)
        expect(openFiles(in: file.folder) ?? [], [])
    }
}

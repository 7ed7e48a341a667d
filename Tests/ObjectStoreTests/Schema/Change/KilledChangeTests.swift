import Foundation
@_spi(Locks) import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// A schema change that is interrupted at any moment leaves the file either old or new, and the next opening
/// continues it. A killed process leaves its files as they are, so the files are copied before each call of the
/// engine.
struct KilledChangeTests {
    enum Old {
        final class Person: PersistentObject {
            override class var tableName: String { "person" }
            @Unique var name = ""
            var age = 1
            var tag = "t"
            var words: [String] = ["1", "2"]
            @Searchable var note = "some words"
            @OnDelete(.cascade) var friend: Person?
        }
    }
    enum New {
        final class Person: PersistentObject {
            override class var tableName: String { "people" }
            override class var formerTableNames: [String] { ["person"] }
            @Column("full_name", renamedFrom: "name") var name = ""
            @Indexed var age = ""
            var tag: [String] = []
            var words: Set<Int> = []
            @Searchable var note: String?
            @OnDelete(.cascade) var friend: Person?
            @Unique var token = UUID()
        }
    }

    private static let rowCount = 300
    /// The state of each version in the file.
    private static let oldState = "SELECT count(*), sum(age), min(tag), count(DISTINCT name) FROM person"
    private static let newState =
        "SELECT count(*), sum(age), typeof(max(age)), count(DISTINCT full_name), count(DISTINCT token) FROM people"

    private func file() throws -> TemporaryStore {
        let file = try TemporaryStore()
        let store = try Store(file.path)
        defer { store.close() }
        try store.withSession { session throws in
            let people = (0..<Self.rowCount).map { _ in Old.Person() }
            for (index, person) in people.enumerated() {
                person.name = "person \(index) " + String(repeating: "x", count: 200)
                person.friend = people[(index + 1) % people.count]
            }
            try session.save(people)
        }
        return file
    }

    @Test func `a process killed at any moment leaves the file old or new, and the next opening continues`() throws {
        let file = try file()
        let copies = try TemporaryStore()
        let taken = Recorder<String>()
        let number = Recorder<Int>()
        let isDone = Locked(false)
        let step = Scale.isFull ? 40 : 160
        let engine = LoggingEngine { call in
            number.add(1)
            // Statements come in series, so each kind of moment occurs many times.
            guard number.all.count % step == 0 || call == "commit" || call == "begin" || isDone.withLock({ $0 }) else {
                return
            }
            let name = "copy\(number.all.count).sqlite"
            for ending in ["", "-wal"] {
                let from = file.path + ending
                guard FileManager.default.fileExists(atPath: from) else { continue }
                try? FileManager.default.copyItem(atPath: from, toPath: copies.folder.path + "/" + name + ending)
            }
            taken.add(name)
        }
        // A small cache, so that much data is in the log before the commit.
        let store = try Store(file.path, configuration: .init(cacheSize: 16 * 1024), engine: engine)
        try store.migrate("after") { session in
            try session.execute("CREATE TABLE done AS SELECT count(*) AS c FROM person")
            _ = try New.Person.count()
        }
        isDone.withLock { $0 = true }
        try store.withSession { _ throws in try expect(New.Person.count(), Self.rowCount) }
        store.close()
        #expect(taken.all.count > 10)
        let wanted = try file.sqlite(Self.newState)
        expect(wanted, "300|300|text|300|300")
        var (olds, news) = (0, 0)
        for name in taken.all {
            let path = copies.folder.path + "/" + name
            func sqlite(_ sql: String) throws -> String { try SQLiteTool.run(path, sql) }
            try expect(sqlite("PRAGMA integrity_check; PRAGMA foreign_key_check"), "ok", "\(name)")
            let isNew = try sqlite("SELECT count(*) FROM sqlite_schema WHERE name = 'people'") == "1"
            if isNew {
                news += 1
                try expect(sqlite(Self.newState), wanted, "\(name)")
                try expect(sqlite("SELECT count(*) FROM po_migration"), "1", "\(name)")
            } else {
                olds += 1
                try expect(sqlite(Self.oldState), "300|300|t|300", "\(name)")
                try expect(
                    sqlite("SELECT count(*) FROM sqlite_schema WHERE name IN ('done', 'po_migration')"), "0",
                    "\(name)")
            }
            // The next opening continues.
            let next = try Store(path)
            defer { next.close() }
            try next.migrate("after") { session in
                try session.execute("CREATE TABLE done AS SELECT count(*) AS c FROM person")
                _ = try New.Person.count()
            }
            try next.withSession { _ throws in
                #expect(try New.Person.count() == Self.rowCount && New.Person.search("words").count() == Self.rowCount)
            }
            try expect(sqlite(Self.newState), wanted, "\(name)")
        }
        #expect(olds > 5 && news > 0, "\(olds) \(news)")
    }
}

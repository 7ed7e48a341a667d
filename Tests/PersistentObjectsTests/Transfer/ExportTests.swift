import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

struct ExportTests {
    /// Opens a store and calls `body` with it and the URL of a file in its folder.
    static func withStore<R>(_ body: (Store, URL) throws -> R) throws -> R {
        try withTemporaryStore { store, file in try body(store, file.folder.appending(path: "out.jsonl")) }
    }

    static func text(_ url: URL) throws -> String { try String(contentsOf: url, encoding: .utf8) }

    private static func fill(_ store: Store) throws {
        try store.withSession { session in
            let acme = Firm()
            acme.name = "Acme"
            let joe = Worker()
            (joe.name, joe.firm) = ("Joe, \"J\"", acme)
            let ann = Boss()
            (ann.name, ann.age, ann.bonus, ann.mate) = ("", 39, 7, joe)
            ann.friends = [joe, ann, joe]
            ann.desks = ["a": acme]
            try session.save([joe, ann])
        }
    }

    @Test func `JSON Lines contain one object per line, and the class of subclasses`() throws {
        try ExportTests.withStore { store, url in
            try ExportTests.fill(store)
            try expect(store.export(Worker.self, to: url), 2)
            #expect(
                try ExportTests.text(url) == #"""
                    {"age":null,"badge":null,"desks":{},"firm":1,"friends":[],"id":1,"mate":null,"name":"Joe, \"J\""}
                    {"$class":"Boss","age":39,"badge":null,"bonus":7,"desks":{"a":1},"firm":null,"friends":[1,2,1],"id":2,"mate":1,"name":""}

                    """#)
            try expect(store.export(Boss.self, to: url), 1)
            #expect(try ExportTests.text(url).hasPrefix(#"{"age":39,"#))
        }
    }

    @Test(.onSQLite("PostgreSQL has no columns for values of any kind")) func `a line equals the json of the object`()
        throws
    {
        try ExportTests.withStore { store, url in
            var generator = SeededGenerator(seed: 3)
            let expected = try store.withSession { session in
                let all = try (0..<20).map { _ in try Everything.filled(&generator) }
                try session.save(all)
                return try all.map { try $0.json }
            }
            try store.export(Everything.self, to: url)
            let lines = try Data(contentsOf: url).split(separator: 10)
            expect(lines.count, 20)
            for (line, json) in zip(lines, expected) { expect(Data(line), json) }
        }
    }

    @Test func `several classes are exported to one file, referenced classes first`() throws {
        try ExportTests.withStore { store, url in
            try ExportTests.fill(store)
            try expect(store.export([Worker.self, Firm.self], to: url, as: .json), 3)
            let list = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [[String: Any]])
            expect(list.map { $0["$class"] as? String }, ["Firm", "Worker", "Boss"])
        }
    }

    @Test func `CSV has a header, quotes where needed, and empty cells for nil`() throws {
        try ExportTests.withStore { store, url in
            try ExportTests.fill(store)
            try store.export(Worker.self, to: url, as: .csv)
            let lines = try ExportTests.text(url).components(separatedBy: "\r\n")
            #expect(
                lines == [
                    "$class,id,name,age,firm,mate,friends,desks,badge,bonus",
                    #",1,"Joe, ""J""",,1,,[],{},,"#,
                    #"Boss,2,"",39,,1,"[1,2,1]","{""a"":1}",,7"#, "",
                ])
            #expect(throws: TransferError.self) { try store.export([Worker.self, Firm.self], to: url, as: .csv) }
        }
    }

    @Test func `a class without objects gives an empty file of its format`() throws {
        try ExportTests.withStore { store, url in
            try expect(store.export(Firm.self, to: url), 0)
            #expect(try ExportTests.text(url).isEmpty)
            try store.export(Firm.self, to: url, as: .json)
            try expect(ExportTests.text(url), "[\n]\n")
            try store.export(Firm.self, to: url, as: .csv)
            try expect(ExportTests.text(url), "id,name\r\n")
        }
    }

    @Test func `a cancelled export keeps the old file and leaves no temporary file`() throws {
        try ExportTests.withStore { store, url in
            try store.withSession { session in try session.save((0..<2500).map { _ in Firm() }) }
            try Data("before".utf8).write(to: url)
            var reports: [Int64] = []
            #expect(throws: CancellationError.self) {
                try store.export(Firm.self, to: url) { progress in
                    reports.append(progress.completedUnitCount)
                    #expect(progress.totalUnitCount == 2500)
                    if progress.completedUnitCount > 1500 { progress.cancel() }
                }
            }
            #expect(reports == [1, 1001, 2001])
            let progress = Progress(totalUnitCount: 1)
            progress.cancel()
            #expect(throws: CancellationError.self) { try store.export(Firm.self, to: url, progress: progress) }
            #expect(try ExportTests.text(url) == "before")
            let names = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
            #expect(names.allSatisfy { !$0.contains("out.jsonl.") }, "\(names)")
            let whole = Progress(totalUnitCount: 1)
            try store.export(Firm.self, to: url, progress: whole)
            #expect(whole.completedUnitCount == 2500 && whole.fractionCompleted == 1)
        }
    }

    @Test func `the exported file has the permissions of the store file`() throws {
        try withTemporaryStore(.init(filePermissions: 0o640)) { store, file in
            let url = file.folder.appending(path: "out.jsonl")
            try store.export(Firm.self, to: url)
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            expect((attributes[.posixPermissions] as? NSNumber)?.intValue, 0o640)
        }
    }

    @Test func `an export that is not possible throws`() throws {
        try ExportTests.withStore { store, url in
            let missing = url.deletingLastPathComponent().appending(path: "no/such/file")
            #expect(throws: TransferError.self) { try store.export(Firm.self, to: missing) }
            let web = try #require(URL(string: "https://example.org/x"))
            #expect(throws: TransferError.self) { try store.export(Firm.self, to: web) }
            #expect(throws: TransferError.self) { try store.export([], to: url) }
            let error = #expect(throws: TransferError.self) { try store.export([Worker.self, Boss.self], to: url) }
            expect(error?.message.contains("twice"), true)
        }
    }

    @Test(.onSQLite("PostgreSQL has no columns for values of any kind"))
    func `an invalid value in the store throws an error with class, property and row`() throws {
        try withTemporaryStore { store, file in
            try store.withSession { session throws in
                try session.save([Everything(), Everything()])
                try session.execute("UPDATE transfer_everything SET uuid = x'00' WHERE id = 2")
            }
            let url = file.folder.appending(path: "out.jsonl")
            let error = try #require(throws: StoreError.self) { try store.export(Everything.self, to: url) }
            #expect(error.className == "Everything" && error.property == "uuid" && error.rowID == 2)
            #expect(!FileManager.default.fileExists(atPath: url.path))
        }
    }

    @Test func `softly deleted objects and those outside the default scope are exported`() throws {
        try ExportTests.withStore { store, url in
            try store.withSession { session throws in
                let notes = [Note(), Note()]
                notes[0].isDraft = true
                try session.save(notes)
                try notes[1].delete()
                try expect(Note.count(), 0)
            }
            try expect(store.export(Note.self, to: url), 2)
        }
    }

    final class Note: PersistentObject {
        override class var tableName: String { "transfer_note" }
        override class var softDeletes: Bool { true }
        override class var defaultScope: Condition { Note.condition { !$0.isDraft } }
        var isDraft = false
        var deletedAt: Date?
    }
}

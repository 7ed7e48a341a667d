import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

/// Imports and exports that fail report the reason and leave no partial result.
struct TransferRefusalTests {
    private static func withFile(_ text: String, _ body: (Store, URL) throws -> Void) throws {
        try withTemporaryStore { store, file in
            let url = file.folder.appending(path: "in.jsonl")
            try Data(text.utf8).write(to: url)
            try body(store, url)
        }
    }

    @Test(arguments: ["[", " [\n", "\n["])
    func `a list that is not terminated throws an error with its line`(text: String) throws {
        try TransferRefusalTests.withFile(text) { store, url in
            let error = try #require(throws: TransferError.self) { try store.import(Worker.self, from: url) }
            #expect(error.message == "The list is not terminated" && error.line == (text == "[" ? 1 : 2), "\(error)")
        }
    }

    @Test(arguments: [
        (#"[{"name":"a"},"#, "The list is not terminated"),
        (#"[{"name":"a"}{"name":"b"}]"#, "unexpected characters after the value"),
        ("[{}]x", "Unexpected characters after the list"), ("[{}}]", "xpected a comma or ]"),
    ])
    func `invalid characters in a list throw an error with the line, and nothing is imported`(
        text: String, words: String
    ) throws {
        try TransferRefusalTests.withFile(text) { store, url in
            let error = try #require(throws: TransferError.self) { try store.import(Worker.self, from: url) }
            #expect(error.message.contains(words) && error.line == 1, "\(error)")
            #expect(try store.withSession { _ in try Worker.count() } == 0)
        }
    }

    @Test func `an import refuses a folder, and a file that does not exist`() throws {
        try withTemporaryStore { store, file in
            var error = try #require(throws: TransferError.self) { try store.import(Worker.self, from: file.folder) }
            expect(error.message, "\(file.folder.path) is a folder. Import its files one by one")
            let none = file.folder.appending(path: "none.jsonl")
            error = try #require(throws: TransferError.self) { try store.import(Worker.self, from: none) }
            #expect(error.message.hasPrefix("The file \(none.path) cannot be read: "), "\(error)")
        }
    }

    @Test(arguments: [0, -1, -3])
    func `an id below 1 is never offset to the id of a deleted row`(id: Int) throws {
        try TransferRefusalTests.withFile("{\"id\":\(id),\"name\":\"in the file\"}") { store, url in
            try store.withSession { session in
                let workers = (0..<5).map { _ in Worker() }
                try session.save(workers)
                try session.delete(Array(workers[1...]))
            }
            let error = try #require(throws: TransferError.self) { try store.import(Worker.self, from: url) }
            #expect(error.className == "Worker" && error.property == "id" && error.line == 1, "\(error)")
            #expect(try store.withSession { _ in try Worker.count() } == 1)
            let empty = try Store.temporary()
            defer { empty.close() }
            try empty.import(Worker.self, from: url)
            #expect(try empty.withSession { _ in try Worker.query.ids() } == [Int64(id)])
        }
    }

    /// Runs a hook when it is encoded.
    struct Hooked: Codable {
        @TaskLocal static var whileEncoding: Hook?
        var number = 0
        enum CodingKeys: String, CodingKey { case number }

        func encode(to encoder: any Encoder) throws {
            try Hooked.whileEncoding?()
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(number, forKey: .number)
        }
    }

    final class Parcel: PersistentObject {
        override class var tableName: String { "transfer_parcel" }
        var hooked = Hooked()
    }

    @Test func `saving in encode(to:) during an import is refused`() throws {
        try TransferRefusalTests.withFile(#"{"hooked":{"number":5}}"#) { store, url in
            try store.prepare(Parcel.self, Country.self)
            let messages = Recorder<String>()
            let hook = Hook {
                do {
                    try Country(key: "IS").save()
                    messages.add("saved")
                } catch let error as StoreError { messages.add("\(error.code) \(error.message)") }
            }
            try Hooked.$whileEncoding.withValue(hook) { _ = try store.import(Parcel.self, from: url) }
            let refusals = messages.all.filter { $0.hasPrefix("misuse The session is saving or deleting") }
            #expect(refusals.count == 1 && messages.all.count == 1, "\(messages.all)")
            try store.withSession { _ throws in
                #expect(try Parcel.all().map(\.hooked.number) == [5] && Country.count() == 0)
            }
        }
    }

    @Test func `a key that is not a string throws an error with line, class and property`() throws {
        try TransferRefusalTests.withFile(#"{"key":3,"name":"x"}"#) { store, url in
            let error = try #require(throws: TransferError.self) { try store.import(Country.self, from: url) }
            #expect(error.line == 1 && error.className == "Country" && error.property == "key")
            #expect(error.message == "Expected a string, not a number", "\(error)")
        }
    }

    @Test(
        .onSQLite("the triggers of the test are SQLite's"),
        arguments: [
            "BEFORE UPDATE ON transfer_country", "BEFORE DELETE ON transfer_country_neighbours",
        ])
    func `a trigger that rejects an update fails the import with line and class`(
        event: String
    ) throws {
        try TransferRefusalTests.withFile(#"{"key":"IS","name":"new","neighbours":[]}"#) { store, url in
            try store.withSession { session throws in
                let (iceland, norway) = (try Country(key: "IS"), try Country(key: "NO"))
                iceland.neighbours = [norway]
                try session.save([iceland, norway])
                _ = try session.execute("CREATE TRIGGER keep \(event) BEGIN SELECT RAISE(ABORT, 'it stays'); END")
            }
            let error = try #require(throws: TransferError.self) { try store.import(Country.self, from: url) }
            #expect(error.line == 1 && error.className == "Country" && error.message.contains("it stays"), "\(error)")
            try store.withSession { _ throws in
                #expect(try Country.find("IS")?.name == "" && Country.find("IS")?.neighbours.count == 1)
            }
        }
    }

    @Test(
        .onSQLite("PostgreSQL takes no text that is not UTF-8"),
        arguments: [
            "UPDATE transfer_worker SET class = CAST(x'ff' AS TEXT)",
            "UPDATE transfer_worker_desks SET key = CAST(x'ff' AS TEXT)",
        ])
    func `text that is not UTF-8 ends the export with the class and, if read there, the row`(
        sql: String
    ) throws {
        try TransferRefusalTests.withFile("") { store, url in
            try store.withSession { session throws in
                let worker = Boss()
                worker.desks = ["a": Firm()]
                try session.save([worker])
                _ = try session.execute(sql)
            }
            let error = try #require(throws: StoreError.self) { try store.export([Worker.self], to: url) }
            #expect(error.className == "Worker" && error.message.contains("UTF-8"), "\(error)")
            // The class names of all rows are checked before any row is read.
            #expect(error.rowID == (sql.contains("SET class") ? nil : 1), "\(error)")
        }
    }

    @Test func `an id that would exceed the largest id throws an error with line and class`() throws {
        try TransferRefusalTests.withFile(#"{"id":9223372036854775807,"name":"x"}"#) { store, url in
            try store.withSession { session in try session.save([Worker()]) }
            let error = try #require(throws: TransferError.self) { try store.import(Worker.self, from: url) }
            #expect(
                "\(error)"
                    == "line 1: Worker: The id 9223372036854775807 is too large to be offset by the largest "
                    + "existing id",
                "\(error)")
        }
    }

    @Test(.onSQLite("the triggers of the test are SQLite's"))
    func `a dangling reference that a trigger wrote to another table fails the import`() throws {
        try TransferRefusalTests.withFile(#"{"name":"x"}"#) { store, url in
            try store.prepare(Worker.self)
            try store.withSession { session throws in
                _ = try session.execute(
                    """
                    CREATE TABLE log (worker INTEGER REFERENCES transfer_worker (id) DEFERRABLE INITIALLY DEFERRED)
                    """)
                _ = try session.execute(
                    "CREATE TRIGGER note AFTER INSERT ON transfer_worker BEGIN INSERT INTO log VALUES (77); END")
            }
            let error = try #require(throws: StoreError.self) { try store.import(Worker.self, from: url) }
            #expect(error.code == .brokenReference)
            #expect(error.message.contains("A reference points to a row that does not exist"))
            #expect(try store.withSession { _ in try Worker.count() } == 0)
        }
    }

    /// The second file ends the transaction while the rows are written one at a time.
    @Test(
        .onSQLite("the triggers of the test are SQLite's"),
        arguments: [#"{"name":"end"}"#, "{\"name\":\"bad\"}\n{\"name\":\"end\"}"])
    func `a trigger that rolls back ends the import, even if errors are skipped`(text: String) throws {
        try TransferRefusalTests.withFile(text) { store, url in
            try store.prepare(Worker.self)
            try store.withSession { session throws in
                _ = try session.execute(
                    """
                    CREATE TRIGGER ends BEFORE INSERT ON transfer_worker BEGIN
                    SELECT CASE new.name WHEN 'bad' THEN RAISE(ABORT, 'not so') ELSE RAISE(ROLLBACK, 'all or nothing') END;
                    END
                    """)
            }
            let error = try #require(throws: StoreError.self) {
                try store.import(Worker.self, from: url, onError: { _ in .skip })
            }
            #expect(error.message.contains("all or nothing"), "\(error)")
            #expect(try store.withSession { _ in try Worker.count() } == 0)
        }
    }

    @Test func `a row of an unknown class ends the export with a suggestion`() throws {
        try TransferRefusalTests.withFile("") { store, url in
            try store.withSession { session throws in
                try session.save([Boss(), Worker()])
                _ = try session.execute("UPDATE transfer_worker SET class = 'Nobody' WHERE id = 2")
            }
            let error = try #require(throws: StoreError.self) { try store.export([Worker.self], to: url) }
            #expect(error.code == .unknownClass && error.className == "Worker" && error.rowID == 2)
            #expect(error.message.hasPrefix("The row has the class Nobody, which this program does not have"))
            #expect(error.message.contains("Call try store.prepare(…) with the class first"))
            #expect(try Data(contentsOf: url).isEmpty)
        }
    }

    @Test func `an export does not replace a folder and leaves no temporary file`() throws {
        try TransferRefusalTests.withFile("") { store, url in
            try store.withSession { session in try session.save([Worker()]) }
            let folder = url.deletingLastPathComponent().appending(path: "full")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            try Data().write(to: folder.appending(path: "file"))
            let error = try #require(throws: TransferError.self) { try store.export([Worker.self], to: folder) }
            expect(error.message, "\(folder.path) is a folder. Export to a file in it")
            let names = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
            #expect(!names.contains { $0.hasPrefix(".full") }, "\(names)")
        }
    }

    @Test(.onSQLite("PostgreSQL has no columns for values of any kind"))
    func `a lazy value that cannot be read throws from json`() throws {
        try withTemporaryStore { store, file in
            try store.withSession { _ in
                let it = Everything()
                it.photo = Data([1])
                try it.save()
            }
            try store.withSession { _ throws in
                let it = try #require(try Everything.first())
                _ = try file.sqlite("DELETE FROM transfer_everything")
                let error = try #require(throws: StoreError.self) { try it.json }
                #expect(error.code == .rowGone && error.property == "photo" && error.rowID == 1, "\(error)")
            }
        }
    }

    @Test func `setting an inverse to a list of ids throws an error with class and property`() throws {
        try withTemporarySession { session, _ in
            let (firm, worker) = (Firm(), Worker())
            try session.save([firm])
            try session.save([worker])
            let error = try #require(throws: StoreError.self) { try firm.set("workers", to: [1]) }
            #expect(error.className == "Firm" && error.property == "workers", "\(error)")
            #expect(firm.workers.isEmpty && worker.firm == nil)
        }
    }
}

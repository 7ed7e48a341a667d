import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The table of a class in the file.
struct TableCreationTests {
    enum Status: String, Codable { case active, retired }
    enum Level: Int { case low = 3 }
    struct Address: Codable { var street = "Main" }

    struct Anything: PersistentValue {
        init() {}
        init(databaseValue: DatabaseValue) throws {}
        var databaseValue: DatabaseValue { .integer(1) }
    }

    final class Everything: PersistentObject {
        override class var tableName: String { "everything" }
        override class var indexes: [Index] {
            [Index(\Everything.text, \Everything.int), Index("int", order: .descending), Index("text", unique: true)]
        }
        var text = "it's"
        var int = -5
        var flag = true
        var double = 0.5
        var infinite = -Double.infinity
        var maybe: Int?
        var maybeSet: Int? = 7
        var data = Data([1, 255])
        var bytes: [UInt8] = []
        var status = Status.active
        var level = Level.low
        var address = Address()
        var list: [Int] = []
        var date = Date(timeIntervalSinceReferenceDate: 2)
        var now = Date()
        var random = UUID()
        var anything = Anything()
        var nul = "a\0b"
        var nan = Double.nan
        @Indexed var userID = 0
        @Unique var email: String?
        @Column("sur name") var last = ""
        @Transient var notStored = 1
        let constant = 2
        lazy var later = 3
        var computed: Int { 4 }
    }

    final class Empty: PersistentObject {
        override class var tableName: String { "empty" }
    }

    @Test func `the table has a typed column for each stored property, with its initial value as default`() throws {
        try withTemporaryStore { store, file in
            try store.prepare(Everything.self)
            let columns = [
                #""id" INTEGER PRIMARY KEY AUTOINCREMENT"#, #""text" TEXT NOT NULL DEFAULT 'it''s'"#,
                #""int" INTEGER NOT NULL DEFAULT -5"#, #""flag" INTEGER NOT NULL DEFAULT 1"#,
                #""double" REAL NOT NULL DEFAULT 0.5"#, #""infinite" REAL NOT NULL DEFAULT -9e999"#,
                #""maybe" INTEGER"#,
                #""maybe_set" INTEGER DEFAULT 7"#, #""data" BLOB NOT NULL DEFAULT x'01ff'"#,
                #""bytes" BLOB NOT NULL DEFAULT x''"#, #""status" TEXT NOT NULL DEFAULT 'active'"#,
                #""level" INTEGER NOT NULL DEFAULT 3"#,
                #""address" BLOB NOT NULL DEFAULT x'7b22737472656574223a224d61696e227d'"#,
                #""date" REAL NOT NULL DEFAULT 2.0"#,
                #""now" REAL NOT NULL DEFAULT 0.0"#, #""random" BLOB NOT NULL DEFAULT x''"#,
                #""anything" ANY NOT NULL DEFAULT 1"#, #""nul" TEXT NOT NULL DEFAULT ''"#,
                #""nan" REAL NOT NULL DEFAULT 0.0"#, #""user_id" INTEGER NOT NULL DEFAULT 0"#, #""email" TEXT"#,
                #""sur name" TEXT NOT NULL DEFAULT ''"#,
            ]
            let text = try file.sqlite("SELECT sql FROM sqlite_schema WHERE name = 'everything'")
            expect(text, "CREATE TABLE \"everything\" (\(columns.joined(separator: ", "))) STRICT")
        }
    }

    @Test func `declared indexes are created, each once`() throws {
        let file = try TemporaryStore()
        for _ in 0..<2 { try file.open().prepare(Everything.self) }
        let text = try file.sqlite(
            """
            SELECT l."unique", group_concat(x.name || CASE x."desc" WHEN 1 THEN ' desc' ELSE '' END, ',')
            FROM pragma_index_list('everything') l, pragma_index_xinfo(l.name) x WHERE x.key GROUP BY l.seq
            """)
        expect(Set(text.split(separator: "\n")), ["0|text,int", "0|int desc", "1|text", "0|user_id", "1|email"])
    }

    @Test func `a class without properties has a table with an id`() throws {
        try withTemporaryStore { store, file in
            try store.prepare(Empty.self)
            let text = try file.sqlite("SELECT sql FROM sqlite_schema WHERE name = 'empty'")
            expect(text, #"CREATE TABLE "empty" ("id" INTEGER PRIMARY KEY AUTOINCREMENT) STRICT"#)
        }
    }

    @Test func `prepare creates the tables of several classes, and does nothing the second time`() throws {
        try withTemporaryStore { store, file in
            try store.prepare(Everything.self, Empty.self)
            try store.prepare()
            try expect(file.sqlite("SELECT count(*) FROM sqlite_schema WHERE name IN ('everything', 'empty')"), "2")
            try store.withSession { session throws in
                let log = try statements(of: session) { try store.prepare(Everything.self, Empty.self) }
                let own = try statements(of: session) { _ = try session.space(of: Empty.self) }
                #expect(log.isEmpty && own.isEmpty)
            }
        }
    }

    @Test func `the first use of a class creates its table, whatever the use`() throws {
        for use in [
            { _ = try Empty.find(1) }, { _ = try Empty.all() }, { _ = try Empty.findById(1) },
            { try Empty.deleteAll() },
            { _ = try Empty.findBy.id(1) }, { _ = try Empty.findByCriteria("") }, { try Empty().save() },
            { _ = try Empty.count() }, { _ = try Empty.find([1]) }, { _ = try Empty.first() },
        ] as [() throws -> Void] {
            try withTemporarySession { _, file in
                try use()
                try expect(file.sqlite("SELECT count(*) FROM sqlite_schema WHERE name = 'empty'"), "1")
            }
        }
    }

    @Test func `a column rejects values of other types`() throws {
        try withTemporaryStore { store, file in
            try store.prepare(Everything.self)
            #expect(throws: SQLiteTool.Failure.self) { try file.sqlite("INSERT INTO everything (int) VALUES ('text')") }
            #expect(throws: SQLiteTool.Failure.self) { try file.sqlite("INSERT INTO everything (text) VALUES (NULL)") }
            _ = try file.sqlite("INSERT INTO everything DEFAULT VALUES")
            try store.withSession { _ throws in
                let error = #expect(throws: StoreError.self) { try Everything.find(1) }
                #expect(error?.property == "random", "no bytes are no UUID; all the columns before it are readable")
            }
        }
    }

    @Test func `two classes with the same table in one store are an error that names both`() throws {
        final class Double: PersistentObject {
            override class var tableName: String { "EMPTY" }
        }
        try withTemporarySession { _, _ in
            try Empty().save()
            let error = #expect(throws: SchemaError.self) { try Double().save() }
            #expect(error == .duplicateTable(table: "EMPTY", classNames: ["Empty", "Double"]))
            #expect(error?.description.contains("Empty and Double") == true)
            #expect(try Empty.count() == 1)
        }
    }

    @Test func `concurrent sessions create a table once`() async throws {
        let file = try TemporaryStore()
        // The tasks wait for each other, on a busy machine for seconds.
        let patient = Store.Configuration(busyTimeout: .seconds(600))
        let stores = try [file.open(configuration: patient), file.open(configuration: patient)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try stores[number % 2].withSession { _ throws in
                        try Everything.prepareAndSave(number)
                        try Empty().save()
                    }
                }
            }
            try await group.waitForAll()
        }
        try expect(
            file.sqlite("SELECT count(*), count(DISTINCT int) FROM everything; SELECT count(*) FROM empty"), "8|8\n8")
        try expect(file.sqlite("PRAGMA integrity_check"), "ok")
    }
}

extension TableCreationTests.Everything {
    fileprivate static func prepareAndSave(_ number: Int) throws {
        let object = Self()
        (object.int, object.text, object.nan) = (number, "\(number)", 0)
        try object.save()
    }
}

import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// `session.rows` runs raw SQL that only reads.
struct RowsTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age: Int?
        var employer: Company?
        var uuid = UUID()
    }

    final class Company: PersistentObject {
        override class var tableName: String { "company" }
        override class var identity: Identity { .string }
        var name = ""
    }

    enum Status: String { case active }

    /// Saves three people aged 10, 20 and 30. The first works at Acme.
    private func withPeople(_ body: (Session, TemporaryStore, [Person]) throws -> Void) throws {
        try withTemporarySession { session, file in
            let acme = try Company(key: "acme")
            let people = (1...3).map { number in
                let person = Person()
                (person.name, person.age) = ("P\(number)", number * 10)
                return person
            }
            people[0].employer = acme
            try session.save([acme] + people)
            try body(session, file, people)
            expect(session.busyStatementCount, 0)
        }
    }

    @Test func `rows return values by column name and by index`() throws {
        try withPeople { session, _, _ throws in
            let rows = try session.rows("SELECT name, age AS \"Years\" FROM person WHERE age > ? ORDER BY id", 15)
            expect(rows.map { $0["name"] }, [.text("P2"), .text("P3")])
            #expect(rows[0].columnNames == ["name", "Years"] && rows[0].values == [.text("P2"), .integer(20)])
            #expect(rows[0][1] == .integer(20) && rows[0][2] == nil && rows[0][-1] == nil && rows[0].count == 2)
            #expect(rows[0]["years"] == .integer(20) && rows[0]["nme"] == nil)
            expect(rows[0].dictionary, ["name": .text("P2"), "Years": .integer(20)])
            expect(rows[0].description, #"[name: "P2", Years: 20]"#)
            let name: String = try rows[0].value("name")
            expect(name, "P2")
            #expect(try session.rows("SELECT 1 WHERE 1 = 0").isEmpty)
            try expect(
                session.rows("VALUES (1, 2), (3, 4)").map(\.values),
                [[1, 2], [3, 4]].map { $0.map(DatabaseValue.integer) })
        }
    }

    @Test func `if several columns have the same name, the name refers to the first`() throws {
        try withTemporarySession { session, _ throws in
            let row = try session.rows("SELECT 1 AS a, 2 AS a, 3 AS \"A\"")[0]
            #expect(row["a"] == .integer(1) && row["A"] == .integer(3) && row[1] == .integer(2))
            expect(row.dictionary, ["a": .integer(1), "A": .integer(3)])
            try expect(row, session.rows("SELECT 1 AS a, 2 AS a, 3 AS \"A\"")[0])
            #expect(try row != session.rows("SELECT 1 AS a, 2 AS a, 3 AS b")[0])
        }
    }

    /// Statements that write.
    private static let writing = [
        "UPDATE person SET age = 1", "DELETE FROM person", "INSERT INTO person (name) VALUES ('x') RETURNING id",
        "DROP TABLE person", "CREATE TABLE t (a INTEGER)", "WITH x AS (SELECT 1) DELETE FROM person", "ANALYZE",
        TestEngine.isPostgres ? "REINDEX TABLE person" : "REINDEX",
    ]

    @Test(arguments: writing)
    func `a writing statement is refused, and the error suggests execute`(sql: String) throws {
        try withPeople { session, file, _ throws in
            let before = try file.sqlite(".dump")
            let error = #expect(throws: StoreError.self) { try session.rows(sql) }
            #expect(error?.code == .invalidSQL && error?.message.contains("Use execute") == true, "\(error as Any)")
            try expect(file.sqlite(".dump"), before)
        }
    }

    private static let refused = [
        "", ";", "-- nothing", "SELECT", "SELECT 1; SELECT 2", "SELECT 1; DROP TABLE person", "SELECT nme FROM person",
        "SELECT \"P1\"", "SELECT * FROM nothing", "SELECT 1\0; DROP TABLE person", "SELECT 1; -- one\n SELECT 2",
        "BEGIN", "COMMIT", "/* x */ ROLLBACK", ";;BEGIN IMMEDIATE", "\u{FEFF}SAVEPOINT s", "EXPLAIN BEGIN",
        "PRAGMA foreign_keys = OFF", "PRAGMA writable_schema(1)", "PRAGMA optimize", "PRAGMA main.cache_size = 5",
        "PRAGMA wal_checkpoint", "ATTACH ':memory:' AS x", "DETACH main", "SELECT load_extension('x')",
    ]

    @Test(.onSQLite("the words are SQLite's"), arguments: refused)
    func `text that is not a single reading statement is refused`(sql: String) throws {
        try withPeople { session, file, _ throws in
            let error = #expect(throws: StoreError.self) { try session.rows(sql) }
            #expect(error?.code == .invalidSQL || error?.message.contains("not authorized") == true, "\(error as Any)")
            #expect(!session.isInFileTransaction)
            if !TestEngine.isPostgres { #expect(try session.rows("PRAGMA foreign_keys")[0][0] == .integer(1)) }
            #expect(try Person.count() == 3)
        }
    }

    @Test func `comments and semicolons at the end are not a second statement`() throws {
        try withTemporarySession { session, _ throws in
            // PostgreSQL requires comments to be closed.
            let open = TestEngine.isPostgres ? "/* done */" : "/* done"
            for end in [";", " ; ;\n", "; -- done", "; /* done */ ;", "-- done", open, "; -- a ; SELECT 2"] {
                try expect(session.rows("SELECT 1 \(end)").count, 1, "\(end)")
            }
        }
    }

    @Test(.onSQLite("PostgreSQL has no pragmas")) func `pragmas that return information are allowed`() throws {
        try withPeople { session, _, _ throws in
            #expect(try session.rows("PRAGMA table_info(person)").map { $0["name"] }.contains(.text("employer_id")))
            try expect(session.rows("PRAGMA user_version")[0][0], .integer(2))
            #expect(try session.rows("SELECT name FROM pragma_table_info('person')").count >= 4)
            #expect(try !session.rows("EXPLAIN QUERY PLAN DELETE FROM person").isEmpty)
            try expect(Person.count(), 3)
        }
    }

    @Test(
        .onSQLite("PostgreSQL has no pragmas"),
        arguments: [
            "application_id", "auto_vacuum", "busy_timeout", "cache_size", "collation_list", "compile_options",
            "data_version", "database_list", "encoding", "foreign_key_check", "foreign_keys", "freelist_count",
            "function_list", "integrity_check", "journal_mode", "main.journal_mode", "module_list", "page_count",
            "page_size", "pragma_list", "quick_check", "recursive_triggers", "schema_version", "synchronous",
            "table_list",
            "user_version",
        ])
    func `rows runs reading pragmas, and execute refuses them`(name: String) throws {
        try withPeople { session, _, _ throws in
            _ = try session.rows("/* ask */ PRAGMA \(name)")
            let error = #expect(throws: StoreError.self) { try session.execute("PRAGMA \(name)") }
            expect(error?.message.contains("Use rows"), true)
            try expect(session.rows("PRAGMA journal_mode")[0][0], .text("wal"))
        }
    }

    @Test(.onSQLite("PostgreSQL has no texts with a NUL in them")) func `arguments of each type are bound`() throws {
        try withPeople { session, _, people throws in
            func stored(_ argument: Any?) throws -> DatabaseValue? { try session.rows("SELECT ?", argument)[0][0] }
            let uuid = UUID()
            let date = Date(timeIntervalSinceReferenceDate: 0.1)
            let values: [(Any?, DatabaseValue)] = [
                (nil, .null), (Int?.none, .null), (Int??.some(7) as Any?, .integer(7)), (true, .integer(1)),
                (UInt8(255), .integer(255)), (Int64.min, .integer(.min)), (Float(1.5), .real(1.5)),
                (Double.infinity, .real(.infinity)), ("a\0b", .text("a\0b")), (Substring("s"), .text("s")),
                (Character("ß"), .text("ß")), (Decimal(string: "1.10"), .text("1.1")), (Data([1]), .blob([1])),
                ([1, 2] as [UInt8], .blob([1, 2])), (Data(), .blob([])), (date, .real(0.1)),
                (Status.active, .text("active")),
                (URL(string: "po:x"), .text("po:x")), (uuid, .blob(withUnsafeBytes(of: uuid.uuid) { [UInt8]($0) })),
                (DatabaseValue.real(2), .real(2)), (people[1], .integer(2)), (people[2].persistentID, .integer(3)),
                (people[0].employer?.persistentID, .integer(1)), ([1, 2], .text("[1,2]")), ([Int](), .text("[]")),
                (["a\"\\\n"], .text(#"["a\"\\\n"]"#)), ([people[0], people[2]], .text("[1,3]")),
                ([1, nil] as [Int?], .text("[1,null]")), ([1, "a", true] as [Any], .text(#"[1,"a",1]"#)),
                (Set([Status.active]), .text(#"["active"]"#)), ([1.5, .infinity], .text("[1.5,9e999]")),
                ([people[0].persistentID, nil], .text("[1,null]")), ([4, 5, 6][1...], .text("[5,6]")),
            ]
            for (argument, value) in values { try expect(stored(argument), value, "\(argument as Any)") }
        }
    }

    @Test func `invalid arguments throw`() throws {
        struct Opaque {}
        try withPeople { session, _, people throws in
            let deleted = people[2]
            try deleted.delete()
            let gone = PersistentID<Company>(1, key: "nowhere")
            let other = try Store.temporary()
            let stranger = try other.mainSession()
            let foreign = try Company(key: "other")
            try stranger.save([foreign])
            let arguments: [(Any?, StoreError.Code, String)] = [
                (Opaque(), .misuse, "Argument 1 has the type Opaque, which no column can hold"),
                (Person(), .misuse, "Argument 1 is an object of Person that was never saved. Save it first"),
                (deleted, .objectIsDeleted, "Argument 1 is an object of Person that was deleted"),
                (foreign, .otherSession, "Argument 1 is an object of Company from another store"),
                (gone, .notFound, "Argument 1 is the key of an object of Company that is not in this store"),
                (Double.nan, .notRepresentable, "Argument 1: NaN cannot be stored"),
                (UInt64.max, .notRepresentable, "Argument 1: the number is larger than Int64.max"),
                ([UUID()], .notRepresentable, "Argument 1: bytes cannot be elements of a list"),
                (["a\0"], .notRepresentable, "Argument 1: a string that contains a NUL"),
                ([Person()], .misuse, "An element of argument 1 is an object of Person that was never saved"),
                ([[1]], .misuse, "An element of argument 1 has the type [Int], which no column can hold"),
                (["a": 1], .misuse, "Argument 1 has the type [String: Int], which no column can hold"),
                (DatabaseValue.real(.nan), .notRepresentable, "Argument 1: NaN cannot be stored"),
            ]
            for (argument, code, message) in arguments {
                let error = #expect(throws: StoreError.self) { try session.rows("SELECT ?", argument) }
                #expect(error?.code == code && error?.message.hasPrefix(message) == true, "\(error as Any)")
            }
            withExtendedLifetime(foreign) { other.close() }
        }
    }

    @Test func `too few or too many arguments throw`() throws {
        try withTemporarySession { session, _ throws in
            for (sql, arguments, message) in [
                ("SELECT ?", [], "The statement has 1 placeholder, but the call has 0 arguments"),
                ("SELECT ?, ?", [1], "The statement has 2 placeholders, but the call has 1 argument"),
                ("SELECT 1", [1, 2], "The statement has 0 placeholders, but the call has 2 arguments"),
                ("SELECT ?3", [1], "The statement has 3 placeholders, but the call has 1 argument"),
            ] as [(String, [Any?], String)] {
                let error = #expect(throws: StoreError.self) { try session.rows(sql, arguments: arguments) }
                #expect(error?.message == message)
            }
            guard !TestEngine.isPostgres else { return }
            #expect(try session.rows("SELECT ?2, ?1, :a", 1, 2, 3)[0].values == [2, 1, 3].map(DatabaseValue.integer))
        }
    }

    @Test(.onSQLite("json_each is SQLite's"))
    func `a list argument matches its elements, also with 100,000 elements`() throws {
        try withPeople { session, _, people throws in
            let sql = "SELECT id FROM person WHERE age IN (SELECT value FROM json_each(?)) ORDER BY id"
            try expect(session.rows(sql, [10, 30]).map { $0[0] }, [.integer(1), .integer(3)])
            try expect(session.rows(sql, Array(0..<100_000)).count, 3)
            let names = (0..<100_000).map { "P\($0)" }
            try expect(
                session.rows("SELECT 1 FROM person WHERE name IN (SELECT value FROM json_each(?))", names).count, 3)
            #expect(try session.rows(sql, [Int]()).isEmpty)
            try expect(session.rows("SELECT count(*) FROM json_each(?)", Set(names))[0][0], .integer(100_000))
            try expect(Person.findByCriteria("WHERE id IN (SELECT value FROM json_each(?))", [people[1]]), [people[1]])
        }
    }

    @Test(.onSQLite("json_each is SQLite's")) func `dates in lists keep their exact value`() throws {
        try withTemporarySession { session, _ throws in
            var random = SeededGenerator(seed: 5)
            let dates = (0..<1000).map { _ in
                Date(timeIntervalSinceReferenceDate: .random(in: -1e9...1e9, using: &random))
            }
            let rows = try session.rows("SELECT value FROM json_each(?)", dates)
            try expect(rows.map { try $0.value(0, as: Date.self) }, dates)
        }
    }

    @Test(.onSQLite("PostgreSQL takes no text that is not UTF-8"))
    func `text that is not UTF-8 throws an error with row and column`() throws {
        try withTemporarySession { session, _ throws in
            let error = #expect(throws: StoreError.self) {
                try session.rows("SELECT 1 AS a UNION ALL SELECT CAST(x'ff' AS TEXT)")
            }
            #expect(error?.code == .typeMismatch && error?.message.hasPrefix("Row 2, column a:") == true)
            expect(session.busyStatementCount, 0)
        }
    }
}

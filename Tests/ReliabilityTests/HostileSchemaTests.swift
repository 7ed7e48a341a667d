import Foundation
import PersistentObjects
import TestSupport
import Testing

/// Files whose schema was written with malicious intent.
@Suite struct HostileSchemaTests {
    private func withHostile(_ sql: String, rows: Int = 3, _ body: (Session, TemporaryStore) throws -> Void) throws {
        let file = try TemporaryStore()
        try file.fill(rows)
        _ = try file.sqlite(sql)
        try file.open(configuration: .quiet).withSession { session in try body(session, file) }
    }

    @Test(arguments: ["load_extension('/tmp/x')", "fts3_tokenizer('simple')"])
    func `a trigger that calls an unsafe function makes the save fail and nothing else`(_ call: String) throws {
        let trigger = "CREATE TRIGGER g BEFORE INSERT ON person BEGIN SELECT \(call); END"
        try withHostile(trigger) { _, file in
            let joe = person("Smith")
            let error = try #require(throws: StoreError.self) { try joe.save() }
            #expect(error.message.contains("unsafe use of"))
            expect(error.sql?.hasPrefix("INSERT"), true)
            #expect(joe.isNew)
            try expect(Person.all().count, 3)
            try expect(file.peopleCount, 3)
        }
    }

    @Test func `a trigger that raises an error makes the save fail with the trigger's message`() throws {
        let trigger = "CREATE TRIGGER g BEFORE UPDATE ON person BEGIN SELECT RAISE(ABORT, 'not today'); END"
        try withHostile(trigger) { _, file in
            let joe = try #require(try Person.find(1))
            joe.age = 99
            let error = try #require(throws: StoreError.self) { try joe.save() }
            expect(error.code, .constraint)
            expect(error.message, "not today")
            #expect(joe.hasChanges)
            try expect(file.sqlite("SELECT count(*) FROM person WHERE age = 99"), "0")
        }
    }

    /// A class with a list table, for triggers on the owner's table.
    final class Tagged: PersistentObject {
        override class var tableName: String { "tagged" }
        var tags: [String] = []
    }

    @Test(arguments: ["DELETE FROM tagged WHERE id = new.id", "UPDATE tagged SET id = id + 100 WHERE id = new.id"])
    func `a trigger that deletes or renumbers the row during its insertion is reported`(_ action: String) throws {
        let file = try TemporaryStore()
        try file.open(configuration: .quiet).withSession { session throws in
            _ = try Tagged.count()
            try session.execute("CREATE TRIGGER g AFTER INSERT ON tagged BEGIN \(action); END")
            let object = Tagged()
            object.tags = ["a"]
            let error = try #require(throws: StoreError.self) { try object.save() }
            #expect(error.code == .constraint && error.className == "Tagged" && error.rowID == 1)
            #expect(error.message.contains("a trigger of the table tagged deleted it or changed its id"))
            #expect(object.isNew)
            try session.execute("DROP TRIGGER g")
            try object.save()
            try expect(file.sqlite("SELECT count(*) FROM tagged"), "1")
        }
    }

    @Test func `the query timeout ends a trigger that inserts rows endlessly`() throws {
        let file = try TemporaryStore()
        try file.fill(3)
        _ = try file.sqlite(
            """
            CREATE TABLE junk (x);
            CREATE TRIGGER g AFTER UPDATE ON person BEGIN INSERT INTO junk SELECT a.i FROM
            (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n) a; END
            """)
        let store = try file.open(configuration: .init(queryTimeout: .milliseconds(50), lostEdits: .ignore))
        try store.withSession { _ throws in
            let joe = try #require(try Person.find(1))
            joe.age = 99
            expect(code(of: { try joe.save() }), .timedOut)
            #expect(joe.hasChanges)
            try person("good").save()
            try expect(file.sqlite("SELECT count(*), (SELECT count(*) FROM junk) FROM person"), "4|0")
        }
    }

    @Test(arguments: ["json_extract(note, '$.a')", "note ->> 'a'"])
    func `a generated column that calls a forbidden function is not reported as damage`(_ call: String) throws {
        let file = try TemporaryStore()
        _ = try file.sqlite(
            """
            CREATE TABLE person (id INTEGER PRIMARY KEY AUTOINCREMENT, note TEXT,
                age INTEGER GENERATED ALWAYS AS (\(call)));
            """)
        let error = try #require(throws: StoreError.self) {
            try file.open(configuration: .quiet).withSession { _ in try Person.all() }
        }
        #expect(error.code == .foreignFile && error.message.contains("The file is not damaged"), "\(error)")
        #expect(!error.message.contains("may be damaged"))
    }

    @Test func `conditions that are nested too deeply throw an error with a readable message`() throws {
        try withTemporarySession(.quiet) { session, _ throws in
            try person("Smith").save()
            let deep = String(repeating: "(", count: 50_000) + "1" + String(repeating: ")", count: 50_000)
            for ask in [{ _ = try session.rows("SELECT \(deep)") }, { _ = try Person.findByCriteria("WHERE \(deep)") }]
            {
                let error = try #require(throws: StoreError.self) { try ask() }
                #expect(error.code == .invalidSQL && error.message.contains("nested too deeply"))
                #expect(error.description.utf8.count < 3000 && error.sql?.contains(deep) == true)
            }
        }
    }

    @Test(arguments: ["ROLLBACK", "FAIL", "ABORT"])
    func `a trigger that rolls back the transaction leaves the session usable`(_ action: String) throws {
        let trigger = """
            CREATE TRIGGER g AFTER INSERT ON person WHEN new.last_name = 'bad'
            BEGIN SELECT RAISE(\(action), 'no'); END
            """
        try withHostile(trigger, rows: 1) { session, file in
            #expect(throws: StoreError.self) { try session.save([person("good"), person("bad"), person("good")]) }
            try expect(file.peopleCount, 1)
            try person("good").save()
            try expect(file.peopleCount, 2)
        }
    }

    @Test func `a trigger that updates its own row runs once, and the session remains usable`() throws {
        let trigger =
            "CREATE TRIGGER g AFTER UPDATE ON person BEGIN UPDATE person SET weight = weight + 1 WHERE id = new.id; END"
        try withHostile(trigger) { _, file in
            let joe = try #require(try Person.find(1))
            joe.age = 99
            try joe.save()
            #expect(!joe.hasChanges)
            try person("good").save()
            try expect(
                file.sqlite("SELECT count(*), sum(age = 99), sum(weight) FROM person WHERE weight <> 0"), "1|1|1.0")
        }
    }

    @Test func `a table with an unsafe CHECK rejects saves`() throws {
        let file = try TemporaryStore()
        // The tool trusts the schema of its files, so it allows the creation of such a table.
        _ = try file.sqlite(
            """
            CREATE TABLE person (id INTEGER PRIMARY KEY AUTOINCREMENT, last_name TEXT NOT NULL
                CHECK (CASE last_name WHEN 'bad' THEN fts3_tokenizer(last_name) IS NULL ELSE 1 END));
            INSERT INTO person (last_name) VALUES ('good');
            """)
        try file.open(configuration: .quiet).withSession { _ throws in
            #expect(throws: (any Error).self) { try person("bad").save() }
            try expect(file.peopleCount, 1)
        }
    }

    @Test func `a generated column can be read, and a save that writes it throws`() throws {
        let file = try TemporaryStore()
        _ = try file.sqlite(
            """
            CREATE TABLE person (id INTEGER PRIMARY KEY AUTOINCREMENT, last_name TEXT NOT NULL,
                age INTEGER GENERATED ALWAYS AS (length(last_name)));
            INSERT INTO person (last_name) VALUES ('Smith');
            """)
        try file.open(configuration: .quiet).withSession { _ throws in
            try expect(Person.find(1)?.age, 5)
            let joe = person("Jones")
            let error = try #require(throws: StoreError.self) { try joe.save() }
            #expect(error.message.contains("generated column"))
            #expect(joe.isNew)
            try expect(file.peopleCount, 1)
        }
    }

    @Test(arguments: [
        "UPDATE sqlite_schema SET sql = 'nonsense' WHERE name = 'person'",
        "UPDATE sqlite_schema SET sql = 'CREATE TABLE person (' WHERE name = 'person'",
        "UPDATE sqlite_schema SET rootpage = 9999 WHERE name = 'person'",
        "UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'person'",
        "UPDATE sqlite_schema SET rootpage = 0, type = 'view' WHERE name = 'person'",
        "UPDATE sqlite_schema SET name = 'other' WHERE name = 'person'",
        "UPDATE sqlite_schema SET sql = NULL", "UPDATE sqlite_schema SET name = NULL",
        "UPDATE sqlite_schema SET type = x'ff'",
        "DELETE FROM sqlite_schema WHERE name = 'sqlite_sequence'",
        "INSERT INTO sqlite_schema SELECT * FROM sqlite_schema",
    ])
    func `a manipulated schema leads to a typed error or data, never to a crash`(_ sql: String) throws {
        let file = try TemporaryStore()
        try file.fill(3)
        // The tool may complain about its own changes.
        _ = try? file.sqlite(".dbconfig defensive off\nPRAGMA writable_schema = ON; \(sql)")
        do {
            try file.open(configuration: .quiet).withSession { _ throws in
                for person in try Person.all() {
                    person.age = 7
                    try person.save()
                }
                try person("New").save()
            }
        } catch { #expect(error is StoreError || error is SchemaError, "\(error)") }
    }

    @Test func `a unique index that the class does not declare is enforced`() throws {
        try withHostile("CREATE UNIQUE INDEX u ON person (length(last_name))", rows: 1) { _, file in
            let error = try #require(throws: StoreError.self) { try person("Name 9").save() }
            expect(error.code, .notUnique)
            try expect(file.peopleCount, 1)
        }
    }
}

import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// `session.execute` runs raw SQL that writes.
struct ExecuteTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age = 0
        @Unique var email: String?
        var tags: [String] = []
        var friend: Person?
        @OnDelete(.deny) var boss: Person?
    }

    private func withPeople(_ body: (Session, TemporaryStore, [Person]) throws -> Void) throws {
        try withTemporarySession { session, file in
            let people = (1...3).map { number in
                let person = Person()
                (person.name, person.age, person.email) = ("P\(number)", number * 10, "p\(number)@x")
                person.tags = ["t\(number)"]
                return person
            }
            try session.save(people)
            try body(session, file, people)
            #expect(session.busyStatementCount == 0 && !session.isInFileTransaction)
        }
    }

    @Test func `execute returns the number of changed rows`() throws {
        try withPeople { session, file, people throws in
            try expect(session.execute("UPDATE person SET age = age + ? WHERE age > ?", 1, 15), 2)
            try expect(session.execute("UPDATE person SET age = 0 WHERE id = ?", 99), 0)
            try expect(session.execute("CREATE TABLE log (text TEXT)"), 0)
            try expect(session.execute("INSERT INTO log VALUES (?), (?)", "a", people[0].name), 2)
            try expect(session.execute("INSERT INTO log VALUES ('r') RETURNING text"), 1)
            try expect(session.execute("CREATE TABLE IF NOT EXISTS log (text TEXT)"), 0)
            try expect(session.execute("DROP TABLE IF EXISTS none"), 0)
            try expect(session.execute("CREATE INDEX log_text ON log (text)"), 0)
            try expect(session.execute("CREATE TABLE copy AS SELECT * FROM log"), 0)
            try expect(session.execute("DELETE FROM log"), 3)
            let replace = TestEngine.isPostgres ? "INSERT" : "REPLACE"
            try expect(session.execute("\(replace) INTO log VALUES ('x'); -- done"), 1)
            try expect(
                session.execute("WITH x(a) AS (VALUES (1), (2)) INSERT INTO log SELECT CAST(a AS TEXT) FROM x"), 2)
            // Triggers and delete rules change further rows, which are not counted.
            let list = TestEngine.isPostgres ? "?" : "SELECT value FROM json_each(?)"
            try expect(session.execute("DELETE FROM person WHERE id IN (\(list))", people.prefix(2)), 2)
            try expect(file.sqlite("SELECT count(*) FROM person_tags"), "1")
        }
    }

    private static let refused: [(String, String)] = [
        ("SELECT 1", "Use rows"), ("PRAGMA table_info(person)", "Use rows"), ("EXPLAIN DELETE FROM person", "Use rows"),
        ("BEGIN", "cannot begin or end a transaction"), ("/**/ COMMIT", "cannot begin or end a transaction"),
        ("END", "cannot begin or end a transaction"), (";ROLLBACK", "cannot begin or end a transaction"),
        ("SAVEPOINT a", "cannot begin or end a transaction"), ("RELEASE a", "cannot begin or end a transaction"),
        ("ATTACH ':memory:' AS x", "one file"), ("DETACH x", "one file"),
        ("PRAGMA user_version = 9", "PRAGMA user_version"), ("PRAGMA foreign_keys = OFF", "PRAGMA foreign_keys"),
        ("PRAGMA journal_mode = DELETE", "PRAGMA journal_mode"), ("PRAGMA wal_checkpoint", "PRAGMA wal_checkpoint"),
        ("CREATE TEMP TABLE person (a)", "Temporary tables"),
        ("CREATE TEMPORARY VIEW v AS SELECT 1", "Temporary tables"),
        ("CREATE TABLE temp.person (a)", "Temporary tables"),
        ("CREATE TEMP TRIGGER t AFTER INSERT ON person BEGIN SELECT 1; END", "Temporary tables"),
        ("DELETE FROM person; DELETE FROM person", "Only one statement"), ("", "no SQL statement"),
        ("DELETE FROM persn", "no such table: persn"), ("UPDATE person SET agee = 1", "no such column: agee"),
        ("UPDATE person SET age = ?", "1 placeholder, but the call has 0 arguments"),
    ]

    @Test(.onSQLite("the words are SQLite's"), arguments: refused)
    func `text that is not a single writing statement is refused`(sql: String, words: String) throws {
        try withPeople { session, file, people throws in
            let before = try file.sqlite(".dump")
            let error = #expect(throws: StoreError.self) { try session.execute(sql) }
            #expect(error?.code == .invalidSQL && error?.message.contains(words) == true, "\(error as Any)")
            try expect(file.sqlite(".dump"), before)
            // The session is still usable.
            people[0].name = "new"
            try people[0].save()
        }
    }

    @Test func `SQLite's own tables cannot be written, and VACUUM is refused`() throws {
        try withPeople { session, _, _ throws in
            for sql in ["DELETE FROM sqlite_schema", "UPDATE sqlite_master SET sql = ''", "VACUUM", "VACUUM INTO 'x'"] {
                let error = #expect(throws: StoreError.self) { try session.execute(sql) }
                #expect(error?.code == .sqlite || error?.code == .invalidSQL, "\(error as Any)")
            }
            #expect(try Person.count() == 3)
        }
    }

    @Test(.onSQLite("a statement that fails on PostgreSQL looks like a commit of others"))
    func `a failed statement changes nothing`() throws {
        try withPeople { session, file, people throws in
            let before = try file.sqlite(".dump")
            let epoch = session.memory.epoch
            for (sql, code) in [
                ("UPDATE person SET email = 'same'", .notUnique), ("UPDATE person SET name = NULL", .constraint),
                ("UPDATE person SET age = 'x'", TestEngine.isPostgres ? .typeMismatch : .constraint),
                ("UPDATE person SET friend_id = 99", .constraint),
                ("INSERT INTO person_tags (owner_id, position, value) VALUES (99, 0, 'x')", .constraint),
            ] as [(String, StoreError.Code)] {
                let error = #expect(throws: StoreError.self) { try session.execute(sql) }
                #expect(error?.code == code && error?.sql == sql, "\(error as Any)")
            }
            #expect(try file.sqlite(".dump") == before)
            #expect(session.memory.epoch == epoch && people[0].name == "P1")
        }
    }

    @Test func `raw SQL respects delete rules`() throws {
        try withPeople { session, file, people throws in
            people[0].boss = people[1]
            people[0].friend = people[2]
            try people[0].save()
            let error = #expect(throws: StoreError.self) { try session.execute("DELETE FROM person WHERE id = 2") }
            #expect(error?.code == .constraint || error?.code == .deletionDenied)
            try expect(session.execute("DELETE FROM person WHERE id = 3"), 1)
            try expect(file.sqlite("SELECT count(*), count(friend_id) FROM person WHERE id = 1"), "1|0")
            try session.refresh()
            #expect(people[0].friend == nil && people[2].isDeleted && !people[0].hasChanges)
        }
    }

    @Test func `the next query refreshes objects and keeps edits`() throws {
        try withPeople { session, _, people throws in
            people[0].name = "edited"
            try session.execute("UPDATE person SET age = age + 1, name = name || '!'")
            expect(people[1].age, 20, "nothing changes before a query")
            #expect(try Person.find(2) === people[1] && people[1].age == 20, "no SQL, no change")
            try expect(Person.findByAge(21), [people[1]])
            #expect(people[1].age == 21 && people[1].name == "P2!" && people[0].age == 10)
            try expect(Person.all(), people)
            #expect(people.map(\.age) == [11, 21, 31] && people[0].name == "edited")
            expect(people[0].changes.map(\.name), ["name"])
            try session.execute("UPDATE person SET age = 5")
            try people[2].reload()
            expect(people[2].age, 5)
        }
    }

    @Test func `finders by unique values respect raw SQL`() throws {
        try withPeople { session, _, people throws in
            #expect(try Person.findFirstBy.email("p1@x") === people[0])
            try session.execute(
                "UPDATE person SET email = CASE id WHEN 1 THEN 'p9@x' WHEN 2 THEN 'moved' ELSE email END")
            #expect(try Person.findFirstBy.email("p1@x") == nil)
            #expect(try Person.findFirstBy.email("p9@x") === people[0] && people[0].email == "p9@x")
            try session.execute("DELETE FROM person WHERE email = ?", "p3@x")
            #expect(try Person.findFirstBy.email("p3@x") == nil)
        }
    }

    @Test func `other sessions see raw SQL at their next query`() throws {
        try withPeople { session, _, people throws in
            try session.store.withSession { other in
                let theirs = try Person.all()
                try session.execute("UPDATE person SET age = 77")
                #expect(try Person.findByAge(77) == theirs && theirs.allSatisfy { $0.age == 77 })
                try other.execute("UPDATE person SET age = 78")
            }
            try session.refresh()
            #expect(people.allSatisfy { $0.age == 78 })
        }
    }

    @Test func `tables of classes can be altered, and an incompatible table throws`() throws {
        try withPeople { session, _, people throws in
            try session.execute("ALTER TABLE person ADD COLUMN extra TEXT")
            #expect(try Person.all() == people)
            people[0].age = 1
            try people[0].save()
            try session.execute("ALTER TABLE person RENAME COLUMN name TO title")
            for call in [{ _ = try Person.all() }, { try people[1].reload() }, { _ = try Person.findByName("x") }] {
                let error = #expect(throws: StoreError.self) { try call() }
                #expect(error?.message.contains("name") == true, "\(error as Any)")
            }
            try session.execute("ALTER TABLE person RENAME COLUMN title TO name")
            #expect(try Person.all() == people)
            try session.execute("DROP TABLE person\(TestEngine.isPostgres ? " CASCADE" : "")")
            let error = #expect(throws: StoreError.self) { try Person.all() }
            let words = TestEngine.isPostgres ? #"relation "person" does not exist"# : "no such table: person"
            #expect(error?.message.contains(words) == true)
            people[0].age = 2
            #expect(throws: StoreError.self) { try people[0].save() }
        }
    }

    @Test func `execute and other calls throw after the session ended`() throws {
        try withTemporaryStore { store, _ in
            let ended = try store.withSession { $0 }
            let error = #expect(throws: StoreError.self) { try ended.execute("CREATE TABLE t (a INTEGER)") }
            #expect(error?.code == .sessionEnded)
            #expect(throws: StoreError.self) { try ended.rows("SELECT 1") }
            #expect(throws: StoreError.self) { try ended.refresh() }
            #expect(throws: StoreError.self) { try ended.reset() }
        }
    }

    @Test func `execute works in concurrent sessions and in perform`() async throws {
        let file = try TemporaryStore()
        // The sessions wait for each other, on a busy machine for seconds.
        let store = try file.open(configuration: .init(busyTimeout: .seconds(600)))
        try store.prepare(Person.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for _ in 0..<10 {
                        try store.withSession { session in
                            try session.execute("INSERT INTO person (name, age) VALUES (?, ?)", "T\(number)", number)
                            _ = try session.rows("SELECT * FROM person WHERE age = ?", number)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let counts = try await store.perform { session in
            try session.execute("UPDATE person SET age = 1 WHERE age > ?", 1)
            let row = try session.rows("SELECT count(*) AS n, sum(age) AS s FROM person")[0]
            try session.refresh()
            try session.reset()
            return [try row.value("n", as: Int.self), try row.value("s")]
        }
        expect(counts, [80, 70])
        #expect(try file.isSound)
    }
}

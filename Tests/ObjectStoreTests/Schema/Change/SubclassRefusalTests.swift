import TestSupport
import Testing

@testable import PersistentObjects

/// Obstacles to moving rows to the table of another class: each is reported, and the file stays unchanged.
struct SubclassRefusalTests {
    enum Apart {
        class Person: PersistentObject {
            var name = ""
            var chief: Person?
            var rank = 0
        }
        final class Desk: PersistentObject {}
        final class Staff: PersistentObject {
            var pay = 1
            var chief: Desk?
            var rank = ""
            var notes: [String] = []
        }
    }

    /// Only the two tables in which the SQL runs.
    enum Plain {
        class Person: PersistentObject { var name = "" }
        class Staff: PersistentObject {
            var pay = 1
            var notes: [String] = []
        }
    }

    enum Under {
        class Person: PersistentObject { var name = "" }
        final class Staff: Person { var pay = 1 }
    }

    enum Typed {
        class Person: PersistentObject {
            var name = ""
            var rank: Int? = 0
        }
        final class Staff: Person { var pay = 1 }
    }

    enum Linked {
        class Person: PersistentObject { var chief: Person? }
        final class Staff: Person {}
    }

    final class Crew: PersistentObject {
        override class var formerTableNames: [String] { ["staff"] }
        var pay = 1
    }

    private func file(_ objects: [PersistentObject]) throws -> TemporaryStore {
        let file = try TemporaryStore()
        let store = try Store(file.path)
        try store.withSession { session in try session.save(objects) }
        store.close()
        return file
    }

    /// The error for a file with two tables in which another program ran some SQL.
    private func refusal(
        _ types: [PersistentObject.Type], _ objects: [PersistentObject], _ sql: String
    ) throws -> SchemaError? {
        let file = try file(objects)
        if !sql.isEmpty { _ = try file.sqlite(sql) }
        let before = try file.sqlite(".dump")
        let store = try Store(file.path)
        let error = #expect(throws: SchemaError.self) { try store.prepare(types) }
        store.close()
        try expect(file.sqlite(".dump"), before)
        return error
    }

    private static let joining: [(sql: String, table: String, reason: String)] = [
        (
            "CREATE TABLE log (pay INTEGER REFERENCES staff (pay))", "staff",
            "column \"pay\" of \"log\" refers to it by columns other than its id alone"
        ),
        (
            "CREATE TABLE person_notes (text)", "staff",
            "table \"person_notes\" already exists in the file. Rename or drop it"
        ),
        (
            """
            CREATE TABLE new (id INTEGER PRIMARY KEY AUTOINCREMENT, pay INTEGER, extra VARCHAR(9)); DROP TABLE staff;
            ALTER TABLE new RENAME TO staff
            """, "staff", "its column \"extra\" has type VARCHAR(9), which no class uses"
        ),
        (
            """
            ALTER TABLE staff ADD COLUMN old TEXT; ALTER TABLE person ADD COLUMN old INTEGER;
            ALTER TABLE person ADD COLUMN staff_old INTEGER
            """, "staff", "the other table has another column \"old\". Rename one of them"
        ),
        (
            "DROP TABLE staff_notes; DROP TABLE staff; CREATE TABLE staff (id TEXT PRIMARY KEY, pay INTEGER)", "staff",
            "it has no column \"id\" that is its INTEGER PRIMARY KEY"
        ),
        (
            "UPDATE sqlite_sequence SET seq = CASE name WHEN 'person' THEN 9223372036854775800 ELSE 100 END", "staff",
            "there are not enough ids left in \"person\""
        ),
    ]

    @Test(arguments: joining)
    func `rows that cannot move into the hierarchy's table are an error with the reason`(
        _ sql: String, _ table: String, _ reason: String
    ) throws {
        let error = try refusal([Under.Staff.self], [Plain.Person(), Plain.Staff(), Plain.Staff()], sql)
        guard case .notMovable("Staff", table, let text)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(text.hasPrefix(reason), "\(text)")
    }

    private static let leaving: [(sql: String, reason: String)] = [
        (
            "DROP INDEX \"person.class.index\"; ALTER TABLE person DROP COLUMN class",
            "it has no column \"class\" with the classes of its rows"
        ),
        (
            """
            DROP TABLE person; CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, pay INTEGER,
            class TEXT NOT NULL DEFAULT 'Person')
            """, "it may reuse ids"
        ),
    ]

    @Test(arguments: leaving)
    func `rows that cannot leave the hierarchy's table are an error with the reason`(
        _ sql: String, _ reason: String
    ) throws {
        let error = try refusal([Plain.Staff.self], [Under.Person(), Under.Staff()], sql)
        guard case .notMovable("Staff", "person", let text)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(text.hasPrefix(reason), "\(text)")
    }

    @Test func `rows cannot move to a table in which another column is named class`() throws {
        let error = try refusal(
            [Under.Staff.self], [Plain.Person(), Plain.Staff()], "ALTER TABLE person ADD COLUMN class INTEGER")
        expect(
            error, .unsuitableTable(className: "Staff", table: "person", reason: "already has another column \"class\"")
        )
    }

    @Test func `a table that another class uses by its former name is not moved as well`() throws {
        let error = try refusal([Crew.self, Under.Staff.self], [Plain.Person(), Plain.Staff()], "")
        expect(
            error,
            .notMovable(
                className: "Staff", table: "staff",
                reason: "Crew uses the table now. Remove it from its formerTableNames"))
    }

    @Test func `references of both classes to different classes are not merged`() throws {
        let error = try refusal([Linked.Staff.self], [Apart.Person(), Apart.Staff()], "")
        expect(
            error,
            .referenceDiffers(
                className: "Staff", property: "chief", column: "chief_id", found: "desk", wanted: "person"))
    }

    @Test func `values of both classes whose types differ from the property's are not merged`() throws {
        let error = try refusal(
            [Typed.Staff.self], [Apart.Person(), Apart.Staff()],
            """
            ALTER TABLE staff DROP COLUMN rank; ALTER TABLE staff ADD COLUMN rank REAL;
            ALTER TABLE person DROP COLUMN rank; ALTER TABLE person ADD COLUMN rank TEXT
            """)
        expect(
            error,
            .columnTypeDiffers(
                className: "Staff", property: "rank", column: "staff.rank", found: "REAL", wanted: .integer))
    }
}

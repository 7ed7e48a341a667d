import TestSupport
import Testing

@testable import PersistentObjects

/// The tables of collections.
struct ChildTableTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
    }
    final class Pet: PersistentObject {
        override class var tableName: String { "pet" }
    }
    final class Human: PersistentObject {
        override class var tableName: String { "human" }
        override class var formerTableNames: [String] { ["person"] }
        var name = ""
    }
    final class Tags: PersistentObject {
        override class var tableName: String { "PERSON_tags" }
    }

    private static let owner =
        "(\"owner_id\" INTEGER NOT NULL REFERENCES \"person\"(\"id\") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED, "
    private static let array = "PRIMARY KEY (\"owner_id\", \"position\")) STRICT, WITHOUT ROWID"
    private static let pet =
        "\"value_id\" INTEGER NOT NULL REFERENCES \"pet\"(\"id\") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED, "

    private static func person(_ properties: Property...) throws -> ClassMap {
        try Collections.map(of: Person.self, adding: properties)
    }

    private static let kinds: [(Property, String)] = {
        let pets = Collections.reference(to: Pet.self)
        let key = "PRIMARY KEY (\"owner_id\", \"key\")) STRICT, WITHOUT ROWID"
        let position = "\"position\" INTEGER NOT NULL, "
        var kinds: [(Property, String)] = []
        func add(_ property: Property, _ columns: String...) { kinds.append((property, columns.joined())) }
        add(Collections.property("c", .array, of: Collections.int), position, "\"value\" INTEGER NOT NULL, ", array)
        add(Collections.property("c", .array, of: Collections.optionalText), position, "\"value\" TEXT, ", array)
        add(
            Collections.property("c", .set, of: Collections.text),
            "\"value\" TEXT NOT NULL, PRIMARY KEY (\"owner_id\", \"value\")) STRICT, WITHOUT ROWID")
        add(
            Collections.property("c", .dictionary, of: Collections.optionalText, key: Collections.text),
            "\"key\" TEXT NOT NULL, \"value\" TEXT, ", key)
        add(Collections.property("c", .array, of: pets), position, pet, array)
        add(
            Collections.property("c", .set, of: pets), pet,
            "PRIMARY KEY (\"owner_id\", \"value_id\")) STRICT, WITHOUT ROWID")
        add(
            Collections.property("c", .dictionary, of: pets, key: Collections.int), "\"key\" INTEGER NOT NULL, ", pet,
            key)
        return kinds
    }()

    @Test(arguments: kinds)
    func `each kind of collection has its table`(property: Property, columns: String) throws {
        let file = try TemporaryStore()
        try file.open().withSession { _ throws in try Person().save() }
        let map = try Self.person(property)
        try file.open().prepare(map)
        let text = try file.sqlite("SELECT sql FROM sqlite_schema WHERE name = 'person_c'")
        #expect(text == "CREATE TABLE \"person_c\" " + Self.owner + columns)
        #expect(try file.sqlite("SELECT id FROM person") == "1")
        let isOfObjects = columns.contains("value_id")
        let index = try file.sqlite("SELECT count(*) FROM sqlite_schema WHERE name = 'person_c.value_id.index'")
        #expect(index == (isOfObjects ? "1" : "0"))
        #expect(try file.sqlite("SELECT count(*) FROM sqlite_schema WHERE name = 'pet'") == (isOfObjects ? "1" : "0"))
        try file.open().withSession { session throws in
            let log = try statements(of: session) { try session.prepareTable(of: map) }
            #expect(log.allSatisfy { $0.hasPrefix("SELECT") }, "\(log)")
        }
    }

    @Test func `an optional collection has a column that distinguishes nil from empty`() throws {
        let file = try TemporaryStore()
        let map = try Self.person(Collections.property("tags", .array, of: Collections.text, isOptional: true))
        try file.open().withSession { _ throws in try Person().save() }
        for _ in 0..<2 { try file.open().prepare(map) }
        try expect(file.sqlite("SELECT id, tags IS NULL FROM person"), "1|1")
        let column = try file.sqlite(
            "SELECT type, \"notnull\", dflt_value IS NULL FROM pragma_table_info('person') WHERE name = 'tags'")
        expect(column, "INTEGER|0|1")
        let fresh = try TemporaryStore()
        try fresh.open().prepare(map)
        #expect(try fresh.sqlite("SELECT sql FROM sqlite_schema WHERE name = 'person'").contains("\"tags\" INTEGER)"))
    }

    @Test func `rows of a collection are deleted with their owner, and with the object that they refer to`() throws {
        let file = try TemporaryStore()
        try file.open().prepare(
            try Self.person(
                Collections.property("tags", .set, of: Collections.text),
                Collections.property("pets", .array, of: Collections.reference(to: Pet.self))))
        _ = try file.sqlite(
            "PRAGMA foreign_keys = ON; INSERT INTO person (name) VALUES ('a'), ('b'); "
                + "INSERT INTO pet DEFAULT VALUES; INSERT INTO pet DEFAULT VALUES; "
                + "INSERT INTO person_tags VALUES (1, 'x'), (2, 'x'); INSERT INTO person_pets VALUES (1, 0, 1), (1, 8, 2), "
                + "(2, 0, 2); DELETE FROM pet WHERE id = 1; DELETE FROM person WHERE id = 2")
        try expect(file.sqlite("SELECT * FROM person_tags; SELECT * FROM person_pets"), "1|x\n1|8|2")
    }

    @Test func `a collection of values cannot become a collection of objects`() throws {
        let file = try TemporaryStore()
        try file.open().prepare(try Self.person(Collections.property("c", .array, of: Collections.int)))
        let map = try Self.person(Collections.property("c", .array, of: Collections.reference(to: Pet.self)))
        let error = #expect(throws: SchemaError.self) { try file.open().prepare(map) }
        guard case .unsuitableTable("Person", "person_c", _)? = error else { throw error ?? .isAbstract(className: "") }
    }

    @Test func `two classes or properties cannot have the same collection table`() throws {
        let map = try Self.person(Collections.property("tags", .array, of: Collections.int))
        let names = ["Person.tags", "Tags"]
        try withTemporaryStore { store, _ throws in
            try store.prepare(map)
            #expect(throws: SchemaError.duplicateTable(table: "PERSON_tags", classNames: names)) {
                try store.prepare(Tags.self)
            }
        }
        try withTemporaryStore { store, _ throws in
            try store.prepare(Tags.self)
            #expect(throws: SchemaError.duplicateTable(table: "person_tags", classNames: names.reversed())) {
                try store.prepare(map)
            }
        }
        let twice = try Self.person(
            Collections.property("a", .array, of: Collections.int, column: "c"),
            Collections.property("b", .array, of: Collections.int, column: "C"))
        try withTemporaryStore { store, file throws in
            #expect(throws: SchemaError.duplicateTable(table: "person_C", classNames: ["Person.a", "Person.b"])) {
                try store.prepare(twice)
            }
            #expect(try file.sqlite("SELECT count(*) FROM sqlite_schema") == "0")
        }
    }

    @Test func `collection table names that SQLite does not accept are refused`() throws {
        for (column, reason) in [("a\0b", "NUL"), (String(repeating: "x", count: 1000), "longer")] {
            let map = try Self.person(Collections.property("c", .array, of: Collections.int, column: column))
            let error = #expect(throws: SchemaError.self) { try Store.inMemory().prepare(map) }
            expect(error?.description.contains(reason), true)
        }
    }

    @Test func `renaming a collection or its owner keeps the rows`() throws {
        let file = try TemporaryStore()
        let pets = Collections.reference(to: Pet.self)
        try file.open().prepare(
            try Self.person(
                Collections.property("pets", .array, of: pets),
                Collections.property("tags", .set, of: Collections.text)))
        _ = try file.sqlite(
            "INSERT INTO person (name) VALUES ('a'); INSERT INTO pet DEFAULT VALUES; "
                + "INSERT INTO person_pets VALUES (1, 0, 1); INSERT INTO person_tags VALUES (1, 'x')")
        for _ in 0..<2 {
            try file.open().prepare(
                try Collections.map(
                    of: Human.self,
                    adding: [
                        Collections.property("animals", .array, of: pets, formerColumns: ["beasts", "PETS"]),
                        Collections.property("tags", .set, of: Collections.text),
                    ]))
        }
        try expect(file.sqlite("SELECT * FROM human_animals; SELECT * FROM human_tags"), "1|0|1\n1|x")
        let names = try file.sqlite(
            "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' AND name NOT LIKE 'po%' ORDER BY name")
        expect(
            names.split(separator: "\n"),
            ["human", "human_animals", "human_animals.value_id.index", "human_tags", "pet"])
        try expect(file.sqlite("PRAGMA foreign_key_check; PRAGMA integrity_check"), "ok")
    }

    @Test func `a former name that another class uses now is ignored`() throws {
        let file = try TemporaryStore()
        let tags = Collections.property("tags", .set, of: Collections.text)
        try file.open().prepare(try Collections.map(of: Human.self, adding: [tags]))
        let person = try Self.person(tags)
        try file.open().prepare(person)
        let more = try Collections.map(
            of: Human.self, adding: [Collections.property("words", .set, of: Collections.text, formerColumns: ["tags"])]
        )
        _ = try file.sqlite("DROP TABLE human_tags")
        try file.open().prepare(more)
        let names = try file.sqlite("SELECT name FROM sqlite_schema WHERE name LIKE '%\\_%' ESCAPE '\\' ORDER BY name")
        #expect(names.contains("person_tags") && names.contains("human_words"))
    }
}

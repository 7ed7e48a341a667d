import TestSupport
import Testing

@testable import PersistentObjects

/// Columns of references, and the tables of the referenced classes.
struct ReferenceColumnTests {
    enum V1 {
        final class Person: PersistentObject {
            override class var tableName: String { "person" }
            var name = ""
        }
    }

    enum V2 {
        final class Person: PersistentObject {
            override class var tableName: String { "person" }
            var name = ""
            var friend: Person?
            weak var boss: Person?
            @Column("home", renamedFrom: "house") var home: House?
        }
        final class House: PersistentObject {
            override class var tableName: String { "house" }
            var owner: Person?
            @Unique var street: Street?
        }
        final class Street: PersistentObject {
            override class var tableName: String { "street" }
        }
    }

    enum V3 {
        final class Person: PersistentObject {
            override class var tableName: String { "person" }
            var friend: V2.Street?
        }
    }

    private static let end = "(\"id\") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED"

    @Test func `a new table has a foreign key for each reference, and each referenced class has a table`() throws {
        try withTemporaryStore { store, file throws in
            try store.withSession { session throws in
                let log = try statements(of: session) { _ = try session.space(of: V2.Person.self) }
                expect(log.count { $0.hasPrefix("BEGIN") }, 1, "one transaction for three classes")
            }
            try expect(
                file.sqlite("SELECT sql FROM sqlite_schema WHERE name = 'person'"),
                "CREATE TABLE \"person\" (\"id\" INTEGER PRIMARY KEY AUTOINCREMENT, "
                    + "\"name\" TEXT NOT NULL DEFAULT '', \"friend_id\" INTEGER REFERENCES \"person\"\(Self.end), "
                    + "\"boss_id\" INTEGER REFERENCES \"person\"\(Self.end), "
                    + "\"home\" INTEGER REFERENCES \"house\"\(Self.end)) STRICT")
            let names = try file.sqlite(
                "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' AND name NOT LIKE 'po%' ORDER BY name")
            expect(
                names.split(separator: "\n"),
                [
                    "house", "house.owner_id.index", "house.street_id.unique", "person", "person.boss_id.index",
                    "person.friend_id.index", "person.home.index", "street",
                ])
            #expect(try file.sqlite("PRAGMA foreign_key_check").isEmpty)
        }
    }

    @Test func `new references are NULL in existing rows`() throws {
        let file = try TemporaryStore()
        try file.open().withSession { session throws in try session.save([V1.Person(), V1.Person()]) }
        try file.open().prepare(V2.Person.self)
        #expect(try file.sqlite("SELECT * FROM person") == "1||||\n2||||")
        _ = try file.sqlite(
            "PRAGMA foreign_keys = ON; INSERT INTO house DEFAULT VALUES; UPDATE person SET home = 1, friend_id = 2; "
                + "DELETE FROM house; DELETE FROM person WHERE id = 2")
        #expect(try file.sqlite("SELECT * FROM person") == "1||||", "the links are gone with the rows")
        #expect(throws: SQLiteTool.Failure.self) {
            try file.sqlite("PRAGMA foreign_keys = ON; UPDATE person SET friend_id = 77")
        }
        let before = try file.sqlite("SELECT sql FROM sqlite_schema; PRAGMA schema_version")
        let store = try file.open()
        try store.withSession { session throws in
            let log = try statements(of: session) { _ = try session.space(of: V2.Person.self) }
            #expect(log.allSatisfy { $0.hasPrefix("SELECT") }, "\(log)")
        }
        try store.withSession { session throws in
            let log = try statements(of: session) { _ = try session.space(of: V2.Street.self) }
            #expect(log.isEmpty, "a reached class is prepared")
        }
        #expect(try file.sqlite("SELECT sql FROM sqlite_schema; PRAGMA schema_version") == before)
    }

    @Test func `a column that refers to rows of another class is refused`() throws {
        let file = try TemporaryStore()
        try file.open().prepare(V2.Person.self)
        let before = try file.sqlite("SELECT sql FROM sqlite_schema")
        let error = #expect(throws: SchemaError.self) { try file.open().prepare(V3.Person.self) }
        expect(
            error,
            .referenceDiffers(
                className: "Person", property: "friend", column: "friend_id", found: "person", wanted: "street"))
        try expect(file.sqlite("SELECT sql FROM sqlite_schema"), before)
    }

    @Test func `renaming a table keeps the references to it`() throws {
        enum New {
            final class Human: PersistentObject {
                override class var tableName: String { "human" }
                override class var formerTableNames: [String] { ["person"] }
                @Column("pal", renamedFrom: "friend_id") var friend: Human?
            }
        }
        let file = try TemporaryStore()
        try file.open().prepare(V2.Person.self)
        _ = try file.sqlite("INSERT INTO person (friend_id) VALUES (NULL), (1)")
        for _ in 0..<2 { try file.open().prepare(New.Human.self) }
        try expect(file.sqlite("SELECT id, pal FROM human"), "1|\n2|1")
        try expect(
            file.sqlite("SELECT \"table\" FROM pragma_foreign_key_list('house') WHERE \"from\" = 'owner_id'"), "human")
        try expect(file.sqlite("SELECT count(*) FROM sqlite_schema WHERE name = 'human.pal.index'"), "1")
    }

    @Test func `a referenced class that cannot be stored is an error of the referring class`() throws {
        enum Bad {
            final class Target: PersistentObject {
                override class var tableName: String { "target" }
                var closure: () -> Void = {}
            }
            final class Owner: PersistentObject {
                override class var tableName: String { "owner" }
                var target: Target?
            }
        }
        try withTemporaryStore { store, file throws in
            let error = #expect(throws: SchemaError.self) { try store.prepare(Bad.Owner.self) }
            guard case .notStorable("Target", "closure", _, _)? = error else {
                throw error ?? .isAbstract(className: "none")
            }
            #expect(try file.sqlite("SELECT count(*) FROM sqlite_schema") == "0")
        }
    }

    @Test func `classes that refer to each other in a circle are all prepared`() throws {
        enum Cycle {
            final class A: PersistentObject {
                override class var tableName: String { "a" }
                var b: B?
            }
            final class B: PersistentObject {
                override class var tableName: String { "b" }
                var c: C?
            }
            final class C: PersistentObject {
                override class var tableName: String { "c" }
                var a: A?
                var c: C?
            }
        }
        try withTemporaryStore { store, file throws in
            try store.prepare(Cycle.B.self)
            try expect(file.sqlite("SELECT count(*) FROM sqlite_schema WHERE name IN ('a', 'b', 'c')"), "3")
            try store.withSession { session throws in
                for type in [Cycle.A.self, Cycle.B.self, Cycle.C.self] as [PersistentObject.Type] {
                    #expect(try store.classes.isPrepared(ClassMap.map(of: type), for: session))
                }
            }
        }
    }
}

import TestSupport
import Testing

@testable import PersistentObjects

/// The library's triggers follow the classes, and other triggers are kept.
struct RuleChangeTests {
    enum V1 {
        class Person: PersistentObject {
            override class var tableName: String { "person" }
            @OnDelete(.cascade) var home: Person?
            @OnDelete(.deny) var gone: Person?
        }
        final class Employee: V1.Person { @OnDelete(.cascade) var boss: V1.Person? }
        final class Manager: V1.Person { @OnDelete(.deny) var boss: V1.Person? }
    }
    enum V2 {
        class Person: PersistentObject {
            override class var tableName: String { "human" }
            override class var formerTableNames: [String] { ["person"] }
            @OnDelete(.deny) var home: Person?
        }
        final class Employee: V2.Person { var boss: V2.Person? }
    }

    private static func triggers(_ file: TemporaryStore) throws -> [String] {
        try file.sqlite("SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
            .split(separator: "\n").map(String.init)
    }

    @Test func `delete rules of subclasses are separate, and are kept when only the root is prepared`() throws {
        let file = try TemporaryStore()
        try file.open().prepare(V1.Employee.self, V1.Manager.self)
        let all = [
            "person.boss_id.cascade.Employee", "person.boss_id.deny.Manager", "person.gone_id.deny",
            "person.home_id.cascade",
        ]
        try expect(Self.triggers(file), all)
        let version = try file.sqlite("PRAGMA schema_version")
        for _ in 0..<2 { try file.open().prepare(V1.Person.self) }
        try file.open().prepare(V1.Manager.self)
        try expect(file.sqlite("PRAGMA schema_version"), version)
    }

    @Test func `changed and removed delete rules are updated, also in a renamed table`() throws {
        let file = try TemporaryStore()
        try file.open().prepare(V1.Employee.self, V1.Manager.self)
        _ = try file.sqlite(
            "CREATE TRIGGER \"person.mine\" AFTER DELETE ON person BEGIN SELECT 1; END; "
                + "CREATE TABLE other (id INTEGER); "
                + "CREATE TRIGGER \"human.x.deny\" AFTER DELETE ON other BEGIN SELECT 1; END")
        try file.open().prepare(V2.Employee.self)
        let version = try file.sqlite("PRAGMA schema_version")
        try file.open().prepare(V2.Employee.self)
        try expect(file.sqlite("PRAGMA schema_version"), version)
        try expect(
            Self.triggers(file), ["human.home_id.deny", "human.x.deny", "person.boss_id.deny.Manager", "person.mine"])
        _ = try file.sqlite("INSERT INTO human (home_id) VALUES (NULL), (1)")
        #expect(throws: SQLiteTool.Failure.self) { try file.sqlite("DELETE FROM human WHERE id = 1") }
        _ = try file.sqlite("DELETE FROM human WHERE id = 2; DELETE FROM human")
    }

    @Test func `names with special characters are quoted and found again`() throws {
        enum Odd {
            final class `A "b" */ '`: PersistentObject {
                override class var tableName: String { "we\"i'rd.t; --" }
                @OnDelete(.deny) @Column("co\"l'u.mn") var other: `A "b" */ '`? = nil
            }
        }
        let file = try TemporaryStore()
        let map = try Collections.map(
            of: Odd.`A "b" */ '`.self,
            adding: [
                Collections.property(
                    "all", .set, of: Collections.reference(to: Odd.`A "b" */ '`.self), column: "x\"y'", rule: .cascade)
            ])
        try file.open().prepare(map)
        let version = try file.sqlite("PRAGMA schema_version")
        try file.open().prepare(map)
        #expect(try file.sqlite("PRAGMA schema_version") == version)
        #expect(try Self.triggers(file) == ["we\"i'rd.t; --.co\"l'u.mn.deny", "we\"i'rd.t; --.x\"y'.cascade"])
        _ = try file.sqlite(
            #"INSERT INTO "we""i'rd.t; --" ("co""l'u.mn") VALUES (NULL), (1); "#
                + #"INSERT INTO "we""i'rd.t; --_x""y'" VALUES (2, 1)"#)
        let error = #expect(throws: SQLiteTool.Failure.self) {
            try file.sqlite(#"DELETE FROM "we""i'rd.t; --" WHERE id = 1"#)
        }
        #expect(error?.description.contains("other denies the deletion") == true)
    }
}

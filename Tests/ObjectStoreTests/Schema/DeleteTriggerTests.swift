import TestSupport
import Testing

@testable import PersistentObjects

/// Delete rules as triggers in the file, which apply to deletions by other programs.
struct DeleteTriggerTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        override class var deleteRules: [String: DeleteRule] { ["pets": .cascade, "patients": .deny] }
        @OnDelete(.cascade) var passport: Passport?
        @OnDelete(.deny) var boss: Person?
        @OnDelete(.cascade) var next: Person?
        @Inverse(\Pet.owner) var pets: [Pet]
        @Inverse(\Pet.vet) var patients: [Pet]
        @OnDelete(.cascade) var number = 0
    }
    final class Passport: PersistentObject {
        override class var tableName: String { "passport" }
    }
    final class Pet: PersistentObject {
        override class var tableName: String { "pet" }
        var owner: Person?
        var vet: Person?
    }

    private static let tables = "PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON; "

    private static func file(_ rows: String) throws -> TemporaryStore {
        let file = try TemporaryStore()
        try file.open().prepare(Person.self)
        _ = try file.sqlite(tables + rows)
        return file
    }

    @Test func `each delete rule is a trigger, created once`() throws {
        let file = try Self.file("")
        let text = try file.sqlite("SELECT sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
        expect(
            text.split(separator: "\n"),
            [
                #"CREATE TRIGGER "person.boss_id.deny" BEFORE DELETE ON "person" WHEN EXISTS (SELECT 1 FROM "person" WHERE "boss_id" = OLD."id" AND "id" <> OLD."id") BEGIN SELECT RAISE(ABORT, 'Person.boss denies the deletion'); END"#,
                #"CREATE TRIGGER "person.next_id.cascade" AFTER DELETE ON "person" WHEN OLD."next_id" IS NOT NULL BEGIN DELETE FROM "person" WHERE "id" = OLD."next_id"; END"#,
                #"CREATE TRIGGER "person.passport_id.cascade" AFTER DELETE ON "person" WHEN OLD."passport_id" IS NOT NULL BEGIN DELETE FROM "passport" WHERE "id" = OLD."passport_id"; END"#,
                #"CREATE TRIGGER "person.patients.deny" BEFORE DELETE ON "person" WHEN EXISTS (SELECT 1 FROM "pet" WHERE "vet_id" = OLD."id") BEGIN SELECT RAISE(ABORT, 'Person.patients denies the deletion'); END"#,
                #"CREATE TRIGGER "person.pets.cascade" BEFORE DELETE ON "person" BEGIN DELETE FROM "pet" WHERE "owner_id" = OLD."id"; END"#,
            ])
        let before = try file.sqlite("PRAGMA schema_version")
        try file.open().prepare(Person.self)
        try expect(file.sqlite("PRAGMA schema_version"), before)
    }

    @Test func `references cascade and deny in the file`() throws {
        let file = try Self.file(
            "INSERT INTO passport DEFAULT VALUES; INSERT INTO passport DEFAULT VALUES; "
                + "INSERT INTO person (passport_id, boss_id) VALUES (1, NULL), (2, 1), (NULL, 3)")
        let error = #expect(throws: SQLiteTool.Failure.self) {
            try file.sqlite(Self.tables + "DELETE FROM person WHERE id = 1")
        }
        expect(error?.description.contains("Person.boss denies the deletion"), true)
        _ = try file.sqlite(Self.tables + "DELETE FROM person WHERE id = 3; DELETE FROM person WHERE id = 2")
        try expect(file.sqlite("SELECT id FROM person; SELECT id FROM passport"), "1\n1")
    }

    @Test func `a chain or circle of cascades is deleted completely, also by raw SQL in a session`() throws {
        let file = try Self.file(
            "INSERT INTO person (next_id) VALUES (2), (3), (1); INSERT INTO person (next_id) VALUES (NULL), (4), (5)")
        _ = try file.sqlite(Self.tables + "DELETE FROM person WHERE id = 6")
        try expect(file.sqlite("SELECT count(*) FROM person"), "3")
        try file.open().withSession { session throws in
            try session.connection.execute(SQL("DELETE FROM person WHERE id = 1"))
        }
        try expect(file.sqlite("SELECT count(*) FROM person"), "0")
    }

    @Test func `inverses cascade and deny in the file`() throws {
        let file = try Self.file(
            "INSERT INTO person (number) VALUES (1), (2); INSERT INTO pet (owner_id, vet_id) VALUES (1, 2), (2, NULL)")
        let error = #expect(throws: SQLiteTool.Failure.self) {
            try file.sqlite(Self.tables + "DELETE FROM person WHERE id = 2")
        }
        expect(error?.description.contains("Person.patients denies the deletion"), true)
        _ = try file.sqlite(Self.tables + "DELETE FROM person WHERE id = 1")
        try expect(file.sqlite("SELECT id FROM person; SELECT id FROM pet"), "2\n2")
        _ = try file.sqlite(Self.tables + "DELETE FROM person WHERE id = 2")
        try expect(file.sqlite("SELECT count(*) FROM pet"), "0")
    }

    @Test func `collections of objects cascade and deny in the file`() throws {
        let file = try TemporaryStore()
        let pets = Collections.reference(to: Pet.self)
        let map = try Collections.map(
            of: Passport.self,
            adding: [
                Collections.property("pets", .array, of: pets, rule: .cascade),
                Collections.property("held", .set, of: pets, rule: .deny),
                Collections.property("tags", .set, of: Collections.text, rule: .deny),
            ])
        try file.open().prepare(map)
        let text = try file.sqlite(
            "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'passport.%' ORDER BY name")
        expect(
            text.split(separator: "\n"),
            [
                #"CREATE TRIGGER "passport.held.deny" BEFORE DELETE ON "passport" WHEN EXISTS (SELECT 1 FROM "passport_held" WHERE "owner_id" = OLD."id") BEGIN SELECT RAISE(ABORT, 'Passport.held denies the deletion'); END"#,
                #"CREATE TRIGGER "passport.pets.cascade" BEFORE DELETE ON "passport" BEGIN DELETE FROM "pet" WHERE "id" IN (SELECT "value_id" FROM "passport_pets" WHERE "owner_id" = OLD."id"); END"#,
            ])
        _ = try file.sqlite(
            Self.tables + "INSERT INTO passport DEFAULT VALUES; INSERT INTO passport DEFAULT VALUES; "
                + "INSERT INTO pet (owner_id) VALUES (NULL), (NULL), (NULL); INSERT INTO passport_tags VALUES (1, 'x'); "
                + "INSERT INTO passport_pets VALUES (1, 0, 1), (1, 1, 2); INSERT INTO passport_held VALUES (2, 3); "
                + "DELETE FROM passport WHERE id = 1")
        try expect(file.sqlite("SELECT id FROM passport; SELECT id FROM pet"), "2\n3")
        #expect(throws: SQLiteTool.Failure.self) { try file.sqlite(Self.tables + "DELETE FROM passport") }
    }

    @Test func `the trigger of an inverse of a collection uses the collection's table`() throws {
        let map = try ClassMap.map(of: Person.self)
        let owners = Collections.property("owners", .set, of: Collections.reference(to: Person.self))
        let pet = try Collections.map(of: Pet.self, adding: [owners])
        let side = InverseSide(other: pet, ordinal: pet.properties.count - 1)
        let pets = map.properties[try #require(map.ordinal(of: "pets"))]
        expect(
            DeleteTrigger(pets, of: map, inverse: side, .sqlite).sql.text,
            #"CREATE TRIGGER "person.pets.cascade" BEFORE DELETE ON "person" BEGIN DELETE FROM "pet" WHERE "id" IN (SELECT "owner_id" FROM "pet_owners" WHERE "value_id" = OLD."id"); END"#
        )
        let patients = map.properties[try #require(map.ordinal(of: "patients"))]
        #expect(
            DeleteTrigger(patients, of: map, inverse: side, .sqlite).sql.text.contains(
                #"WHEN EXISTS (SELECT 1 FROM "pet_owners" WHERE "value_id" = OLD."id")"#))
    }
}

import TestSupport
import Testing

@testable import PersistentObjects

/// Saving one object: an insert, an update of the changed columns, or nothing without changes.
struct SaveTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var lastName = ""
        var age: Int?
        @Unique var email: String?
    }

    final class Mark: PersistentObject {
        override class var tableName: String { "mark" }
    }

    final class Quoted: PersistentObject {
        override class var tableName: String { "quo\"ted" }
        @Column("a \"b\"") var first = 1
        var select = 2
    }

    /// A class with more properties than a word of the column set has bits.
    final class Wide: PersistentObject {
        override class var tableName: String { "wide" }
        struct Text: Codable { var street = "" }
        var a = Text(), b = "b"
        var c01 = 1, c02 = 1, c03 = 1, c04 = 1, c05 = 1, c06 = 1, c07 = 1, c08 = 1, c09 = 1, c10 = 1, c11 = 1, c12 = 1
        var d01 = 1, d02 = 1, d03 = 1, d04 = 1, d05 = 1, d06 = 1, d07 = 1, d08 = 1, d09 = 1, d10 = 1, d11 = 1, d12 = 1
        var e01 = 1, e02 = 1, e03 = 1, e04 = 1, e05 = 1, e06 = 1, e07 = 1, e08 = 1, e09 = 1, e10 = 1, e11 = 1, e12 = 1
        var f01 = 1, f02 = 1, f03 = 1, f04 = 1, f05 = 1, f06 = 1, f07 = 1, f08 = 1, f09 = 1, f10 = 1, f11 = 1, f12 = 1
        var g01 = 1, g02 = 1, g03 = 1, g04 = 1, g05 = 1, g06 = 1, g07 = 1, g08 = 1, g09 = 1, g10 = 1, g11 = 1, g12 = 1
        var h01 = 1, h02 = 1, h03 = 1, h04 = 1, h05 = 1, h06 = 1, h07 = 1, h08 = 1, h09 = 1, h10 = 1, h11 = 1, h12 = 1
    }

    @Test func `a saved object is a row, and a find returns the same instance`() throws {
        try withTemporarySession { _, file in
            let joe = Person()
            joe.lastName = "Smith"
            joe.age = 39
            #expect(joe.id == nil && joe.isNew && joe.hasChanges && joe.persistentID == nil)
            try joe.save()
            #expect(joe.id == 1 && !joe.isNew && !joe.hasChanges && joe.changes.isEmpty && !joe.isDeleted)
            expect(joe.persistentID, PersistentID(1))
            try expect(file.sqlite("SELECT * FROM person"), "1|Smith|39|")
            #expect(try Person.find(1) === joe)
        }
    }

    @Test func `an insert is one statement in one transaction`() throws {
        try withTemporarySession { session, _ in
            _ = try Person.count()
            let joe = Person()
            let log = try statements(of: session) { try joe.save() }
            expect(
                log,
                ["BEGIN IMMEDIATE", #"INSERT INTO "person" ("last_name", "age", "email") VALUES (?, ?, ?)"#, "COMMIT"])
        }
    }

    @Test func `an update writes only the changed columns`() throws {
        try withTemporarySession { session, file in
            let joe = Person()
            try joe.save()
            joe.age = 40
            let one = try statements(of: session) { try joe.save() }
            expect(one, ["BEGIN IMMEDIATE", #"UPDATE "person" SET "age" = ? WHERE "id" = ?"#, "COMMIT"])
            joe.lastName = "Smith"
            joe.email = "a@b.c"
            let two = try statements(of: session) { try joe.save() }
            expect(two[1], #"UPDATE "person" SET "last_name" = ?, "email" = ? WHERE "id" = ?"#)
            joe.age = nil
            joe.email = nil
            try joe.save()
            try expect(file.sqlite("SELECT id, last_name, age IS NULL, email IS NULL FROM person"), "1|Smith|1|1")
        }
    }

    @Test func `a column that another program changed is not overwritten`() throws {
        try withTemporarySession { _, file in
            let joe = Person()
            try joe.save()
            _ = try file.sqlite("UPDATE person SET last_name = 'Jones'")
            joe.age = 40
            try joe.save()
            try expect(file.sqlite("SELECT last_name, age FROM person"), "Jones|40")
        }
    }

    @Test func `saving without a change runs no SQL`() throws {
        try withTemporarySession { session, _ in
            let joe = Person()
            try joe.save()
            joe.age = 3
            joe.age = nil
            joe.lastName = String(["S", "m"]) + ""
            joe.lastName = ""
            let log = try statements(of: session) {
                try joe.save()
                try session.save([joe, joe])
                try session.save([])
                try session.saveChanges()
            }
            #expect(log.isEmpty)
        }
    }

    @Test func `objects of a class without properties can be saved`() throws {
        try withTemporarySession { session, file in
            let first = Mark()
            try first.save()
            try session.save((0..<30).map { _ in Mark() })
            try expect(file.sqlite("SELECT count(*), min(id), max(id) FROM mark"), "31|1|31")
            #expect(try Mark.all().count == 31 && !first.hasChanges)
            let log = try statements(of: session) { try first.save() }
            #expect(log.isEmpty)
        }
    }

    @Test func `a class with more than 64 properties is updated by changed columns`() throws {
        try withTemporarySession { session, file in
            let wide = Wide()
            try wide.save()
            wide.h12 = 2
            wide.a.street = "7"
            let log = try statements(of: session) { try wide.save() }
            expect(log[1], #"UPDATE "wide" SET "a" = ?, "h12" = ? WHERE "id" = ?"#)
            wide.h11 = 5
            expect(wide.changes.map(\.name), ["h11"])
            wide.revert()
            try expect(file.sqlite("SELECT a, b, c01, h11, h12 FROM wide"), "{\"street\":\"7\"}|b|1|1|2")
            try expect(session.store.withSession { _ in try Wide.find(1)?.a.street }, "7")
        }
    }

    @Test func `names are quoted in all statements`() throws {
        try withTemporarySession { session, file in
            let object = Quoted()
            try session.save([object] + (0..<10).map { _ in Quoted() })
            object.first = 5
            try object.save()
            #expect(try file.sqlite(#"SELECT "a ""b""", "select" FROM "quo""ted" WHERE id = 1"#) == "5|2")
            try expect(Quoted.findByFirst(5), [object])
            try expect(Quoted.countBy.select(2), 11)
            try object.delete()
            try expect(Quoted.count(), 10)
        }
    }

    @Test func `saveChanges saves edited objects of all classes in one transaction, and no new objects`() throws {
        try withTemporarySession { session, file in
            let people = (0..<3).map { _ in Person() }
            let wide = Wide()
            try session.save(people + [wide])
            people[0].age = 1
            people[2].age = 3
            wide.b = "changed"
            let new = Person()
            let log = try statements(of: session) { try session.saveChanges() }
            #expect(log.filter { $0 == "COMMIT" }.count == 1 && log.filter { $0.hasPrefix("UPDATE") }.count == 3)
            #expect(try file.sqlite("SELECT id, age FROM person WHERE age NOT NULL") == "1|1\n3|3")
            #expect(try file.sqlite("SELECT b FROM wide") == "changed")
            #expect(new.isNew && !people[0].hasChanges)
        }
    }
}

import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Renamed tables and columns, new indexes, and changes that are refused.
struct SchemaChangeTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var nickname: String?
        var age = 0
        var maybe: Int?
    }

    private static func fileWithRows() throws -> TemporaryStore {
        let file = try TemporaryStore()
        try file.open().withSession { session throws in
            try session.save(
                (0..<3).map { number in
                    let person = Person()
                    (person.name, person.nickname, person.age) = ("P\(number)", "N\(number)", number / 2)
                    return person
                })
        }
        return file
    }

    @Test func `a column with a former name is renamed and keeps its values`() throws {
        enum New {
            final class Person: PersistentObject {
                override class var tableName: String { "person" }
                var name = ""
                @Column("nick", renamedFrom: "alias", "nickname") var nick: String?
                @Column("years", renamedFrom: "AGE") var age = 7
            }
        }
        let file = try Self.fileWithRows()
        for _ in 0..<2 {
            try file.open().withSession { _ throws in
                let people = try New.Person.all()
                #expect(people.map(\.nick) == ["N0", "N1", "N2"] && people.map(\.age) == [0, 0, 1])
                try expect(New.Person.findByNick("N1"), [people[1]])
            }
        }
        try expect(
            file.sqlite("SELECT group_concat(name) FROM pragma_table_info('person')"), "id,name,nick,years,maybe")
    }

    @Test func `a table with a former name is renamed, and its ids continue`() throws {
        enum New {
            final class Human: PersistentObject {
                override class var tableName: String { "human" }
                override class var formerTableNames: [String] { ["people", "person"] }
                @Column("full name", renamedFrom: "name") var name = ""
                var added = "new"
                @Indexed var age = 0
            }
        }
        let file = try Self.fileWithRows()
        try file.open().withSession { session throws in
            try expect(New.Human.all().map(\.name), ["P0", "P1", "P2"])
            try New.Human.find(3)?.delete()
            let more = [New.Human(), New.Human()]
            try session.save(more)
            expect(more.map(\.id), [4, 5])
        }
        try expect(file.sqlite("SELECT name FROM sqlite_schema WHERE name IN ('person', 'human')"), "human")
        try expect(file.sqlite("SELECT id, \"full name\", added FROM human WHERE id < 3"), "1|P0|new\n2|P1|new")
        try file.open().withSession { _ throws in try expect(New.Human.count(), 4) }
        try expect(file.sqlite("PRAGMA integrity_check"), "ok")
    }

    @Test func `the indexes of a renamed table exist once, with new names`() throws {
        enum Old {
            final class Animal: PersistentObject {
                override class var tableName: String { "animal" }
                @Indexed var name = ""
            }
        }
        enum New {
            final class Pet: PersistentObject {
                override class var tableName: String { "pet" }
                override class var formerTableNames: [String] { ["animal"] }
                @Indexed var name = ""
            }
        }
        let file = try TemporaryStore()
        try file.open().withSession { _ throws in try Old.Animal().save() }
        try file.open().withSession { _ throws in try expect(New.Pet.count(), 1) }
        try expect(
            file.sqlite("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"), "pet.name.index")
    }

    @Test func `a new index covers the existing rows`() throws {
        enum New {
            final class Person: PersistentObject {
                override class var tableName: String { "person" }
                override class var indexes: [Index] { [Index(\New.Person.name, \New.Person.age, unique: true)] }
                @Unique var name = ""
                @Indexed var age = 0
            }
        }
        let file = try Self.fileWithRows()
        try file.open().withSession { _ throws in
            #expect(try New.Person.findByAge(0).count == 2)
            let twin = New.Person()
            (twin.name, twin.age) = ("P1", 5)
            let error = #expect(throws: StoreError.self) { try twin.save() }
            #expect(error?.code == .notUnique && error?.property == "name")
        }
        #expect(try file.sqlite("SELECT count(*), sum(\"unique\") FROM pragma_index_list('person')") == "3|2")
    }

    @Test func `a unique index over duplicate values is refused with the remedy, and changes nothing`() throws {
        enum New {
            final class Person: PersistentObject {
                override class var tableName: String { "person" }
                @Unique var age = 0
                var added = 1
            }
        }
        let file = try Self.fileWithRows()
        let store = try file.open()
        let error = #expect(throws: SchemaError.self) { try store.prepare(New.Person.self) }
        guard case .notUnique("Person", let index, let rows)? = error else {
            throw error ?? .isAbstract(className: "none")
        }
        #expect(
            index.contains("age") && rows == ["2 rows from 1 to 2"]
                && error?.description.contains("Fix the rows first") == true)
        #expect(try file.sqlite("SELECT count(*) FROM pragma_table_info('person') WHERE name = 'added'") == "0")
        _ = try file.sqlite("UPDATE person SET age = id")
        try store.withSession { _ throws in #expect(try New.Person.findByAge(2).map(\.added) == [1]) }
    }

    private static let unsuitable = [
        ("CREATE TABLE person (name TEXT) STRICT", "has no column \"id\""),
        ("CREATE TABLE person (id TEXT PRIMARY KEY, name TEXT) STRICT", "has no column \"id\""),
        ("CREATE TABLE person (id INTEGER, other INTEGER, PRIMARY KEY (id, other)) STRICT", "has no column \"id\""),
        ("CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT) STRICT", "AUTOINCREMENT"),
        ("CREATE TABLE t (id INTEGER); CREATE VIEW person AS SELECT id FROM t", "is a view"),
        ("CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT) STRICT, WITHOUT ROWID", "AUTOINCREMENT"),
        ("CREATE TABLE \"PERSON\" (name TEXT) STRICT", "has no column \"id\""),
    ]

    @Test(arguments: unsuitable.map(\.0))
    func `a table that cannot store a class is refused with the reason`(sql: String) throws {
        let reason = try #require(Self.unsuitable.first { $0.0 == sql }?.1)
        let file = try TemporaryStore()
        _ = try file.open()
        _ = try file.sqlite(sql)
        let before = try file.sqlite("SELECT sql FROM sqlite_schema")
        try file.open().withSession { _ throws in
            for _ in 0..<2 {
                let error = #expect(throws: SchemaError.self) { try Person.all() }
                guard case .unsuitableTable("Person", _, let text)? = error else {
                    throw error ?? .isAbstract(className: "")
                }
                #expect(text.contains(reason) && error?.description.contains("verride tableName") == true)
            }
        }
        #expect(try file.sqlite("SELECT sql FROM sqlite_schema") == before)
    }

    @Test func `a table created by another program is used if it is suitable`() throws {
        let file = try TemporaryStore()
        _ = try file.open()
        _ = try file.sqlite(
            """
            CREATE TABLE Person (ID INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT DEFAULT 'x', nickname TEXT, extra BLOB);
            INSERT INTO Person (Name, nickname) VALUES ('Ann', 'A'), ('Bob', NULL);
            """)
        try file.open().withSession { session throws in
            let people = try Person.all()
            #expect(
                people.map(\.name) == ["Ann", "Bob"] && people.map(\.nickname) == ["A", nil] && people[0].age == 0)
            people[0].name = "Anna"
            try people[0].save()
            try session.save((0..<10).map { _ in Person() })
            try expect(Person.findByName("Anna"), [people[0]])
        }
        try expect(file.sqlite("SELECT count(*), max(id) FROM person"), "12|12")
        try expect(file.sqlite("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'person'"), "1")
    }

    @Test func `a stored value of another type is an error with class, property and row`() throws {
        let file = try TemporaryStore()
        _ = try file.open()
        _ = try file.sqlite(
            """
            CREATE TABLE person (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, nickname TEXT, age INTEGER, maybe INTEGER);
            INSERT INTO person (name, nickname, age) VALUES ('good', 'g', 1), ('bad', 'b', 'not a number'), ('worse', 5, 3.5);
            """)
        try file.open().withSession { session throws in
            #expect(try Person.find(1)?.name == "good")
            for id in [2, 3] as [Int64] {
                let error = #expect(throws: StoreError.self) { try Person.find(id) }
                #expect(error?.code == .typeMismatch && error?.className == "Person" && error?.property == "age")
                #expect(error?.rowID == id)
            }
            #expect(throws: StoreError.self) { try Person.all() }
            #expect(try Person.findByName("good").count == 1)
            #expect(session.busyStatementCount == 0)
            #expect(try session.space(of: Person.self).identity.brokenInvariant() == nil)
        }
    }
}

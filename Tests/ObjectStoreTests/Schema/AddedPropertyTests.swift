import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Added properties: old rows get the initial values of new objects.
struct AddedPropertyTests {
    struct Address: Codable, Equatable {
        var street = "it's \"Main\""
        var numbers = [1, 2]
    }

    enum Status: String, Codable { case active, retired }

    enum V1 {
        final class Person: PersistentObject {
            override class var tableName: String { "person" }
            var name = ""
        }
    }

    enum V2 {
        final class Person: PersistentObject {
            override class var tableName: String { "person" }
            var first = 1
            var name = ""
            var text = "plain"
            var quoted = "it's \"quoted\" \\ \n é"
            var nul = "a\0b"
            var empty = ""
            var int = Int.min
            var flag = true
            var double = 0.1
            var infinite = Double.infinity
            var maybe: Int?
            var maybeSet: String? = "set"
            var data = Data([0, 255])
            var status = Status.retired
            var address = Address()
            var maybeAddress: Address? = Address()
            var list = ["a", "b"]
            var created = Date()
            var token = UUID()
            var price = Decimal(string: "12.5") ?? 0
            var url = URL(filePath: "/tmp")
            @Indexed var indexed = 3
            @Unique var unique: String?
        }
    }

    enum V3 {
        final class Person: PersistentObject {
            override class var tableName: String { "person" }
            var int = 0
        }
    }

    private static func fileWithRows(_ count: Int) throws -> TemporaryStore {
        let file = try TemporaryStore()
        try file.open().withSession { session throws in
            try session.save(
                (0..<count).map { number in
                    let person = V1.Person()
                    person.name = "P\(number)"
                    return person
                })
        }
        return file
    }

    @Test func `old rows get the initial values of new properties of each kind`() throws {
        let file = try Self.fileWithRows(3)
        let before = Date()
        try file.open().withSession { _ throws in
            let people = try V2.Person.all()
            #expect(people.map(\.name) == ["P0", "P1", "P2"] && people.map(\.id) == [1, 2, 3])
            let new = V2.Person()
            for person in people {
                #expect(
                    person.first == 1 && person.text == "plain" && person.quoted == new.quoted && person.empty.isEmpty)
                #expect(person.nul.utf8.elementsEqual("a\0b".utf8) && person.int == .min && person.flag)
                #expect(person.double == 0.1 && person.infinite == .infinity && person.maybe == nil)
                #expect(person.maybeSet == "set" && person.data == new.data && person.status == .retired)
                #expect(
                    person.address == new.address && person.maybeAddress == new.address && person.list.isEmpty)
                #expect(
                    person.price == new.price && person.url == new.url && person.indexed == 3 && person.unique == nil)
                #expect(abs(person.created.timeIntervalSince(before)) < 600 && !person.hasChanges)
            }
            try new.save()
            #expect(try V2.Person.countBy.maybeSet("set") == 4 && V2.Person.countBy.nul("a\0b") == 4)
            try expect(V2.Person.countBy.maybe(nil), 4)
        }
        try expect(
            file.sqlite("SELECT count(*), count(DISTINCT length(token)), max(length(token)) FROM person"), "4|1|16")
        try expect(file.sqlite("PRAGMA integrity_check"), "ok")
    }

    @Test func `new columns have a type, and are NOT NULL unless the property is optional`() throws {
        let file = try Self.fileWithRows(1)
        try file.open().prepare(V2.Person.self)
        let columns = try file.sqlite(
            "SELECT name || ' ' || type || ' ' || \"notnull\" FROM pragma_table_info('person')")
        let lines = Set(columns.split(separator: "\n").map(String.init))
        let wanted: Set = [
            "name TEXT 1", "first INTEGER 1", "maybe INTEGER 0", "maybe_set TEXT 0", "nul TEXT 1", "created REAL 1",
            "token BLOB 1", "address BLOB 1", "maybe_address BLOB 0", "unique TEXT 0",
        ]
        #expect(lines.isSuperset(of: wanted), "\(lines)")
        try expect(file.sqlite("SELECT count(*) FROM pragma_index_list('person')"), "2")
    }

    @Test func `opening the store again changes nothing`() throws {
        let file = try Self.fileWithRows(2)
        try file.open().prepare(V2.Person.self)
        let before = try file.sqlite("SELECT sql FROM sqlite_schema; SELECT * FROM person; PRAGMA schema_version")
        try file.open().prepare(V2.Person.self)
        try expect(file.sqlite("SELECT sql FROM sqlite_schema; SELECT * FROM person; PRAGMA schema_version"), before)
    }

    @Test func `new columns are added to an empty table too`() throws {
        let file = try Self.fileWithRows(0)
        try file.open().withSession { _ throws in
            try expect(V2.Person.count(), 0)
            try V2.Person().save()
        }
        try expect(file.sqlite("SELECT length(CAST(nul AS BLOB)), int FROM person"), "3|-9223372036854775808")
    }

    @Test func `the column of a removed property is kept, and inserts work`() throws {
        let file = try Self.fileWithRows(2)
        try file.open().withSession { _ throws in try V2.Person().save() }
        try file.open().withSession { session throws in
            try expect(V3.Person.all().map(\.int), [.min, .min, .min])
            try session.save((0..<30).map { _ in V3.Person() })
            let old = try #require(try V3.Person.find(1))
            old.int = 5
            try old.save()
        }
        #expect(try file.sqlite("SELECT name, quoted, int FROM person WHERE id = 1").hasPrefix("P0|it's \"quoted\""))
        try expect(file.sqlite("SELECT count(*), count(text), sum(int = 0) FROM person"), "33|33|30")
        try file.open().takeBack(V2.Person.self)
        let text = try file.open().withSession { _ in try V2.Person.find(2)?.text }
        expect(text, "plain", "the older class still reads what it wrote")
        try file.open().withSession { _ in try V1.Person().save() }
    }

    @Test func `the column of a removed property whose initial value contains NUL does not block inserts`() throws {
        enum Old {
            final class Thing: PersistentObject {
                override class var tableName: String { "things" }
                var nul = "a\0b"
                var when = Date()
                var token = UUID()
                var nan = Double.nan
                var kept = 1
            }
        }
        enum New {
            final class Thing: PersistentObject {
                override class var tableName: String { "things" }
                var kept = 1
            }
        }
        let file = try TemporaryStore()
        try file.open().prepare(Old.Thing.self)
        try file.open().withSession { session throws in try session.save((0..<10).map { _ in New.Thing() }) }
        try expect(file.sqlite("SELECT count(*) FROM things"), "10")
    }

    @Test func `a new property whose initial value cannot be stored is an error that names the property`() throws {
        enum New {
            final class Person: PersistentObject {
                override class var tableName: String { "person" }
                var name = ""
                var ratio = Double.nan
            }
        }
        let file = try Self.fileWithRows(1)
        let error = #expect(throws: SchemaError.self) { try file.open().prepare(New.Person.self) }
        guard case .invalidDefault("Person", "ratio", _)? = error else { throw error ?? .isAbstract(className: "none") }
        #expect(try file.sqlite("SELECT * FROM person") == "1|P0")
    }

    @Test func `a failed change leaves the table unchanged`() throws {
        enum New {
            final class Person: PersistentObject {
                override class var tableName: String { "person" }
                var name = ""
                var added = 1
                var constant = "same for all"
                override class var indexes: [Index] { [Index(\Person.added, \Person.constant, unique: true)] }
            }
        }
        let file = try Self.fileWithRows(2)
        let before = try file.sqlite("SELECT sql FROM sqlite_schema")
        for _ in 0..<2 {
            let error = #expect(throws: SchemaError.self) { try file.open().prepare(New.Person.self) }
            #expect(
                error
                    == .notUnique(
                        className: "Person", index: "person.added,constant.unique", rows: ["2 rows from 1 to 2"]))
        }
        #expect(try file.sqlite("SELECT sql FROM sqlite_schema") == before)
        try file.open().withSession { _ throws in #expect(try V1.Person.all().count == 2) }
    }
}

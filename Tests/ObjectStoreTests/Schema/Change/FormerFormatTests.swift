import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Files of each released format can be opened and lose no data.
struct FormerFormatTests {
    enum Colour: String, CaseIterable { case red, green }
    enum Size: Int { case small = 1, big = 2 }
    struct Address: Codable {
        var street = ""
        var floors: [Int] = []
    }
    class Person: PersistentObject {
        override class var tableName: String { "f_person" }
        var lastName = ""
        @Indexed var firstName = ""
        @Unique var email: String?
        @Column("years") var age: Int?
        var small: Int8 = 0
        var large: UInt64 = 0
        var weight = 0.0
        var ratio: Float = 0
        var isActive = true
        var born = Date(timeIntervalSinceReferenceDate: 0)
        var token = UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1))
        var price = Decimal(0)
        var page: URL?
        var photo: Data?
        var bytes: [UInt8] = []
        var colour = Colour.red
        var size: Size?
        var address = Address()
        var tags: [String] = []
        var numbers: Set<Int> = []
        var marks: [String: Double]? = nil
        @Searchable var notes = ""
        @OnDelete(.cascade) var passport: Passport?
        var employer: Company?
        @Lazy var mentor: Person?
        @Inverse(\Pet.owner) var pets: [Pet]
        var friends: [Person] = []
        var createdAt = Date(timeIntervalSinceReferenceDate: 0)
        var updatedAt = Date(timeIntervalSinceReferenceDate: 0)
    }
    final class Employee: Person {
        var salary = 0
        var room: String?
    }
    final class Passport: PersistentObject {
        override class var tableName: String { "f_passport" }
        var number = ""
    }
    final class Company: PersistentObject {
        override class var tableName: String { "f_company" }
        override class var identity: Identity { .string }
        var name = ""
    }
    final class Pet: PersistentObject {
        override class var tableName: String { "f_pet" }
        override class var identity: Identity { .uuid }
        var name = ""
        var owner: Person?
        override class var softDeletes: Bool { true }
        var deletedAt: Date?
    }

    private static func fixture(_ format: Int) throws -> TemporaryStore {
        let file = try TemporaryStore()
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fixtures")
        try FileManager.default.copyItem(
            atPath: fixtures.appending(path: "format-\(format).store").path, toPath: file.path)
        return file
    }

    @Test(.onPlainFiles("the kept files are plain"), arguments: [1])
    func `a file of an earlier format can be opened, is upgraded, and loses no data`(_ format: Int) throws {
        let file = try Self.fixture(format)
        let kept =
            "SELECT * FROM f_person; SELECT * FROM f_person_tags; SELECT * FROM f_person_friends; SELECT * FROM f_pet"
        let before = try file.sqlite("SELECT group_concat(quote(weight) || quote(born) || quote(price)) FROM f_person")
        let counts =
            "SELECT (SELECT count(*) FROM f_person), (SELECT count(*) FROM f_pet), (SELECT count(*) FROM f_company)"
        let countsBefore = try file.sqlite(counts)
        for _ in 0..<2 {
            let store = try Store(file.path)
            defer { store.close() }
            try store.prepare(Person.self, Employee.self, Pet.self)
            try store.withSession { _ throws in try Self.expectContents() }
        }
        try expect(
            file.sqlite("SELECT group_concat(quote(weight) || quote(born) || quote(price)) FROM f_person"), before)
        #expect(try file.sqlite(counts) == countsBefore && !(try file.sqlite(kept).isEmpty))
        try expect(file.sqlite("PRAGMA user_version; SELECT count(*) > 4 FROM po_class"), "2\n1")
        try expect(file.sqlite("PRAGMA integrity_check; PRAGMA foreign_key_check"), "ok")
    }

    private static func expectContents() throws {
        let people = try Person.query.order(by: \.id).all()
        let names = ["Ann", "Bob", "Zoë", "", "名前 😀"]
        #expect(people.map(\.lastName) == names && people[2] is Employee)
        for (index, person) in people.enumerated() {
            #expect(person.firstName == "First \(index)" && person.small == Int8(index - 2) * 60)
            #expect(
                person.email == (index == 3 ? nil : "p\(index)@example.org")
                    && person.age == (index == 1 ? nil : index * 10))
            #expect(person.large == UInt64(Int64.max) - UInt64(index) && person.weight == Double(index) * 1.1)
            #expect(person.ratio == Float(index) / 3 && person.isActive == (index % 2 == 0))
            expect(person.born.timeIntervalSinceReferenceDate, Double(index) * 1e8 + 0.123456789)
            expect(person.token.uuidString, "00000000-0000-4000-8000-00000000000\(index)")
            expect(person.price, Decimal(string: "12345678901234567890.0\(index)"))
            expect(person.page?.absoluteString, index == 0 ? "https://example.org/?q=0" : nil)
            #expect(
                person.photo == (index == 1 ? nil : Data([0, 1, 2, UInt8(index)]))
                    && person.bytes == [UInt8(index), 255])
            #expect(person.colour == (index % 2 == 0 ? .red : .green) && person.size == (index == 0 ? nil : .big))
            #expect(person.address.street == "Street \(index)" && person.address.floors == Array(0..<index))
            #expect(person.tags == Array(["a", "b", "a"].prefix(index)) && person.numbers == Set(0..<index))
            expect(person.marks, index == 0 ? nil : index == 1 ? [:] : ["m": Double(index), "n": 0.5])
            #expect(person.passport?.number == "P\(index)" && person.employer?.key == (index == 4 ? nil : "acme"))
            #expect(person.mentor === (index == 0 ? nil : people[index - 1]))
            expect(person.friends.map(\.lastName), Array(names[..<index].reversed()))
            expect(person.pets.map(\.key), ["01234567-89ab-4def-8123-00000000000\(index)"])
        }
        #expect(try Person.search("fox").count() == 5 && Pet.withDeleted.count() == 5)
        let pet = try #require(try Pet.find("01234567-89ab-4def-8123-000000000002"))
        #expect(pet.owner === people[2] && people[2].passport != nil)
    }

    @Test(.onPlainFiles("the kept files are plain"))
    func `a file with an unknown feature required for reading is refused, with feature and version`() throws {
        let file = try Self.fixture(1)
        try Store(file.path).prepare(Person.self)
        for level in ["reading", "something new"] {
            _ = try file.sqlite("INSERT OR REPLACE INTO po_feature VALUES ('encryption', '\(level)', '3.1')")
            let error = #expect(throws: StoreError.self) { try Store(file.path) }
            expect(error?.code, .foreignFile)
            #expect(error?.message.contains("encryption") == true && error?.message.contains("3.1") == true)
        }
    }

    @Test(.onPlainFiles("the kept files are plain"))
    func `a file with an unknown feature required for writing is read-only`() throws {
        let file = try Self.fixture(1)
        try Store(file.path).prepare(Person.self)
        _ = try file.sqlite("INSERT INTO po_feature VALUES ('telepathy', 'writing', '3.1')")
        let store = try Store(file.path)
        try store.prepare(Person.self, Employee.self)
        try store.withSession { session throws in
            try Self.expectContents()
            let error = #expect(throws: StoreError.self) { try Passport().save() }
            expect(error?.code, .readOnly)
            #expect(error?.message.contains("telepathy") == true && error?.message.contains("3.1") == true)
            let other = #expect(throws: StoreError.self) { try session.execute("DELETE FROM f_pet") }
            expect(other?.code, .readOnly)
        }
        store.close()
        try expect(file.sqlite("SELECT count(*) FROM f_passport"), "5")
    }

    @Test(arguments: ["po_x", "PO_class", "po_"])
    func `table names that start with po_ are refused`(_ name: String) throws {
        expect(BuiltInNames.refusal(name)?.contains("po_"), true)
    }

    final class Reserved: PersistentObject {
        override class var tableName: String { "po_mine" }
        var name = ""
    }

    @Test func `a class with a reserved table name is refused`() throws {
        let error = #expect(throws: SchemaError.self) { try Store.inMemory().prepare(Reserved.self) }
        guard case .invalidName("Reserved", "po_mine", _)? = error else { throw error ?? .isAbstract(className: "") }
    }

    @Test func `the file's metadata describes its classes and properties by name`() throws {
        let file = try TemporaryStore()
        try file.open().prepare(Person.self, Employee.self)
        let classes = try file.sqlite(
            "SELECT c.name, c.table_name, s.name, c.identity FROM po_class c LEFT JOIN po_class s ON s.id = c.superclass "
                + "ORDER BY c.name")
        expect(
            classes,
            "Company|f_company||string\nEmployee|f_person|Person|integer\nPassport|f_passport||integer\n"
                + "Person|f_person||integer\nPet|f_pet||uuid")
        func property(_ name: String, _ columns: String) throws -> String {
            try file.sqlite(
                "SELECT \(columns) FROM po_property JOIN po_class ON id = class WHERE po_class.name = 'Person' AND "
                    + "po_property.name = '\(name)'")
        }
        let all = "column_name, kind, type, is_optional"
        try expect(property("age", all), "years|scalar|Int|1")
        try expect(
            property("colour", all + ", replace(cases, char(9), ' ')"), "colour|scalar|Colour: String|0|red green")
        try expect(property("address", all), "address|value|Address|0")
        try expect(property("marks", all), "marks|dictionary|Dictionary<String, Double>|1")
        try expect(
            property("passport", all + ", target, delete_rule"), "passport_id|reference|Passport|1|Passport|cascade")
        try expect(property("pets", "column_name, kind, target, inverse LIKE '%owner%'"), "|inverse|Pet|1")
        try expect(property("born", all + ", initial"), "born|scalar|Date|0|0.0")
        try expect(file.sqlite("SELECT count(*), sql LIKE '%CREATE TABLE%' FROM po_history"), "1|1")
    }

    @Test func `preparing an unchanged class only reads the file`() throws {
        let file = try TemporaryStore()
        try file.open().prepare(Person.self, Employee.self)
        let version = try file.sqlite("PRAGMA schema_version; SELECT count(*) FROM po_history")
        let store = try file.open()
        try store.withSession { session throws in
            let log = try statements(of: session) { _ = try session.space(of: Employee.self) }
            let reads = ["SELECT", "WITH", "PRAGMA schema_version"]
            #expect(log.allSatisfy { statement in reads.contains { statement.hasPrefix($0) } }, "\(log)")
            #expect(!log.contains { $0.contains("pragma_foreign_key_list") }, "\(log)")
        }
        #expect(try file.sqlite("PRAGMA schema_version; SELECT count(*) FROM po_history") == version)
    }

    @Test func `a table that another program changed is prepared again`() throws {
        let file = try TemporaryStore()
        try file.open().prepare(Passport.self)
        _ = try file.sqlite("ALTER TABLE f_passport DROP COLUMN number")
        try file.open().prepare(Passport.self)
        try expect(file.sqlite("SELECT count(*) FROM pragma_table_info('f_passport')"), "2")
    }
}

/// The engine's check of table names.
private enum BuiltInNames {
    static func refusal(_ name: String) -> String? { TableNaming.refusal(ofName: name) }
}

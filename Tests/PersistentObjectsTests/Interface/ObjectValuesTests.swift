import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Properties by name: reading, setting, as a dictionary and as a description.
struct ObjectValuesTests {
    enum Status: String, Codable { case active, retired }

    class Person: PersistentObject {
        override class var tableName: String { "person" }
        var lastName = ""
        var age: Int?
        var small: Int8 = 0
        var size = 1.5
        var status = Status.active
        var tags: [String] = []
        @Column("nick") var nick: String?
        @Transient var selected = false
    }

    final class Employee: Person {
        var salary = 10
    }

    /// Has properties with the names of members that each object has.
    final class Names: PersistentObject {
        override class var tableName: String { "names" }
        var changes = 1
        var description = "own"
        var dictionary = 2
        var isNew = false
    }

    final class Nothing: PersistentObject {
        override class var tableName: String { "nothing" }
    }

    @Test func `values are read by name, and an unknown name gives nil`() throws {
        let person = Employee()
        (person.lastName, person.age, person.nick, person.salary) = ("Smith", 39, "Joe", 5)
        #expect(
            person["lastName"] as? String == "Smith" && person["age"] as? Int == 39
                && person["nick"] as? String == "Joe")
        #expect(person["salary"] as? Int == 5 && person["status"] as? Status == .active)
        #expect(person["id"] == nil && person["tags"] as? [String] == [])
        person.age = nil
        #expect(person["age"] == nil)
        for name in ["selected", "last_name", "LastName", "", "nick ", "\0", "description", "keeper", "rowID"] {
            #expect(person[name] == nil, "\(name)")
        }
        try withTemporarySession { _, _ in
            try person.save()
            expect(person["id"] as? Int64, 1)
        }
    }

    @Test func `values are set by name and converted if nothing is lost`() throws {
        let person = Person()
        let values: [(String, Any?, String)] = [
            ("lastName", "Jones", "Jones"), ("lastName", Substring("Sub"), "Sub"), ("age", 5, "5"),
            ("age", Int8(7), "7"),
            ("age", nil, "nil"), ("small", 100, "100"), ("size", 2, "2.0"), ("size", 0.5 as Float, "0.5"),
            ("status", Status.retired, "retired"), ("status", "active", "active"), ("tags", ["a"], "[\"a\"]"),
            ("nick", .some(String?.some("Nick") as Any), "Nick"), ("nick", .some(String?.none as Any), "nil"),
        ]
        for (name, value, text) in values {
            try person.set(name, to: value)
            expect(person[name].map { "\($0)" } ?? "nil", text, "\(name)")
        }
    }

    @Test func `an unknown name or a value of a wrong type throws and changes nothing`() throws {
        try withTemporarySession { _, _ in
            let person = Person()
            try person.save()
            let wrong: [(String, Any?, String)] = [
                ("lastNme", "x", "The class has lastName, age, small, size, status, tags, nick"),
                ("id", 5, "no such stored property"),
                ("selected", true, "no such stored property"),
                ("lastName", 5, "The value must have the type String, not Int"),
                ("lastName", nil, "The value must have the type String, not nil"),
                ("age", "5", "The value must have the type Int?, not String"),
                ("small", 300, "the number does not fit in Int8"),
                ("age", 5.5, "The value must have the type Int?, not Double"),
                ("status", "gone", "not a valid Status: it has no case"),
                ("tags", [1], "not [Int]"), ("size", "1", "not String"),
            ]
            for (name, value, text) in wrong {
                let error = #expect(throws: StoreError.self, "\(name)") { try person.set(name, to: value) }
                #expect(error?.code == .noSuchProperty && error?.className == "Person" && error?.property == name)
                #expect(error?.message.contains(text) == true, "\(String(describing: error))")
            }
            #expect(!person.hasChanges)
        }
    }

    final class Receipt: PersistentObject {
        @Column(scale: 2) var amount: Decimal = 0
        var plain: Decimal?
        var date = Date.distantPast
        var until: Date?
        var number: UUID?
        var data = Data()
    }

    @Test func `an invalid string for a convertible type throws the reason`() throws {
        let wrong: [(String, Any?, String)] = [
            ("date", "yesterday", "not a valid Date: a date string must have the form"),
            ("until", "2026-13-01", "not a valid Date:"),
            ("until", "2026-01-01T00:00:00+25:00", "not a valid Date:"),
            ("amount", "12.505", "the number has more than 2 decimal places"),
            ("amount", "abc", "not a valid Decimal: the string is not a decimal number"),
            ("plain", "12,5", "not a valid Decimal"), ("number", "x", "not a valid UUID"),
            ("data", "%%", "not a valid Data: the string is not Base64"),
            ("until", true, "The value must have the type Date?, not Bool"),
            ("plain", [1], "The value must have the type Decimal?, not [Int]"),
        ]
        for (name, value, text) in wrong {
            for make in [{ _ = try Receipt([name: value]) }, { try Receipt().set(name, to: value) }] {
                let error = #expect(throws: StoreError.self, "\(name)") { try make() }
                #expect(error?.code == .noSuchProperty && error?.className == "Receipt" && error?.property == name)
                #expect(error?.message.contains(text) == true, "\(String(describing: error))")
            }
        }
        let receipt = try Receipt(["date": "2026-01-01", "amount": "12.50", "plain": "100", "data": "AQ=="])
        #expect(receipt.amount == Decimal(string: "12.5") && receipt.plain == 100 && receipt.data == Data([1]))
    }

    @Test func `setting by name is an edit like any other`() throws {
        try withTemporarySession { session, file in
            let person = Person()
            try person.save()
            try person.set("nick", to: "Joe")
            #expect(person.nick == "Joe" && person.changes.map(\.name) == ["nick"])
            try person.save()
            try person.set("nick", to: "Joe")
            #expect(!person.hasChanges)
            try expect(file.sqlite("SELECT nick FROM person"), "Joe")
        }
    }

    @Test func `an object is created from a dictionary`() throws {
        try withTemporarySession { _, file in
            let joe = try Employee(["lastName": "Smith", "age": 39, "nick": nil, "salary": 7, "status": "retired"])
            #expect(joe.lastName == "Smith" && joe.age == 39 && joe.nick == nil && joe.salary == 7 && joe.isNew)
            try joe.save()
            #expect(try file.sqlite("SELECT last_name, age, status FROM person") == "Smith|39|retired")
            #expect(try Person([:]).lastName.isEmpty)
            let jim = try Employee(joe.dictionary)
            #expect(jim.isNew && jim.lastName == "Smith" && jim.age == 39, "the id is the store's to give")
            for values in [["lastNme": "x"], ["age": "x"]] as [[String: Any?]] {
                let error = #expect(throws: StoreError.self) { try Person(values) }
                #expect(error?.code == .noSuchProperty)
            }
        }
    }

    @Test func `the dictionary contains all stored properties and the id`() throws {
        try withTemporarySession { _, _ in
            let person = Employee()
            person.age = 39
            expect(
                Set(person.dictionary.keys),
                ["id", "lastName", "age", "small", "size", "status", "tags", "nick", "salary"])
            for name in ["id", "nick"] {
                let value = try #require(person.dictionary[name])
                #expect(value == nil)
            }
            try person.save()
            #expect(person.dictionary["id"] as? Int64 == 1 && person.dictionary["age"] as? Int == 39)
            expect(person.dictionary["size"] as? Double, 1.5)
            var values = person.dictionary
            values["id"] = nil
            try expect(Employee(values).dictionary["age"] as? Int, 39)
        }
    }

    @Test func `the description contains the class, id, state and values`() throws {
        try withTemporarySession { session, _ in
            let person = Person()
            let values = #"age: nil, small: 0, size: 1.5, status: active, tags: [], nick: nil }"#
            #expect("\(person)" == #"Person (new) { lastName: "", "# + values)
            (person.lastName, person.nick, person.age) = ("O\"Hara\n\0\\é", "Joe", 5)
            #expect("\(person)".hasPrefix(#"Person (new) { lastName: "O\"Hara\n\0\\é", age: 5"#))
            // PostgreSQL strings cannot contain a NUL.
            if TestEngine.isPostgres { person.lastName = "O\"Hara\n\\é" }
            person.tags = ["a"]
            try person.save()
            let name = TestEngine.isPostgres ? #"O\"Hara\n\\é"# : #"O\"Hara\n\0\\é"#
            #expect(
                "\(person)" == #"Person #1 { lastName: "\#(name)", age: 5, small: 0, size: 1.5, status: active, "#
                    + #"tags: ["a"], nick: "Joe" }"#)
            try person.delete()
            #expect(person.description.hasPrefix("Person #1 (deleted) { lastName: "))
            #expect("\(Nothing())" == "Nothing (new) {}" && String(describing: Employee()).contains("salary: 10"))
            #expect(String(reflecting: person).contains("Person") && session.store.path != nil)
        }
    }

    @Test func `a class can have properties with the names of inherited members`() throws {
        try withTemporarySession { _, file in
            let object = Names()
            (object.changes, object.description, object.dictionary) = (5, "text", 6)
            try object.save()
            try expect(file.sqlite("SELECT * FROM names"), "1|5|text|6|0")
            object.changes = 7
            #expect((object as any Persistent).hasChanges)
            try object.save()
            #expect(try Names.findByChanges(7) == [object] && Names.findBy.description("text") == [object])
            expect(object["description"] as? String, "text")
            object.description = "x"
            object.revert(\.description)
            expect(object.description, "text")
        }
    }

    @Test func `values can be read without a store`() throws {
        let person = Person()
        person.lastName = "Smith"
        #expect(person["lastName"] as? String == "Smith" && person.dictionary.count == 8 && person.changes.count == 7)
        #expect(person.description.hasPrefix("Person (new)") && person.copy().lastName == "Smith")
    }
}

import Foundation
import Observation
import PersistentObjects
import TestSupport
import Testing

/// The descriptions of a class's stored properties.
struct StoredPropertyTests {
    class Animal: PersistentObject {
        override class var tableName: String { "animals" }
        @Indexed var name = ""
        @Unique @Column("chip_number") var chip: Int? = nil
        var owner: Owner?
        @Transient var isSelected = false
        let maker = "nobody"
        override class var indexes: [Index] { [Index("born", "name")] }
        var born = Date()
    }

    final class Dog: Animal {
        var tricks: [String] = []
        var friends: Set<Dog>?
        @Lazy var photo: Data?
    }

    final class Owner: PersistentObject {
        override class var identity: Identity { .string }
        @Inverse(\Animal.owner, onDelete: .deny) var animals: [Animal]
    }

    @Observable final class Note: PersistentObject {
        var title = ""
        var text = ""
        @ObservationIgnored @Column("n") var words = 0
        override class var columns: [String: String] { ["text": "body"] }
        override class var indexes: [Index] { [Index("title", unique: true)] }
    }

    final class Wrong: PersistentObject {
        var size = (1, 2)
    }

    @Test func `properties have names, types and columns, starting with the superclass`() throws {
        try expect(
            Dog.properties.map(\.description),
            [
                "name: String in animals.name", "chip: Int? in animals.chip_number",
                "owner: Owner? in animals.owner_id", "born: Date in animals.born",
                "tricks: [String] in animals_tricks", "friends: Set<Dog>? in animals_friends",
                "photo: Data? in animals.photo",
            ])
        try expect(Animal.properties.map(\.name), ["name", "chip", "owner", "born"])
    }

    @Test func `properties have a kind, a target and further attributes`() throws {
        let dog = try Dog.properties
        #expect(dog.map(\.kind) == [.value, .value, .reference, .value, .collection, .collection, .value])
        #expect(dog.map(\.isOptional) == [false, true, true, false, false, true, true])
        #expect(dog.map(\.isIndexed) == [true, true, true, true, false, false, false])
        #expect(dog.map(\.isUnique) == [false, true, false, false, false, false, false])
        #expect(dog.map(\.isLazy) == [false, false, false, false, false, false, true])
        #expect(dog.map { $0.target.map { "\($0)" } } == [nil, nil, "Owner", nil, nil, "Dog", nil])
        #expect(dog[4].columns == [] && dog[5].columns == ["friends"] && dog[5].column == nil)
        #expect(dog.allSatisfy { !$0.isReadOnly })
        let owner = try Owner.properties
        #expect(owner.map(\.description) == ["key: String? in owner.key", "animals: [Animal]"])
        #expect(owner[0].isUnique && owner[1].kind == .inverse && owner[1].table == nil && owner[1].columns == [])
        #expect(owner[1].deleteRule == .deny && owner[1].isLazy && owner[1].target == Animal.self)
    }

    @Test func `an observable class has its declared properties, not those of the macro`() throws {
        try expect(
            Note.properties.map(\.description),
            ["title: String in note.title", "text: String in note.body", "words: Int in note.n"])
        try expect(Note.properties.map(\.isUnique), [true, false, false])
    }

    @Test func `the dynamic class determines the properties`() throws {
        let type: PersistentObject.Type = Dog.self
        try expect(type.properties.count, 7)
    }

    @Test func `a class that cannot be stored throws`() {
        #expect(throws: SchemaError.self) { try Wrong.properties }
    }

    @Test(.onSQLite("it asks the file for its columns"))
    func `the table has exactly the columns of the properties`() throws {
        try Store.inMemory().withSession { session in
            try Dog().save()
            let columns: [String] = try session.rows("SELECT name FROM pragma_table_info('animals')").map {
                try $0.value("name")
            }
            #expect(Set(columns) == Set(try Dog.properties.flatMap(\.columns) + ["id", "class"]))
        }
    }
}

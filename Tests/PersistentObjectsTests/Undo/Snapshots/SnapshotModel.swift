import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The classes for the tests of snapshots, with properties of all types.
enum SnapshotModel {
    struct Address: Codable, Sendable, Equatable {
        var street = ""
        var zip = 0
    }

    enum Status: String, Codable, Sendable { case active, retired }

    class Person: PersistentObject {
        override class var tableName: String { "person" }
        var lastName = ""
        var age: Int?
        var height = 1.5
        var birthday: Date?
        var status = Status.active
        var address = Address()
        var tags: [String] = []
        var marks: [String: Int]?
        var numbers: Set<Int> = []
        var employer: Company?
        weak var chief: Person?
        var friends: [Person] = []
        var club: Set<Person>?
        var helpers: [String: Person] = [:]
        @Lazy var photo: Data?
        @Lazy var mentor: Person?
        @Inverse(\Pet.owner) var pets: [Pet]
        @Transient var note = "n"
        var greeting: String { "Hello \(lastName), \(age ?? 0)" }
    }

    final class Employee: Person { var salary = 0 }

    final class Company: PersistentObject {
        override class var tableName: String { "company" }
        var name = ""
    }

    final class Pet: PersistentObject {
        override class var tableName: String { "pet" }
        var owner: Person?
    }

    final class Country: PersistentObject {
        override class var tableName: String { "country" }
        override class var identity: Identity { .string }
        var name = ""
        var size = 1
        var neighbour: Country?
    }

    /// Runs the body with Joe (1), who has values for all properties, and Ann (2).
    static func withPeople(_ body: (Session, TemporaryStore, Person, Person) throws -> Void) throws {
        try withTemporarySession { session, file in
            try session.store.prepare(Employee.self)
            let (joe, ann) = (Person(), Person())
            (joe.lastName, joe.age, joe.height) = ("Smith", 39, 1.8)
            joe.birthday = Date(timeIntervalSinceReferenceDate: 5)
            (joe.status, joe.address) = (.retired, Address(street: "Main", zip: 7))
            (joe.tags, joe.marks, joe.numbers) = (["b", "a"], ["x": 1], [3, 1])
            joe.employer = Company()
            (joe.chief, joe.mentor, joe.photo) = (ann, ann, Data([1, 2]))
            (joe.friends, joe.club, joe.helpers) = ([ann, joe, ann], [joe], ["a": ann])
            let (rex, tom) = (Pet(), Pet())
            (rex.owner, tom.owner) = (joe, joe)
            try session.save([joe, ann, rex, tom])
            try body(session, file, joe, ann)
            withExtendedLifetime((rex, tom)) {}
        }
    }
}

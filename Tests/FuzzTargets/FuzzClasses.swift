import Foundation
import PersistentObjects

/// The classes that all targets use, with each kind of property.
enum Fuzzed {
    enum Status: String, Codable { case active, retired }
    enum Level: Int { case low, high = 7 }

    struct Address: Codable, Hashable {
        var city = "Bonn"
        var zip: Int?
        var floors: [Int] = []
        var more: [String: Double] = [:]
    }

    final class Company: PersistentObject {
        override class var tableName: String { "company" }
        var name = ""
        var country: String?
        @Inverse(\Person.employer) var people: [Person]
    }

    class Person: PersistentObject {
        override class var tableName: String { "person" }
        @Indexed var lastName = ""
        @Unique var email: String?
        @Column("years") var age: Int?
        var small = Int8(0)
        var large = UInt64(0)
        var isActive = true
        var weight = 1.5
        var ratio = Float(0)
        var price = Decimal(0)
        var letter = Character("x")
        var home: URL?
        var token: UUID?
        var born: Date?
        var photo: Data?
        var bytes: [UInt8] = []
        var status = Status.active
        var level: Level?
        var address = Address()
        var address2: Address?
        var tags: [String] = []
        var numbers: Set<Int>?
        var marks: [String: Double] = [:]
        var addresses: [Address] = []
        var dates: [Int: Date] = [:]
        var employer: Company?
        @Lazy var mentor: Person?
        var friends: [Person] = []
        var circle: Set<Company> = []
        var posts: [String: Company] = [:]
        @Inverse(\Person.mentor) var students: [Person]
    }

    final class Employee: Person {
        var salary: Int?
        @Lazy var notes: [String]?
    }

    static let classes: [PersistentObject.Type] = [Company.self, Person.self, Employee.self]

    /// Saves some objects that refer to each other.
    @discardableResult
    static func fill(_ session: Session) throws -> [PersistentObject] {
        let company = Company()
        company.name = "Acme"
        let people = [Person(), Person(), Employee()]
        for (number, person) in people.enumerated() {
            (person.lastName, person.email, person.age) = ("Smith \(number)", "\(number)@b.c", number)
            person.token = UUID(uuidString: "6BA7B810-9DAD-41D1-80B4-00C04FD430C\(number)")
            person.born = Date(timeIntervalSinceReferenceDate: 5)
            (person.photo, person.bytes, person.address2) = (Data([1, 0]), [0, 255], Address(city: "Köln", zip: 5))
            (person.tags, person.numbers, person.marks) = (["a", "b"], [1, 2], ["m": 1.5])
            (person.addresses, person.dates) = ([Address()], [1: Date(timeIntervalSinceReferenceDate: 0)])
            (person.employer, person.mentor, person.friends) = (company, people[0], [people[1], people[1]])
            (person.circle, person.posts) = ([company], ["p": company])
            person.home = URL(string: "http://a.example/b")
        }
        try session.save(people)
        return [company] + people
    }

    /// The classes of the next version.
    enum Next {
        final class Company: PersistentObject {
            override class var tableName: String { "company" }
            @Column("title", renamedFrom: "name") var title = ""
            @Unique var country: String?
            var rank = 3
        }

        final class Person: PersistentObject {
            override class var tableName: String { "person" }
            @Unique var lastName = ""
            @Column("years") var age = ""
            var large = 0.5
            var isActive = 1
            var price = ""
            var token = Data()
            var born: String?
            var status = ""
            var tags: Set<String> = []
            var numbers: [Int] = []
            var email: [String] = []
            var address = Address()
            var employer: Company?
        }
    }
}

extension Store.Configuration {
    /// A configuration without notes, with short timeouts, and with a limit on the size of values.
    static func fuzzed(onQuery: (@Sendable (StatementProfile) -> Void)? = nil) -> Store.Configuration {
        .init(
            durability: .relaxed, busyTimeout: .milliseconds(20), queryTimeout: .milliseconds(100), lostEdits: .ignore,
            onNote: { _ in }, onQuery: onQuery, pageSize: 1024,
            limits: StoreLimits(valueBytes: 1 << 20))
    }
}

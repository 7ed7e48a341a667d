// Declaring classes, as in the public API.
import Foundation
import PersistentObjects

nonisolated struct Address: Codable, Equatable {
    var street = ""
    var city = ""
}

nonisolated enum Status: String, Codable {
    case active
    case retired
}

nonisolated enum Rank: Int {
    case first = 1
    case second
}

class Person: PersistentObject {
    var lastName = ""
    @Indexed var firstName = ""
    @Unique var email: String?
    @Column("years") var age: Int?
    @Column("nick", renamedFrom: "nickname", "alias") var nick: String?
    @Searchable var about = ""
    @Searchable @Lazy var life: String? = nil
    @Unique @Column("mail") var second: String? = nil
    @Column("third_name") @Indexed var third: String? = nil
    @Transient var selected = false
    @Transient var note: String?
    var tags: [String] = []
    var marks: [String: Double]?
    var scores: Set<Int> = []
    var address = Address()
    var formerAddress: Address?
    var status = Status.active
    var rank = Rank.first
    var isActive = true
    var employer: Company?
    @Lazy var photo: Data?
    @Lazy var mentor: Person?
    @OnDelete(.cascade) var passport: Passport?
    @Inverse(\Pet.owner) var pets: [Pet]
    var createdAt = Date()
    var updatedAt = Date()

    override class var tableName: String { "people" }
    override class var formerTableNames: [String] { ["person"] }
    override class var indexes: [Index] {
        [
            Index(\Person.lastName, \Person.firstName),
            Index("age", order: .descending),
            Index("lastName", "age"),
            Index(\Person.email, unique: true),
        ]
    }
    override class var searchable: [AnyKeyPath] { [\Person.lastName, \Person.nick] }
    override class var isAbstract: Bool { false }
    override class var store: Store? { nil }

    convenience init(last: String) {
        self.init()
        lastName = last
    }
}

final class Company: PersistentObject {
    var name = ""
    var founded = Date()
    var turnover: Double = 0
}

final class Passport: PersistentObject {
    var number = ""
}

final class Pet: PersistentObject {
    var name = ""
    var owner: Person?
}

/// A class with a designated initializer also declares `required init()`.
final class Badge: PersistentObject {
    var number: Int

    init(number: Int) {
        self.number = number
        super.init()
    }

    required init() {
        number = 0
        super.init()
    }
}

/// Every kind of value that the documentation of `PersistentObject` names.
final class Kinds: PersistentObject {
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var uint: UInt = 0
    var uint8: UInt8 = 0
    var uint64: UInt64 = 0
    var float: Float = 0
    var double: Double?
    var bool: Bool?
    var substring: Substring = ""
    var character: Character = "a"
    var url: URL?
    var decimal = Decimal()
    var data = Data()
    var bytes: [UInt8] = []
    var uuid = UUID()
    var date: Date?
    let constant = 1
    lazy var computedOnce = 1
    weak var parent: Kinds?
    var computed: Int { constant + 1 }

    struct Nested: Codable { var depth = 0 }
    var nested = Nested()
    var observed = 0 {
        didSet { print(oldValue) }
    }
    static let limit = 3
}

extension PersistentObject {
    var isWorthKeeping: Bool { id != nil }
    static func announce() -> String { tableName }
}

extension Persistent {
    static func newest() throws -> Self? { try all().last }
    func savedCopy() throws -> Self {
        let twin = copy()
        try twin.save()
        return twin
    }
}

extension Person {
    var fullName: String { "\(firstName) \(lastName)" }
    func birthday() { age = (age ?? 0) + 1 }
    static func ofAge(_ age: Int) throws -> [Person] { try findBy.age(age) }
}

func declared() throws {
    let person = Person(last: "Smith")
    person.birthday()
    print(person.fullName, person.isWorthKeeping, Person.announce(), try person.savedCopy(), Badge(number: 3))
    print(try Person.newest() as Any, try Person.ofAge(18), try Badge.newest()?.number as Any)
}

// swift-format-ignore-file
// The public API: "Declaring" and "One object", line by line.
import Foundation
import PersistentObjects

nonisolated struct Home: Codable { var city = ""; var street = "" }
nonisolated struct Address: Codable { var city = ""; var floors: [Int] = [] }
nonisolated enum Status: String, Codable { case active, retired }
class Company: PersistentObject { var name = "" }
class Passport: PersistentObject { var number = "" }
class Pet: PersistentObject { var owner: Person?; var age = 0 }

class Person: PersistentObject {
    var lastName = ""
    @Indexed var firstName = ""
    @Unique var email: String?
    @Column("years") var age: Int?
    @Column("nick", renamedFrom: "nickname", "alias") var nick: String?
    @Unique @Column("mail") var second: String? = nil
    @Transient var selected = false
    @Embedded var home = Home()
    @Column(scale: 2) var price = Decimal(0)
    var tags: [String] = []
    var marks: [String: Double]? = nil
    var address = Address()
    var status = Status.active
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
    override class var indexes: [Index] { [Index(\Person.lastName, \Person.firstName), Index("age", order: .descending), Index(\Person.email, unique: true)] }
    override class var isAbstract: Bool { false }
    override class var store: Store? { nil }

    override func validate(_ problems: inout Problems) { problems.require(!lastName.isEmpty, \Person.lastName, "must not be empty") }
    override func willSave() throws {}
    override func didInsert() {}

    convenience init(last: String) { self.init(); lastName = last }
}
class Worker: PersistentObject {
    override class var formerNames: [String] { ["Worker"] }
    override class var isReadOnly: Bool { true }
}
extension PersistentObject { }
extension Persistent { }

func oneObject(_ session: Session) throws {
    let p = Person()
    try Person(["lastName": "Smith", "age": 39, "nick": nil])
    p.id
    p.persistentID
    p.isNew; p.isDeleted; p.hasChanges
    p.changes
    try p.save(); try p.delete(); try p.reload()
    p.revert(); p.revert(\.age)
    p.copy()
    p["lastName"]
    try p.set("lastName", to: "Jones")
    p.dictionary
    let snapshot = p.snapshot()
    snapshot.lastName; snapshot.employer; try session.merge(snapshot)
    print(p)
    let id: Int64? = p.id; let persistentID: PersistentID<Person>? = p.persistentID; let changes: [PropertyChange] = p.changes
    let value: Any? = p["lastName"]; let values: [String: Any?] = p.dictionary; let sendable: Snapshot<Person> = snapshot
    let employer: PersistentID<Company>? = snapshot.employer
}

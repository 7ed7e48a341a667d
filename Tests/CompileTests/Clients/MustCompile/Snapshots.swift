// Snapshots: each kind of property by key path, other tasks, merging.
import Foundation
import PersistentObjects

struct Address: Codable, Sendable {
    var street = ""
}

enum Status: String, Codable, Sendable { case active, retired }

class Person: PersistentObject {
    var lastName = ""
    @Indexed var firstName = ""
    var age: Int?
    var birthday: Date?
    var isActive = true
    var status = Status.active
    var address = Address()
    var former: Address?
    var tags: [String] = []
    var nicks: [String]?
    var numbers: Set<Int> = []
    var marks: [String: Double]? = nil
    var employer: Company?
    weak var chief: Person?
    @Lazy var mentor: Person?
    @Lazy var photo: Data?
    var friends: [Person] = []
    var formerFriends: [Person]?
    var clubs: Set<Company> = []
    var formerClubs: Set<Company>?
    var rooms: [String: Company] = [:]
    var formerRooms: [Int: Company]?
    @Inverse(\Pet.owner) var pets: [Pet]
    @Inverse(\Pet.second) var pet: Pet?
    var name: String { firstName + lastName }
}

final class Employee: Person { var salary = 0 }

final class Company: PersistentObject { var name = "" }

final class Pet: PersistentObject {
    var owner: Person?
    var second: Person?
}

func reading(_ p: Person, _ e: Employee) throws {
    let s = p.snapshot()
    let _: Snapshot<Person> = s
    let _: String = s.lastName
    let _: String = s.firstName + s.name
    let _: Int? = s.age
    let _: Date? = s.birthday
    let _: Bool = s.isActive
    let _: Status = s.status
    let _: String = s.address.street
    let _: String? = s.former?.street
    let _: [String] = s.tags
    let _: [String]? = s.nicks
    let _: Set<Int> = s.numbers
    let _: [String: Double]? = s.marks
    let _: PersistentID<Company>? = s.employer
    let _: PersistentID<Person>? = s.chief
    let _: PersistentID<Person>? = s.mentor
    let _: Data? = s.photo
    let _: [PersistentID<Person>] = s.friends
    let _: [PersistentID<Person>]? = s.formerFriends
    let _: Set<PersistentID<Company>> = s.clubs
    let _: Set<PersistentID<Company>>? = s.formerClubs
    let _: [String: PersistentID<Company>] = s.rooms
    let _: [Int: PersistentID<Company>]? = s.formerRooms
    let _: [PersistentID<Pet>] = s.pets
    let _: PersistentID<Pet>? = s.pet
    let _: Int64? = s.id
    let _: PersistentID<Person>? = s.persistentID
    if s.isNew, let employer = s.employer, s.isLoaded(\.photo) { print(employer, s, s.changes) }
    let other = e.snapshot(loading: false)
    let _: Int = other.salary + (other.age ?? 0)
    let _: [PersistentID<Pet>] = other.pets
    if Set([s]).contains(s), s == p.snapshot() { print(s[dynamicMember: \.lastName]) }
}

func writing(_ p: Person, _ company: Company, _ session: Session) throws {
    var s = p.snapshot()
    try s.set(\.lastName, to: "Jones")
    try s.set(\.age, to: nil)
    try s.set(\.tags, to: ["a"])
    try s.set(\.address, to: Address(street: "b"))
    try s.set(\.status, to: .retired)
    try s.set(\.employer, to: company.persistentID)
    try s.set(\.mentor, to: nil)
    let person = try session.merge(s)
    let _: Person = person
    try person.save()
    let merge = try session.merge(s, preferring: .session)
    for conflict in merge.conflicts { print(merge.object.lastName, conflict.property, conflict) }
    do { try session.merge(s) } catch let error as MergeConflicts { print(error.conflicts, error.className, error) }
}

func undoing(_ p: Person, _ session: Session) throws {
    session.recordsUndo = true
    session.undoLimit = UndoLimit(levels: 20, bytes: 1 << 20)
    let count = try session.undoGroup("Rename") {
        try p.save()
        return 1
    }
    if session.canUndo, session.canRedo || count == 1 { print(session.undoName ?? "", session.redoName ?? "") }
    try session.undo()
    if try session.redo() { session.clearUndo() }
}

func sending(_ p: Person, _ store: Store) async throws {
    let s = p.snapshot()
    let text = await Task.detached {
        "\(s.lastName) \(s.age ?? 0) \(s.friends.count) \(String(describing: s.employer))"
    }.value
    try await store.perform { session in
        let person = try session.merge(s)
        person.lastName = s.firstName
        try person.save()
        print(try session.merge(s, preferring: .snapshot).conflicts.count)
    }
    print(text)
}

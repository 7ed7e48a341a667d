// One object, as listed in the public API under this heading, except snapshots and events, which have separate
// clients.
import PersistentObjects

class Person: PersistentObject {
    var lastName = ""
    var age: Int?
    var nick: String?
    var employer: Company?
}

class Company: PersistentObject {
    var name = ""
}

nonisolated struct Ticket: Codable, Hashable {
    var holder: PersistentID<Person>
}

func makeObjects() throws {
    let plain = Person()
    let filled = try Person(["lastName": "Smith", "age": 39, "nick": nil])
    let values: [String: Any?] = ["lastName": "Smith", "employer": Company()]
    print(plain, filled, try Person(values))
}

func askForOriginals(_ person: Person) throws {
    let name: String? = try person.original(\.lastName)
    let age: Int? = try person.original(\.age)
    let employer: Company? = try person.original(\.employer)
    print(name ?? "", age ?? 0, employer as Any)
}

func describeClass() throws {
    for property in try Person.properties where property.kind == .reference {
        let type: Any.Type = property.type
        let column: String? = property.column
        print(property, property.name, type, property.table ?? "", column ?? "", property.target as Any)
        print(property.isOptional, property.isIndexed, property.isUnique, property.isLazy, property.deleteRule)
    }
    let all: [StoredProperty] = try Person.properties
    Task.detached { print(all) }
}

func saveObject(_ person: Person) throws {
    try person.save()
    try person.reload()
    try person.delete()
}

func askObject(_ person: Person) {
    let id: Int64? = person.id
    let name: PersistentID<Person>? = person.persistentID
    if person.isNew || person.isDeleted || person.hasChanges { print(id as Any, name as Any) }
    for change in person.changes {
        print(change.name, change.old as Any, change.new as Any)
    }
    if person.changed(\.lastName) || person.changed(\.employer) { print(person.previousChanges) }
    let lastName: Any? = person["lastName"]
    let everything: [String: Any?] = person.dictionary
    print(lastName as Any, everything, person)
    print(person.description, "\(person)", String(describing: person))
}

func changeObject(_ person: Person) throws {
    person.revert()
    person.revert(\.age)
    person.revert(\Person.age)
    let twin: Person = person.copy()
    try person.set("lastName", to: "Jones")
    try person.set("age", to: nil)
    person.employer = Company()
    person.employer?.name = twin.lastName
}

func compareObjects(_ a: Person, _ b: Person) -> Bool {
    let people: Set<Person> = [a, b]
    let byID = [a.id: a]
    let named = ["a": a]
    return a == b && a === b && people.contains(a) && byID[b.id] == named["a"] && [a, b].firstIndex(of: b) == 0
}

func identifiers(_ person: Person) -> [PersistentID<Person>] {
    guard let id = person.persistentID else { return [] }
    let ticket = Ticket(holder: id)
    let set: Set = [id, ticket.holder]
    print(id.value, id == ticket.holder)
    return Array(set)
}

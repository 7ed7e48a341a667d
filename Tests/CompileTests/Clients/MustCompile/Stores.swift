// Stores and sessions, except transactions, raw SQL and maintenance, which have separate clients.
import PersistentObjects

class Person: PersistentObject {
    var lastName = ""
    var age: Int?
}

class Company: PersistentObject {
    var name = ""
}

func openStores() throws -> [Store] {
    let file = try Store("people.sqlite")
    let exact = try Store(
        "x.sqlite", configuration: .init(durability: .full, busyTimeout: .seconds(5), lostEdits: .keep))
    try Store.open("people.sqlite")
    let opened: Store = try Store.open("people.sqlite")
    return [file, exact, opened, try Store.inMemory(), try Store.temporary(), Store.default]
}

func useSession(_ store: Store) throws {
    let people = try store.withSession { session in try Person.all() }
    let names = try store.withSession { _ in try Person.all().map(\.lastName) }
    try store.withSession { session in
        let person = Person()
        person.lastName = "Smith"
        try person.save()
        try session.save([person, Company()])
        try session.saveChanges()
        try session.delete([person])
        if let id = person.persistentID {
            let same: Person? = try session.object(for: id)
            print(same as Any)
        }
    }
    try store.prepare(Person.self, Company.self)
    print(people, names)
}

/// A reset throws, and closing a store does not: warnings are errors here.
func forget(_ session: Session, _ store: Store) throws {
    try session.refresh()
    try session.reset()
    store.close()
}

func useSessionInAsyncCode(_ store: Store) async throws {
    let count = try await store.withSession { session in
        await Task.yield()
        let person = Person()
        try session.save([person])
        return try Person.count()
    }
    try await store.withSession { session in
        await Task.yield()
        try session.saveChanges()
    }
    let names = try store.withSession { _ in try Person.all().map(\.lastName) }
    print(count, names)
}

func perform(_ store: Store, _ id: PersistentID<Person>) async throws {
    let names = try await store.perform { session in try Person.all().map(\.lastName) }
    let first: String? = try await store.perform { _ in
        guard let person = try Person.find(id) else { return nil }
        person.age = 3
        try person.save()
        return person.lastName
    }
    let saved = try await store.perform { session in
        let people = ["a", "b"].map { name in
            let person = Person()
            person.lastName = name
            return person
        }
        try session.save(people)
        try session.saveChanges()
        try session.delete([people[0]])
        if let found = try session.object(for: id) { print(found.lastName) }
        return people.compactMap(\.persistentID)
    }
    try await store.perform { session in try session.saveChanges() }
    print(names, first as Any, saved)
}

// Allowed uses across isolation domains. Each line has a counterpart in MustFail.
import PersistentObjects

final class Person: PersistentObject {
    var lastName = ""
    var employer: Person?
}

/// New objects have no isolation until they are saved, so they can be sent.
@MainActor func sendNewObject() {
    let person = Person()
    person.lastName = "Smith"
    Task.detached { person.lastName = "Jones" }
}

/// Ids can be sent anywhere.
@MainActor func sendID(_ store: Store) throws {
    let person = try Person.first()
    guard let id = person?.persistentID else { return }
    Task.detached {
        let name = try await store.perform { _ in try Person.find(id)?.lastName }
        print(name as Any)
    }
}

@MainActor final class Model {
    var people: [Person] = []
    var selected: Person?

    func load() throws {
        people = try Person.findByLastName("Smith")
        selected = try Person.findFirstBy.lastName("Smith")
        try selected?.save()
    }

    func reload() async throws {
        await Task.yield()
        for person in people { try person.reload() }
    }

    func startTask() {
        Task {
            let person = try Person.first()
            person?.lastName = "x"
            self.selected = person
            try person?.save()
        }
    }
}

actor Registry {
    var kept: [Int64: Person] = [:]

    func load() throws -> Int {
        for person in try Person.all() {
            if let id = person.id { kept[id] = person }
        }
        return kept.count
    }

    func rename(_ id: Int64, to name: String) throws {
        kept[id]?.lastName = name
        try kept[id]?.save()
    }

    func names() -> [String] { kept.values.map(\.lastName) }

    func add(_ person: sending Person) throws {
        try person.save()
        if let id = person.id { kept[id] = person }
    }
}

@MainActor func fillRegistry(_ registry: Registry) async throws {
    let person = Person()
    person.lastName = "new"
    try await registry.add(person)
    print(try await registry.load(), await registry.names())
    try await registry.rename(1, to: "x")
}

/// All work in one nonisolated function.
func nonisolatedWork(_ store: Store) async throws -> [String] {
    let people = try store.withSession { _ in try Person.all() }
    await Task.yield()
    return people.map(\.lastName)
}

/// A background session is an actor, so it can be extended and called with `await`.
extension BackgroundSession {
    func names() throws -> [String] { try Person.all().map(\.lastName) }
}

func namesOf(_ store: Store) async throws -> [String] {
    try await store.perform { session in try session.names() }
}

/// A task group in which each child has its own session.
func inParallel(_ store: Store, _ ids: [PersistentID<Person>]) async throws -> [String] {
    try await withThrowingTaskGroup(of: String?.self) { group in
        for id in ids {
            group.addTask { try await store.perform { _ in try Person.find(id)?.lastName } }
        }
        var names: [String] = []
        for try await name in group { names.append(name ?? "") }
        return names
    }
}

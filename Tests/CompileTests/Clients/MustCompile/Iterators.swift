import PersistentObjects

// Streams and updates, with `for` and with an iterator, on the main actor, in an actor and elsewhere.

final class Person: PersistentObject {
    var lastName = ""
    var age: Int?
}

@MainActor final class Screen {
    var people: [Person] = []

    func load() async throws {
        for try await person in Person.query.stream() { people.append(person) }
        var stream = Person.query.stream().makeAsyncIterator()
        while let person = try await stream.next() { people.append(person) }
        var updates = Person.query.updates().makeAsyncIterator()
        people = try await updates.next()?.objects ?? []
        try people.first?.save()
    }

    func show(_ person: Person, _ session: Session) async throws {
        var updates = session.updates(of: person).makeAsyncIterator()
        guard let update = try await updates.next() else { return }
        update.object.lastName = "x"
        people.append(update.object)
    }
}

actor Registry {
    var kept: [Person] = []

    func load() async throws {
        for try await person in Person.query.stream() { kept.append(person) }
        var stream = Person.query.stream().makeAsyncIterator()
        if let person = try await stream.next() { kept.append(person) }
        var updates = Person.query.updates().makeAsyncIterator()
        kept += try await updates.next()?.objects ?? []
    }
}

func names(_ store: Store) async throws -> [String] {
    try await store.withSession { session in
        var names: [String] = []
        for try await person in Person.query.stream() { names.append(person.lastName) }
        var stream = Person.query.stream().makeAsyncIterator()
        while let person = try await stream.next() { names.append(person.lastName) }
        var updates = Person.query.updates().makeAsyncIterator()
        if let people = try await updates.next() { names += people.objects.map(\.lastName) }
        if let first = try Person.first() {
            var changes = session.updates(of: first).makeAsyncIterator()
            names.append(try await changes.next()?.object.lastName ?? "")
        }
        return names
    }
}

/// Events are values, and can be sent anywhere.
@MainActor func next(_ store: Store) async {
    var events = store.events.makeAsyncIterator()
    let event = await events.next()
    Task.detached { print(event?.kind as Any) }
}

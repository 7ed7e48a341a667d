import PersistentObjects

// Events: sequences and closures, on the main actor, in an actor and elsewhere.

final class Person: PersistentObject {
    var lastName = ""
    var age: Int?
    override class var sendsEvents: Bool { true }
}

@MainActor final class Screen {
    var lines: [String] = []
    var people: [Person] = []
    var tokens: [EventToken] = []
    var tasks: [Task<Void, any Error>] = []

    func begin(_ store: Store) {
        // The closures are isolated to the main actor, like the code around them.
        tokens.append(Person.onChange { event in self.lines.append("\(event.kind)") })
        tokens.append(store.onChange { [weak self] event in self?.lines.append(event.description) })
        tasks.append(
            Task {
                for await event in store.events { lines.append(event.id(as: Person.self)?.description ?? "other") }
            })
        tasks.append(
            Task {
                for try await people in Person.where({ $0.age > 17 }).order(by: \.lastName).updates() {
                    self.people = people.objects
                    lines.append("\(people.inserted) \(people.deleted) \(people.moved) \(people.changed)")
                }
            })
    }

    func show(_ person: Person, _ session: Session) async throws {
        tokens.append(person.onChange { event in self.lines += event.properties ?? [] })
        for try await update in session.updates(of: person) {
            lines.append(update.object.lastName)
            if update.isDeleted { break }
        }
    }
}

actor Counter {
    var count = 0
    var token: EventToken?

    func begin() { token = Person.onChange { _ in self.count += 1 } }

    func run() async {
        for await event in Person.events where event.kind == .inserted { count += 1 }
    }
}

func log(_ store: Store) async -> EventToken {
    let token = store.onChange { print($0.kind, $0.properties ?? [], $0.objectClass ?? PersistentObject.self) }
    Task.detached { for await event in store.events { print(event) } }
    return token
}

func save(_ person: Person, _ session: Session) throws {
    try person.save(.silently)
    try session.save([person], [.silently, .withoutHooks])
}

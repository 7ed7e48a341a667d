import TestSupport
import Testing

@testable import PersistentObjects

/// The classes for the tests of events.
enum HeardEvents {
    final class Company: PersistentObject {
        override class var tableName: String { "heard_company" }
        var name = ""
        @Inverse(\Person.employer) var staff: [Person]
    }

    final class Person: PersistentObject {
        override class var tableName: String { "heard_person" }
        var name = ""
        var age = 0
        var tags: [String] = []
        var employer: Company?
        @OnDelete(.cascade) var passport: Passport?

        convenience init(_ name: String, age: Int = 0) {
            self.init()
            self.name = name
            self.age = age
        }
    }

    final class Passport: PersistentObject {
        override class var tableName: String { "heard_passport" }
        var number = ""
    }

    class Animal: PersistentObject {
        override class var tableName: String { "heard_animal" }
        var name = ""
    }

    final class Dog: Animal {
        var tricks = 0
    }

    final class Silent: PersistentObject {
        override class var tableName: String { "heard_silent" }
        override class var sendsEvents: Bool { false }
        var name = ""
    }

    struct Stop: Error {}
}

/// Runs the body in a session on a new store in a file, for tests that wait.
func withSession<R>(
    isolation: isolated (any Actor)? = #isolation, _ body: (Session, TemporaryStore) async throws -> R
) async throws -> R {
    let file = try TemporaryStore()
    let store = try file.open()
    let result = try await store.withSession { session in try await body(session, file) }
    #expect(try file.isSound)
    return result
}

extension ChangeEvents {
    /// Ends the store's subscriptions and returns all events received so far as strings.
    func all(_ store: Store, isolation: isolated (any Actor)? = #isolation) async -> [String] {
        store.hub.finish()
        var events: [String] = []
        for await event in self { events.append("\(event)") }
        return events
    }
}

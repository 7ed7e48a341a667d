// expect: non-Sendable '[Person]'-typed result can not be returned from actor-isolated instance method
// An actor cannot return its objects to the main actor.
import PersistentObjects

actor Registry {
    func people() throws -> [Person] { try Person.all() }
}

@MainActor func leak(_ registry: Registry) async throws {
    let people = try await registry.people()
    print(people.count)
}

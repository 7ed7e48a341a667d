// expect: capture of 'person' with non-Sendable type 'Person' in a '@Sendable' closure
// An object of another session may not be captured by `perform`.
import PersistentObjects

func leak(_ store: Store, _ person: Person) async throws {
    try await store.perform { session in person.lastName = "x" }
}

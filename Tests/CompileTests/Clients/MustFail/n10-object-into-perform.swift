// expect: capture of 'person' with non-Sendable type 'Person' in a '@Sendable' closure
// `perform` cannot capture an object of another session.
import PersistentObjects

func leak(_ store: Store, _ person: Person) async throws {
    try await store.perform { session in person.lastName = "x" }
}

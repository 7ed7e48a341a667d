// expect: conformance of 'PersistentObject' to 'Sendable' is unavailable
// expect: as a 'sending' result risks causing data races
// Like n09, with the result of a typed finder.
import PersistentObjects

func leak(_ store: Store) async throws {
    let people = try await store.perform { session in try Person.findBy.lastName("x") }
    print(people)
}

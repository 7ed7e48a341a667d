// expect: returning a 'session'-isolated 'Array<Person>' value as a 'sending' result risks causing data races
// expect: conformance of 'PersistentObject' to 'Sendable' is unavailable
// Objects fetched in `perform` cannot leave it.
import PersistentObjects

func leak(_ store: Store) async throws {
    let people = try await store.perform { session in try Person.all() }
    print(people)
}

// expect: type 'Any' does not conform to the 'Sendable' protocol
// expect: as a 'sending' result risks causing data races
// Like n13, in a context that converts the result to `Any`.
import PersistentObjects

func leak(_ store: Store) async throws {
    let found: Any = try await store.perform { session in
        let people = try Person.all()
        return people
    }
    print(found)
}

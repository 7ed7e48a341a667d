// expect: returning 'background'-isolated 'people' as a 'sending' result risks causing data races
// expect: conformance of 'PersistentObject' to 'Sendable' is unavailable
// Like n09, with a variable: the isolation comes from the closure's parameter, whatever its name.
import PersistentObjects

func leak(_ store: Store) async throws {
    let found = try await store.perform { background in
        let people = try Person.all()
        return people
    }
    print(found)
}

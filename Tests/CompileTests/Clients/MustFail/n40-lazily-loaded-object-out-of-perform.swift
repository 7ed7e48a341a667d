// expect: as a 'sending' result risks causing data races
// expect: conformance of 'PersistentObject' to 'Sendable' is unavailable
// The result of `load()` cannot leave `perform`, like its owner.
import PersistentObjects

func leak(_ store: Store) async throws {
    let found = try await store.perform { session in
        let mentor = try Person.first()?.$mentor.load()
        return mentor
    }
    print(found as Any)
}

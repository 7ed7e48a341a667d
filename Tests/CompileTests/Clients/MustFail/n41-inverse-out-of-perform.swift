// expect: as a 'sending' result risks causing data races
// expect: conformance of 'PersistentObject' to 'Sendable' is unavailable
// The inverse of an object cannot leave `perform`, like the object.
import PersistentObjects

func leak(_ store: Store) async throws {
    let found = try await store.perform { session in
        let staff = try Company.first()?.staff ?? []
        return staff
    }
    print(found)
}

// expect: as a 'sending' result risks causing data races
// expect: conformance of 'PersistentObject' to 'Sendable' is unavailable
// The objects that an object refers to cannot leave `perform`, like the object.
import PersistentObjects

func leak(_ store: Store) async throws {
    let found = try await store.perform { session in
        let employer = try Person.first()?.employer
        return employer
    }
    print(found as Any)
}

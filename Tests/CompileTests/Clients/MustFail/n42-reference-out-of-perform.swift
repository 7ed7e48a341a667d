// expect: as a 'sending' result risks causing data races
// expect: conformance of 'PersistentObject' to 'Sendable' is unavailable
// What an object refers to stays in `perform`, as the object does.
import PersistentObjects

func leak(_ store: Store) async throws {
    let found = try await store.perform { session in
        let employer = try Person.first()?.employer
        return employer
    }
    print(found as Any)
}

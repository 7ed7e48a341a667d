// expect: sending 'person' risks causing data races
// compiles in: MainActor default
// An object fetched in an asynchronous session cannot be used on the main actor and in the session concurrently. (If
// the main actor is the default, everything runs on it.)
import PersistentObjects

func leak(_ store: Store) async throws {
    try await store.withSession { session in
        let person = try Person.first()
        await MainActor.run { person?.lastName = "x" }
        person?.lastName = "y"
    }
}

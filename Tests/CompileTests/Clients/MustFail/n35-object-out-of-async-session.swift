// expect: sending 'person' risks causing data races
// compiles in: MainActor default
// An object found in an asynchronous session may not be used on the main actor and in the session at once. (Where the
// main actor is the default, all of it runs there.)
import PersistentObjects

func leak(_ store: Store) async throws {
    try await store.withSession { session in
        let person = try Person.first()
        await MainActor.run { person?.lastName = "x" }
        person?.lastName = "y"
    }
}

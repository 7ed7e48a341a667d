// expect: risks causing data races between 'session'-isolated code and concurrent execution of the closure
// An object fetched in `perform` belongs to its session, so a detached task cannot capture it.
import PersistentObjects

func leak(_ store: Store) async throws {
    try await store.perform { session in
        let person = try Person.find(1)
        Task.detached { person?.lastName = "x" }
    }
}

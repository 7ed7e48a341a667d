// expect: risks causing data races between 'background'-isolated code and concurrent execution of the closure
// As n12, by a dynamic finder, and with the session's parameter named differently.
import PersistentObjects

func leak(_ store: Store) async throws {
    try await store.perform { background in
        let people = try Person.findByLastName("x")
        Task.detached { print(people.count) }
    }
}

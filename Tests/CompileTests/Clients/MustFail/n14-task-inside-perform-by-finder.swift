// expect: risks causing data races between 'background'-isolated code and concurrent execution of the closure
// Like n12, with a dynamic finder and a different name of the session's parameter.
import PersistentObjects

func leak(_ store: Store) async throws {
    try await store.perform { background in
        let people = try Person.findByLastName("x")
        Task.detached { print(people.count) }
    }
}

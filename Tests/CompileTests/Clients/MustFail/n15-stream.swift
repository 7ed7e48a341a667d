// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// What a stream gives belongs to whoever asked for it.
import PersistentObjects

@MainActor func leak() async throws {
    for try await person in Person.query.stream() { Task.detached { person.lastName = "x" } }
}

// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// The objects of a stream belong to the caller's isolation.
import PersistentObjects

@MainActor func leak() async throws {
    for try await person in Person.query.stream() { Task.detached { person.lastName = "x" } }
}

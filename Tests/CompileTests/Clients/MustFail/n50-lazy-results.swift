// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// Lazy results, and the objects read from them, belong to the caller's isolation.
import PersistentObjects

@MainActor func leak() throws {
    let people = try Person.query.lazily()
    Task.detached { try people[0].lastName = "x" }
}

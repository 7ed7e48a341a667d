// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// So do lazy results, and what is read from them.
import PersistentObjects

@MainActor func leak() throws {
    let people = try Person.query.lazily()
    Task.detached { try people[0].lastName = "x" }
}

// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// The objects found by criteria text belong to the caller's isolation.
import PersistentObjects

@MainActor func leak() throws {
    let people = try Person.findByCriteria("WHERE age > ?", 3)
    Task.detached { print(people.count) }
}

// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// The result of a dynamic finder belongs to the caller's isolation.
import PersistentObjects

@MainActor func leak() throws {
    let people = try Person.findByLastName("x")
    Task.detached { print(people.count) }
}

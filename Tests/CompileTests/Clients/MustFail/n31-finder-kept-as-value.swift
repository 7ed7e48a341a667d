// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// A finder stored as a value has the isolation of the call.
import PersistentObjects

@MainActor func leak() throws {
    let finder = Person.findByLastName
    let people = try finder("x")
    Task.detached { print(people.count) }
}

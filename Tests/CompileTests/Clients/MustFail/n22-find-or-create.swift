// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// An object that was found or created belongs to the caller's isolation.
import PersistentObjects

@MainActor func leak() throws {
    let person = try Person.findOrCreateBy.lastName("x")
    Task.detached { person.lastName = "y" }
}

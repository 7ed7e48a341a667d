// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// An object that was found or made belongs to whoever asked for it.
import PersistentObjects

@MainActor func leak() throws {
    let person = try Person.findOrCreateBy.lastName("x")
    Task.detached { person.lastName = "y" }
}

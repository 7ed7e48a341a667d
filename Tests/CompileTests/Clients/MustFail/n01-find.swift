// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// An object fetched on the main actor belongs to it, so a detached task cannot capture it.
import PersistentObjects

@MainActor func leak() throws {
    let person = try Person.find(1)
    Task.detached { person?.lastName = "x" }
    person?.lastName = "y"
}

// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// Untracked objects belong to the caller's isolation.
import PersistentObjects

@MainActor func leak() throws {
    guard let person = try Person.query.untracked().first() else { return }
    Task.detached { person.lastName = "x" }
}

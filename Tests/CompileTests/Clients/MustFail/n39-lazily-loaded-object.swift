// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// The result of `load()` belongs to the isolation of its owner.
import PersistentObjects

@MainActor func leak() throws {
    guard let person = try Person.first() else { return }
    let mentor = try person.$mentor.load()
    Task.detached { mentor?.lastName = "x" }
}

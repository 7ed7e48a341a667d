// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// What `load()` gives belongs where its owner belongs.
import PersistentObjects

@MainActor func leak() throws {
    guard let person = try Person.first() else { return }
    let mentor = try person.$mentor.load()
    Task.detached { mentor?.lastName = "x" }
}

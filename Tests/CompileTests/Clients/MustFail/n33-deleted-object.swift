// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// `delete()` binds an object to its caller's isolation, like `save()`.
import PersistentObjects

@MainActor func leak() throws {
    let person = Person()
    try person.delete()
    Task.detached { person.lastName = "x" }
}

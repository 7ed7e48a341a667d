// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// A new object has no isolation until it is saved; from then on it belongs to the isolation of the save.
import PersistentObjects

@MainActor func leak() throws {
    let person = Person()
    person.lastName = "x"
    try person.save()
    Task.detached { person.lastName = "y" }
}

// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// What an object refers to belongs where the object belongs.
import PersistentObjects

@MainActor func leak() throws {
    guard let person = try Person.first() else { return }
    let employer = person.employer
    Task.detached { employer?.name = "x" }
}

// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// The objects that an object refers to belong to the same isolation.
import PersistentObjects

@MainActor func leak() throws {
    guard let person = try Person.first() else { return }
    let employer = person.employer
    Task.detached { employer?.name = "x" }
}

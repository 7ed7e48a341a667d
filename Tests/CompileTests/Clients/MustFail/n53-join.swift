// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// The objects in the tuples of a join belong to the caller's isolation.
import PersistentObjects

@MainActor func leak() throws {
    guard let pair = try Person.query.join(Person.self, on: { $0.age == $1.age }).first() else { return }
    Task.detached { pair.1.lastName = "x" }
}

// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// A copy can refer to the same objects as the original, so it belongs to the same isolation.
import PersistentObjects

@MainActor func leak() throws {
    let person = try Person.first()
    let copy = person?.copy()
    Task.detached { copy?.lastName = "x" }
}

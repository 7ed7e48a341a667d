// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// A copy may refer to what the original refers to: it belongs where the original belongs.
import PersistentObjects

@MainActor func leak() throws {
    let person = try Person.first()
    let copy = person?.copy()
    Task.detached { copy?.lastName = "x" }
}

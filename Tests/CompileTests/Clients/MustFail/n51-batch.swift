// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// The objects of a batch belong to the caller's isolation.
import PersistentObjects

@MainActor func leak() throws {
    try Person.query.forEachBatch(of: 10) { batch in Task.detached { batch[0].lastName = "x" } }
}

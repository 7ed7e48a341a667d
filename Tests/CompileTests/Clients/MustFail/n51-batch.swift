// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// And the objects of a batch.
import PersistentObjects

@MainActor func leak() throws {
    try Person.query.forEachBatch(of: 10) { batch in Task.detached { batch[0].lastName = "x" } }
}

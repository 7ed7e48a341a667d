// expect: actor-isolated code and concurrent execution of the closure
// compiles in: mode 6
// A nonisolated asynchronous function is its caller's only with NonisolatedNonsendingByDefault; without it the session's
// check at run time finds the second thread.
import PersistentObjects

func leak() async throws {
    let person = try Person.first()
    Task.detached { person?.lastName = "x" }
}

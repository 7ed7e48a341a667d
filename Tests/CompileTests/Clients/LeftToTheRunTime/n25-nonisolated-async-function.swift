// expect: actor-isolated code and concurrent execution of the closure
// compiles in: mode 6
// A nonisolated asynchronous function inherits its caller's isolation only with NonisolatedNonsendingByDefault.
// Otherwise the session's check at run time detects the second thread.
import PersistentObjects

func leak() async throws {
    let person = try Person.first()
    Task.detached { person?.lastName = "x" }
}

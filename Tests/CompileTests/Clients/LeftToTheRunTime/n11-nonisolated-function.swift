// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// compiles in: mode 6, nonsending
// A nonisolated synchronous function has no isolation to which the compiler could bind an object. The session's check
// at run time detects the second thread. If the main actor is the default, the compiler detects the leak.
import PersistentObjects

func leak() throws {
    let person = try Person.find(1)
    Task.detached { person?.lastName = "x" }
}

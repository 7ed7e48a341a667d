// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// compiles in: mode 6, nonsending
// A nonisolated synchronous function has no isolation that the compiler could tie an object to: the session's check at
// run time finds the second thread. Where the main actor is the default, the compiler sees it.
import PersistentObjects

func leak() throws {
    let person = try Person.find(1)
    Task.detached { person?.lastName = "x" }
}

// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// compiles in: mode 6, nonsending
// A session returned from a nonisolated `withSession` has no isolation. Using it after the end of `withSession` is an
// error at run time. If the main actor is the default, the compiler detects the leak.
import PersistentObjects

func leak(_ store: Store) throws {
    let escaped = try store.withSession { session in session }
    Task.detached { try escaped.saveChanges() }
}

// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// compiles in: mode 6, nonsending
// A session out of a nonisolated `withSession` is tied to nothing: its use after `withSession` ended is an error at run
// time. Where the main actor is the default, the compiler sees it.
import PersistentObjects

func leak(_ store: Store) throws {
    let escaped = try store.withSession { session in session }
    Task.detached { try escaped.saveChanges() }
}

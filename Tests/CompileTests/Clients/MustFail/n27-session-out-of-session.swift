// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// A session belongs to the isolation that created it, also after the end of its `withSession`.
import PersistentObjects

@MainActor func leak(_ store: Store) throws {
    let escaped = try store.withSession { session in session }
    Task.detached { try escaped.saveChanges() }
}

// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// An object returned from `withSession` still belongs to the isolation of the caller.
import PersistentObjects

@MainActor func leak(_ store: Store) throws {
    let person = try store.withSession { session in try Person.find(1) }
    Task.detached { print(person as Any) }
}

// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// An object that left `withSession` still belongs to the isolation of its caller.
import PersistentObjects

@MainActor func leak(_ store: Store) throws {
    let person = try store.withSession { session in try Person.find(1) }
    Task.detached { print(person as Any) }
}

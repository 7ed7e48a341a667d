// expect: actor-isolated instance method 'saveChanges()' cannot be called from outside of the actor
// A background session that left `perform` is used like any actor: not without `await`.
import PersistentObjects

func leak(_ store: Store) async throws {
    let escaped = try await store.perform { session in session }
    try escaped.saveChanges()
}

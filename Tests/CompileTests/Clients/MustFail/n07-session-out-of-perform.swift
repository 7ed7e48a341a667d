// expect: actor-isolated instance method 'saveChanges()' cannot be called from outside of the actor
// A background session returned from `perform` is an actor, so its use requires `await`.
import PersistentObjects

func leak(_ store: Store) async throws {
    let escaped = try await store.perform { session in session }
    try escaped.saveChanges()
}

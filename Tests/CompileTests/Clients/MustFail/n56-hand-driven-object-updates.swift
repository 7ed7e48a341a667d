// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// The objects of an iterator of an object's updates belong to the caller's isolation.
import PersistentObjects

@MainActor func leak(_ session: Session, _ person: Person) async throws {
    var updates = session.updates(of: person).makeAsyncIterator()
    let update = try await updates.next()
    Task.detached { update?.object.lastName = "x" }
}

// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// The objects of an iterator of a query's updates belong to the caller's isolation.
import PersistentObjects

@MainActor func leak() async throws {
    var people = Person.query.updates().makeAsyncIterator()
    let update = try await people.next()
    Task.detached { update?.objects.first?.lastName = "x" }
}

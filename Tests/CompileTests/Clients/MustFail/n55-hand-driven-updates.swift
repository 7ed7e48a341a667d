// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// The same of the updates of a query.
import PersistentObjects

@MainActor func leak() async throws {
    var people = Person.query.updates().makeAsyncIterator()
    let update = try await people.next()
    Task.detached { update?.objects.first?.lastName = "x" }
}

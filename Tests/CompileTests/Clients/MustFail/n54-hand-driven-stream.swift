// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// The objects of an iterator of a stream belong to the caller's isolation.
import PersistentObjects

@MainActor func leak() async throws {
    var people = Person.query.stream().makeAsyncIterator()
    let person = try await people.next()
    Task.detached { person?.lastName = "x" }
}

// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// So does what an iterator gives that is asked by hand.
import PersistentObjects

@MainActor func leak() async throws {
    var people = Person.query.stream().makeAsyncIterator()
    let person = try await people.next()
    Task.detached { person?.lastName = "x" }
}

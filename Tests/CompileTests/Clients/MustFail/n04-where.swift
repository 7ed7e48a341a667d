// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// The result of a query belongs to the caller's isolation.
import PersistentObjects

@MainActor func leak() throws {
    let people = try Person.where { $0.lastName == "x" }.all()
    Task.detached { print(people.count) }
}

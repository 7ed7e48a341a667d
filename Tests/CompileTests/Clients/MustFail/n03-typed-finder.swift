// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// What a typed finder answers belongs to the caller's isolation too.
import PersistentObjects

@MainActor func leak() throws {
    let people = try Person.findBy.lastName("x")
    Task.detached { print(people.count) }
}

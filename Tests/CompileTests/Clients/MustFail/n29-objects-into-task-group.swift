// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// Objects of the main actor cannot be distributed to a task group.
import PersistentObjects

@MainActor func leak() async throws {
    let people = try Person.all()
    await withTaskGroup(of: Void.self) { group in
        for person in people {
            group.addTask { person.lastName = "x" }
        }
    }
}

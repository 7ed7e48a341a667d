// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// The `Person?` result of a dynamic finder belongs to the caller's isolation, like its array result.
import PersistentObjects

@MainActor func leak() throws {
    let person: Person? = try Person.findFirstByLastName("x")
    Task.detached { person?.lastName = "y" }
}

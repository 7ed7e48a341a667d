// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// The `Person?` answer of a dynamic finder belongs to the caller's isolation, as its array does.
import PersistentObjects

@MainActor func leak() throws {
    let person: Person? = try Person.findFirstByLastName("x")
    Task.detached { person?.lastName = "y" }
}

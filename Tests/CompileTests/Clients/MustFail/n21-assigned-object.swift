// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// A new object joins the isolation of the object to which it is assigned.
import PersistentObjects

@MainActor func leak() throws {
    let company = Company()
    guard let person = try Person.first() else { return }
    person.employer = company
    Task.detached { company.name = "x" }
}

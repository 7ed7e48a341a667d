// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// A new object joins the isolation of the object to which it is added.
import PersistentObjects

@MainActor func leak() throws {
    guard let company = try Company.first() else { return }
    let person = Person()
    company.staff.append(person)
    Task.detached { person.lastName = "x" }
}

// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
import PersistentObjects

@MainActor func leak() throws {
    guard let person = try Person.first() else { return }
    let friends = person.friends
    Task.detached { for friend in friends { friend.lastName = "x" } }
}

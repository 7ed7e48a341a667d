// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// `$photo` reads and changes its owner.
import PersistentObjects

@MainActor func leak() throws {
    guard let person = try Person.first() else { return }
    let photo = person.$photo
    Task.detached { _ = try photo.load() }
}

// expect: risks causing data races between main actor-isolated code and concurrent execution of the closure
// The projected value `$photo` accesses its owner, so it belongs to the owner's isolation.
import PersistentObjects

@MainActor func leak() throws {
    guard let person = try Person.first() else { return }
    let photo = person.$photo
    Task.detached { _ = try photo.load() }
}

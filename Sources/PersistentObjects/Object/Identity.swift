extension PersistentObject {
    /// What names the objects of a class for good, in this file and in others: see `PersistentObject.identity`.
    public enum Identity: Sendable {
        /// The number of the row, which the store gives.
        case integer
        /// The number of the row, which you may give: `Country(id: 352)`. A new object without one gets the next number
        /// that no row has or had.
        case given
        /// A UUID besides, in lower case, `6ba7b810-9dad-41d1-80b4-00c04fd430c8`.
        case uuid
        /// A text of your own besides: an ISO code, a file's hash, another system's id.
        case string
    }
}

/// The key of an object of a class with keys.
///
/// A class, so that objects of classes without keys have no more than a pointer for it.
final class ObjectKey: Sendable {
    let text: String

    init(_ text: String) { self.text = text }
}

// It never changes, so a reference to it is a value.
extension ObjectKey: ValueContainer { static var contentTypes: [Any.Type] { [] } }

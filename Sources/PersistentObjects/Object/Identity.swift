internal import Foundation

extension PersistentObject {
    /// What names the objects of a class for good, in this file and in others: see `PersistentObject.identity`.
    public enum Identity: Sendable {
        /// The number of the row, which the store gives.
        case integer
        /// The number of the row, which you may give: `Country(id: 352)`. A new object without one gets the next number
        /// that no row has or had.
        case given
        /// A UUID besides, 16 bytes in the file, seen as a text in lower case: `6ba7b810-9dad-41d1-80b4-00c04fd430c8`.
        ///
        /// The store makes UUIDs of version 7, which begin with the time of
        /// their making, in milliseconds: rows stand in the index in the order
        /// in which they came. Whoever sees such a key can read that time in it.
        case uuid
        /// A text of your own besides: an ISO code, a file's hash, another system's id.
        case string
    }
}

/// The key of an object of a class with keys.
///
/// A class, so that objects of classes without keys have no more than a pointer for it.
final class ObjectKey: Sendable {
    /// What it is made of.
    enum Form: Sendable {
        case text(String)
        /// Its text is made when it is asked for: 16 bytes need no memory besides.
        case uuid(UUID)
    }

    let form: Form

    init(_ form: Form) { self.form = form }

    convenience init(_ text: String) { self.init(.text(text)) }

    /// As users see it.
    var text: String {
        switch form {
        case .text(let text): text
        case .uuid(let uuid): uuid.canonicalText
        }
    }
}

// It never changes, so a reference to it is a value.
extension ObjectKey: ValueContainer { static var contentTypes: [Any.Type] { [] } }

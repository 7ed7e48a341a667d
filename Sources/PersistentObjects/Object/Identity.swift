internal import Foundation

extension PersistentObject {
    /// The kind of permanent identity that the objects of a class have; see `PersistentObject.identity`.
    ///
    /// Ids identify an object in one file. Keys identify it in other files as well.
    public enum Identity: Sendable {
        /// The row's id, which the store assigns.
        case integer
        /// The row's id, which you may assign: `Country(id: 352)`.
        ///
        /// A new object without an id gets the next number that no row has or had.
        case given
        /// A UUID in addition to the id, stored as 16 bytes.
        ///
        /// It is represented as a lowercase string: `6ba7b810-9dad-41d1-80b4-00c04fd430c8`.
        ///
        /// The store generates UUIDs of version 7, which begin with their creation time in milliseconds, so rows are
        /// stored in the index in insertion order. Anyone who sees such a key can read its creation time.
        case uuid
        /// A string that you assign in addition to the id: an ISO code, a file's hash, another system's id.
        case string
    }
}

/// The key of an object of a class with keys.
///
/// It is a class, so that objects of classes without keys need only a pointer for it.
final class ObjectKey: Sendable {
    /// The representation of the key.
    enum Form: Sendable {
        case text(String)
        /// The string is created on request, because 16 bytes need no further memory.
        case uuid(UUID)
    }

    let form: Form

    init(_ form: Form) { self.form = form }

    convenience init(_ text: String) { self.init(.text(text)) }

    /// The key as users see it.
    var text: String {
        switch form {
        case .text(let text): text
        case .uuid(let uuid): uuid.canonicalText
        }
    }
}

// It never changes, so a reference to it has value semantics.
extension ObjectKey: ValueContainer { static var contentTypes: [Any.Type] { [] } }

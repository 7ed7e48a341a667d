/// The way a save handles rows that were changed elsewhere since they were read.
///
/// It applies to changes made by another session or another process to rows that the save is about to update.
///
/// ```swift
/// session.conflictPolicy = .theirs
/// try joe.save(.onConflict(.mine))
/// ```
public enum ConflictPolicy: Sendable {
    /// It takes what only one side has changed from that side. If both have changed the same property to different
    /// values it throws `staleObject`, and nothing is saved.
    case merge
    /// It throws `staleObject` if others have changed anything in the row.
    case fail
    /// As `merge`, and what both have changed is saved as it is here.
    case mine
    /// As `merge`, and what both have changed becomes what they have made of it, in the object too.
    case theirs
    /// As `merge`, and the closure is asked about each property that both have changed; an error that it throws is the
    /// save's.
    case resolve(@Sendable (Conflict) throws -> Resolution)

    /// A property that both sides changed.
    public struct Conflict: Sendable {
        /// The object's class.
        public let className: String
        /// The id of its row.
        public let id: Int64
        /// The property's name.
        public let property: String
        /// The value that both sides started from; nil for NULL. Objects are `PersistentID`s.
        public let base: (any Sendable)?
        /// The value in the object.
        public let mine: (any Sendable)?
        /// The value in the database.
        public let theirs: (any Sendable)?
    }

    /// The resolution of a property that both sides changed.
    public enum Resolution: Sendable {
        /// The object's value is saved.
        case mine
        /// The object gets the database's value.
        case theirs
        /// The object gets this value, and it is saved.
        case value((any Sendable)?)
    }
}

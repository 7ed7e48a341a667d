/// The way a save handles rows that were changed elsewhere since they were read.
///
/// It applies to changes made by another session or another process to rows that the save is about to update.
///
/// ```swift
/// session.conflictPolicy = .theirs
/// try joe.save(.onConflict(.mine))
/// ```
public enum ConflictPolicy: Sendable {
    /// Merges changes that only one side made; if both sides changed a property, throws `staleObject`.
    ///
    /// It throws if both sides changed the same property to different values. Nothing is saved then.
    case merge
    /// Throws `staleObject` if anything in the row was changed elsewhere.
    case fail
    /// Merges like `merge`; for a property that both sides changed, saves the object's value.
    case mine
    /// Merges like `merge`; for a property that both sides changed, uses the database's value.
    ///
    /// The object gets that value too.
    case theirs
    /// Merges like `merge`, and calls the closure for each property that both sides changed.
    ///
    /// If the closure throws an error, the save throws it.
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

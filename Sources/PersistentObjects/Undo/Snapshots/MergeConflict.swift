public import Foundation

/// A property that a snapshot and a session have changed both, in different ways.
public struct MergeConflict: Sendable {
    /// The name of the property.
    public let property: String
    /// What it was when the snapshot's owner last read it, ids for objects.
    public let base: (any Sendable)?
    /// What the snapshot has.
    public let mine: (any Sendable)?
    /// What the session has: an unsaved edit, or what the database has by now.
    public let theirs: (any Sendable)?
}

extension MergeConflict: CustomStringConvertible {
    /// `age: 39 -> 40, but it is now 41`
    public var description: String {
        let change = PropertyChange(name: property, old: base, new: mine)
        return "\(change), but it is now \(PropertyChange.text(theirs))"
    }
}

/// What `merge` throws where a snapshot and a session contradict each other; nothing was merged then.
public struct MergeConflicts: Error {
    /// The class of the object.
    public let className: String
    /// The id of the object's row.
    public let rowID: Int64?
    /// The properties, in the order of their declaration.
    public let conflicts: [MergeConflict]
}

extension MergeConflicts: CustomStringConvertible {
    /// One line: class, row and all conflicts.
    public var description: String {
        let list = conflicts.map(\.description).joined(separator: "; ")
        return
            "\(className)\(rowID.map { " #\($0)" } ?? ""): The snapshot and the object have conflicting changes: "
            + "\(list). Nothing was merged. Take a new snapshot, also if a merge of this snapshot was saved "
            + "before, or call merge(_:preferring:)"
    }
}

/// Whose value counts where a snapshot and a session contradict each other.
public enum MergePreference: Sendable {
    /// The snapshot's.
    case snapshot
    /// The session's: its unsaved edits, and what the database has by now.
    case session
}

/// What a merge has come to.
public struct Merge<Object: Persistent> {
    /// The object of the session, with the snapshot's changes; not saved yet.
    public let object: Object
    /// What both had changed, in the order of declaration; settled by the preference.
    public let conflicts: [MergeConflict]
}

extension MergeConflicts: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

public import Foundation

/// A property that a snapshot and a session both changed, in different ways.
public struct MergeConflict: Sendable {
    /// The name of the property.
    public let property: String
    /// The value when the snapshot's owner last read it; ids for objects.
    public let base: (any Sendable)?
    /// The snapshot's value.
    public let mine: (any Sendable)?
    /// The session's value: an unsaved edit, or the current value of the database.
    public let theirs: (any Sendable)?
    /// Whether the property is encrypted, so that the description must not contain its values.
    var isEncrypted = false
}

extension MergeConflict: CustomStringConvertible {
    /// `age: 39 -> 40, but it is now 41`
    public var description: String {
        let change = PropertyChange(name: property, old: base, new: mine, isEncrypted: isEncrypted)
        if isEncrypted { return "\(change), but it has changed" }
        return "\(change), but it is now \(PropertyChange.text(theirs))"
    }
}

/// The error of `merge` if a snapshot and a session conflict; nothing was merged then.
public struct MergeConflicts: Error {
    /// The class of the object.
    public let className: String
    /// The id of the object's row.
    public let rowID: Int64?
    /// The conflicting properties, in the order of their declaration.
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

/// The side whose value is kept if a snapshot and a session conflict.
public enum MergePreference: Sendable {
    /// The snapshot's value.
    case snapshot
    /// The session's value: its unsaved edit, or the current value of the database.
    case session
}

/// The result of a merge.
public struct Merge<Object: Persistent> {
    /// The object of the session, with the snapshot's changes; not saved yet.
    public let object: Object
    /// The properties that both sides changed, in the order of declaration, resolved by the preference.
    public let conflicts: [MergeConflict]
}

extension MergeConflicts: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

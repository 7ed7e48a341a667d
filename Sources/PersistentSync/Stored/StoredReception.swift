/// What a batch did to the replica and to the rows.
package struct StoredReception: Sendable {
    package let reception: Reception
    package let changed: ChangedObjects
    /// The edits of this device that the batch overwrote, or that won against it.
    package let conflicts: [SyncConflict]
}

/// Two edits of a property, or an edit and a deletion, that were made without knowledge of each other.
package struct SyncConflict: Hashable, Sendable {
    /// The rule that decided it.
    package enum Rule: Hashable, Sendable {
        /// The later write is shown.
        case lastWrite
        /// The deletion won against the edit.
        case deletion
        /// The edit won against the deletion, because the class declares `keepsEdited`.
        case keptEdited
        /// Another object shows the value, which must be unique, because its write is older.
        case unique
    }

    package let key: ObjectKey
    /// Nil if the whole object is concerned.
    package let property: Text?
    /// The value of this device; nil for a deletion.
    package let mine: SyncValue?
    /// The value of the other device; nil for a deletion.
    package let theirs: SyncValue?
    package let rule: Rule
    /// Whether this device's edit is the one that is shown.
    package let isMineShown: Bool
}

/// Data that is known and not shown.
package struct WaitingData: Hashable, Sendable {
    package let key: ObjectKey
    /// Nil if the whole object is not shown.
    package let property: Text?
    package let reason: Presentation.Reason

    /// What waits, in the order of the keys.
    static func all(_ visibility: Visibility) -> [WaitingData] {
        let objects = visibility.waiting.map { WaitingData(key: $0, property: nil, reason: $1) }
        let values = visibility.waitingValues.flatMap { key, reasons in
            reasons.map { WaitingData(key: key, property: $0, reason: $1) }
        }
        return (objects + values).sorted {
            ($0.key, $0.property ?? Text(utf8: [])) < ($1.key, $1.property ?? Text(utf8: []))
        }
    }
}

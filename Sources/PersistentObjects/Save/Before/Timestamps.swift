internal import Foundation

/// The dates that a save sets in its objects, so that a failed save can restore them.
struct Timestamps {
    private struct Entry {
        /// Borrowed, because the caller of the save retains the object.
        let borrowed: Borrowed<PersistentObject>
        var object: PersistentObject { borrowed.object }
        let field: TimestampPlan.Field
        let old: Date?
    }

    /// One date for all objects of a save.
    private lazy var now = Date()
    private var entries: [Entry] = []

    /// Sets the dates of an object to insert.
    mutating func stamp(inserted object: PersistentObject, _ plan: TimestampPlan) {
        if let created = plan.created {
            let value = created.date(of: object)
            if value?.timeIntervalSinceReferenceDate == plan.initial { set(created, of: object, value) }
        }
        stamp(updated: object, plan)
    }

    /// Sets the date of an object to update.
    mutating func stamp(updated object: PersistentObject, _ plan: TimestampPlan) {
        guard let updated = plan.updated else { return }
        set(updated, of: object, updated.date(of: object))
    }

    private mutating func set(_ field: TimestampPlan.Field, of object: PersistentObject, _ old: Date?) {
        entries.append(Entry(borrowed: Borrowed(object), field: field, old: old))
        field.set(now, of: object)
    }

    /// Restores the previous dates.
    func revert() {
        for entry in entries { entry.field.set(entry.old, of: entry.object) }
    }

    /// Restores the previous dates of objects that were not saved.
    func revertNew() {
        for entry in entries where entry.object.lifecycle == .new {
            entry.field.set(entry.old, of: entry.object)
        }
    }
}

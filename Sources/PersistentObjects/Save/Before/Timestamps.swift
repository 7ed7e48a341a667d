internal import Foundation

/// The dates that a save has set in its objects, to take them back where it fails.
struct Timestamps {
    private struct Entry {
        /// The caller of the save holds it.
        let borrowed: Borrowed<PersistentObject>
        var object: PersistentObject { borrowed.object }
        let field: TimestampPlan.Field
        let old: Date?
    }

    /// One for all objects of a save.
    private lazy var now = Date()
    private var entries: [Entry] = []

    /// Sets the dates of an object that is to be inserted.
    mutating func stamp(inserted object: PersistentObject, _ plan: TimestampPlan) {
        if let created = plan.created {
            let value = created.date(of: object)
            if value?.timeIntervalSinceReferenceDate == plan.initial { set(created, of: object, value) }
        }
        stamp(updated: object, plan)
    }

    /// Sets the date of an object that is to be updated.
    mutating func stamp(updated object: PersistentObject, _ plan: TimestampPlan) {
        guard let updated = plan.updated else { return }
        set(updated, of: object, updated.date(of: object))
    }

    private mutating func set(_ field: TimestampPlan.Field, of object: PersistentObject, _ old: Date?) {
        entries.append(Entry(borrowed: Borrowed(object), field: field, old: old))
        field.set(now, of: object)
    }

    /// Puts back what the objects had.
    func takeBack() {
        for entry in entries { entry.field.set(entry.old, of: entry.object) }
    }

    /// Puts back what those had that were not saved after all.
    func takeBackFromNew() {
        for entry in entries where entry.object.lifecycle == .new {
            entry.field.set(entry.old, of: entry.object)
        }
    }
}

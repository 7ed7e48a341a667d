internal import PersistentObjects
internal import StoreEngine

/// A replica as the file had it, with what the rows show of it.
struct KnownReplica: Sendable {
    var replica: Replica<StandardRules>
    var ownGroup: GroupID
    /// The number of the last change of the file's tables.
    var version: Int64
    var shapes: [SyncedShape]
    /// Their declarations, by name.
    var declarations: [String: String]
    /// The number of the store's preparations of classes, by which new classes are noticed.
    var preparations: Int
    var visibility: Visibility
    var withheld: Set<ObjectKey>
    /// The numbers of the captured tables.
    var tables: [Int64]
}

/// The synced classes of a store.
struct DeclaredClasses: Sendable {
    let preparations: Int
    /// The version of the file's schema.
    let schema: DatabaseValue?
    let shapes: [SyncedShape]
    let declarations: [String: String]
}

/// What a call did.
struct StoredWork<Value> {
    let value: Value
    let changed: ChangedObjects
    /// The number of objects with captured changes.
    let absorbed: Int
    /// The edits of this device that are no longer shown, because other objects have their unique values.
    let held: [SyncConflict]
}

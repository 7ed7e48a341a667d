/// What the library knows of one object. Only the session layer writes it.
struct ObjectHeader {
    /// The key in the identity map.
    var rowID: Int64 = 0
    /// What the object knows of its session; the keeper lives as long as any of its objects.
    var keeper: Borrowed<ObjectKeeper>?
    /// A copy of the properties as the database has them, in the keeper's memory.
    var baseline: Address?
    /// The session's count of changes by others up to which this object was brought.
    var freshness: UInt32 = 0
    /// New, saved, deleted or for reading only.
    var lifecycle = Lifecycle.new
    /// Whether the save under way has met the object.
    var isMarked = false
    /// Whether the session may have what its last save has changed in the object; see `SavedChanges`.
    var isRemembered = false
    /// Whether it is a new object that goes back into the row which it had once: it has that row's id already.
    var keepsID = false
    /// In classes with keys: what the property `key` has.
    var key: ObjectKey?
}

/// Where an object stands between memory and database.
enum Lifecycle: UInt8 {
    case new, saved, deleted
    /// Read from a row and for reading only: no session knows it.
    case untracked
}

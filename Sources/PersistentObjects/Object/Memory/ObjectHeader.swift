/// The library's state of one object; only the session layer writes it.
struct ObjectHeader {
    /// The key in the identity map.
    var rowID: Int64 = 0
    /// The object's connection to its session; the keeper lives as long as any of its objects.
    var keeper: Borrowed<ObjectKeeper>?
    /// A copy of the properties as stored in the database, in the keeper's memory.
    var baseline: Address?
    /// The session's count of external changes up to which this object was refreshed.
    var freshness: UInt32 = 0
    /// New, saved, deleted or read-only.
    var lifecycle = Lifecycle.new
    /// Whether the save in progress has reached the object.
    var isMarked = false
    /// Whether the session may keep the values that its last save changed in the object; see `SavedChanges`.
    var isRemembered = false
    /// Whether it is a new object that will be reinserted as its former row: it already has that row's id.
    var keepsID = false
    /// The value of the property `key`, in classes with keys.
    var key: ObjectKey?
}

/// The state of an object between memory and database.
enum Lifecycle: UInt8 {
    case new, saved, deleted
    /// Read from a row and read-only, in no session.
    case untracked
}

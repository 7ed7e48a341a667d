internal import StoreEngine

// Objects that are to be read again.
extension Session {
    /// Has the next call that meets an object read its row again; until then it keeps its values, edits stay for good.
    ///
    /// Others' commits make objects stale by themselves, and each query brings
    /// those that it finds up to date. This is for what the session cannot
    /// know of: a trigger that has written another row, or a function of yours
    /// whose answer has changed. It counts for a `find` by the id too, which
    /// otherwise asks memory only.
    ///
    /// ```swift
    /// session.expire(joe)
    /// try Person.find(joe.persistentID)   // joe, as the row is now
    /// ```
    ///
    /// An object of another session, or without a row, is left as it is. To
    /// read an object at once there is `reload()`, which drops its edits.
    public func expire(_ object: some Persistent) { expire([object.object]) }

    /// The same for several objects.
    public func expire(_ objects: [PersistentObject]) {
        try? enter {
            for object in objects where object.lifecycle == .saved && object.identityMap?.session === self {
                memory.expire(object)
            }
        }
    }

    /// The same for all objects of the session. See `expire(_:)`.
    ///
    /// Nothing is read by it; `refresh()` reads all at once.
    public func expireAll() {
        try? enter {
            memory.markAllStale()
            for identity in classes.allIdentities { for object in identity.liveObjects() { memory.expire(object) } }
        }
    }
}

extension BackgroundSession {
    /// Has the next call that meets an object read its row again. See `Session.expire(_:)`.
    public func expire(_ object: some Persistent) { box.session.expire(object) }

    /// The same for all objects of the session. See `Session.expireAll()`.
    public func expireAll() { box.session.expireAll() }
}

internal import StoreEngine

// Objects whose rows must be read again.
extension Session {
    /// Makes the next call that returns an object read its row again; unsaved edits are kept.
    ///
    /// Until then the object keeps its values. Commits made elsewhere expire objects automatically, and each query
    /// refreshes the objects that it finds. Use this method for changes that the session cannot detect: a trigger that
    /// wrote another row, or one of your SQL functions whose result changed. It also applies to a `find` by id, which
    /// otherwise only looks in memory.
    ///
    /// ```swift
    /// session.expire(joe)
    /// try Person.find(joe.persistentID)   // joe, as the row is now
    /// ```
    ///
    /// An object of another session, or without a row, is left as it is. To read an object at once, use `reload()`,
    /// which drops its edits.
    public func expire(_ object: some Persistent) { expire([object.object]) }

    /// Expires several objects. See `expire(_:)`.
    public func expire(_ objects: [PersistentObject]) {
        try? enter {
            for object in objects where object.lifecycle == .saved && object.identityMap?.session === self {
                memory.expire(object)
            }
        }
    }

    /// Expires all objects of the session. See `expire(_:)`.
    ///
    /// It reads nothing; `refresh()` reads all objects at once.
    public func expireAll() {
        try? enter {
            memory.markAllStale()
            for identity in classes.allIdentities { for object in identity.liveObjects() { memory.expire(object) } }
        }
    }
}

extension BackgroundSession {
    /// Makes the next call that returns an object read its row again. See `Session.expire(_:)`.
    public func expire(_ object: some Persistent) { box.session.expire(object) }

    /// Expires all objects of the session. See `Session.expireAll()`.
    public func expireAll() { box.session.expireAll() }
}

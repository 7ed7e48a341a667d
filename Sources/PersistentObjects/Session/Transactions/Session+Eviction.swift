// Objects that the session is to forget.
extension Session {
    /// Forgets an object: it keeps its values and belongs to no session any more; unsaved edits of it are dropped.
    ///
    /// A find of its row gives another object from then on. The object itself
    /// is for reading only, as those of an `untracked()` query: `save()`,
    /// `delete()` and `reload()` throw `misuse`, and so does the save of a
    /// changed object that refers to it. For all objects of a session there is
    /// `reset()`.
    ///
    /// ```swift
    /// session.evict(joe)
    /// ```
    ///
    /// In a transaction, whose rollback may have to bring the object back, it
    /// is forgotten when that has ended. An object of another session, or
    /// without a row, is left as it is.
    public func evict(_ object: some Persistent) { evict([object.object]) }

    /// The same for several objects.
    public func evict(_ objects: [PersistentObject]) {
        try? enter {
            leaving += objects
            if level == nil, !isWriting, !isUnderWay { forgetLeaving() }
        }
    }

    /// Forgets what was evicted, where nothing is under way that may need it.
    func forgetLeaving() {
        for object in exchange(&leaving, with: []) {
            guard object.lifecycle == .saved, let identity = object.identityMap, identity.session === self
            else { continue }
            identity.makeUntracked(object)
        }
    }
}

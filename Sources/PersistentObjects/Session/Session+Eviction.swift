internal import Synchronization

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
    /// Inside a call of the session, which may still need the object, it is
    /// forgotten when the outermost call ends: in a transaction, a hook, or an
    /// initializer that decodes. An object of another session, or
    /// without a row, is left as it is.
    public func evict(_ object: some Persistent) { evict([object.object]) }

    /// The same for several objects.
    public func evict(_ objects: [PersistentObject]) {
        try? enter {
            memory.evict(objects)
            if readTransaction.isUnderWay, gate.isInside(of: 1) { memory.forgetEvicted() }
        }
    }
}

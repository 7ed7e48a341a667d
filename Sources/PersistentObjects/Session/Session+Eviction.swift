internal import Synchronization

extension Session {
    /// Evicts an object: it keeps its values but no longer belongs to a session.
    ///
    /// Its unsaved edits are dropped. From then on, a find of its row returns another object. The evicted object is
    /// read-only, like the objects of an `untracked()` query: `save()`, `delete()` and `reload()` throw `misuse`, and
    /// so does saving a changed object that refers to it. To evict all objects of a session, use `reset()`.
    ///
    /// ```swift
    /// session.evict(joe)
    /// ```
    ///
    /// Inside a call of the session that may still need the object (in a transaction, a hook, or an initializer that
    /// decodes), it is evicted when the outermost call ends. An object of another session, or without a row, is left as
    /// it is.
    public func evict(_ object: some Persistent) { evict([object.object]) }

    /// Evicts several objects. See `evict(_:)`.
    public func evict(_ objects: [PersistentObject]) {
        try? enter {
            memory.evict(objects)
            if readTransaction.isUnderWay, gate.isInside(of: 1) { memory.forgetEvicted() }
        }
    }
}

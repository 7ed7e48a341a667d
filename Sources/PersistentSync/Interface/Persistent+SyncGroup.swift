public import PersistentObjects
internal import StoreEngine

extension Persistent {
    /// Moves the object to a group; nil for the device's own group, which no other device has.
    ///
    /// ```swift
    /// let note = Note()
    /// try note.setSyncGroup(family)
    /// try note.save()
    /// ```
    ///
    /// The group of an object that was not saved yet is written with its first save, in the same transaction. If that is
    /// rolled back, the next save writes it. For a saved object it is written at once, in the current transaction of its
    /// session, and a rollback restores the earlier group. The next round moves the object. Objects that refer to it and
    /// are deleted with it follow. Objects in its collections do not, so move them, too.
    ///
    /// `sync.group(of: note)` returns the group.
    ///
    /// - Throws: `SyncError` with the code `needsKey` if the class is not synced, or if the object was deleted or its
    ///   session has ended; `notAuthorised` if the device of the store is not in the group. An object that was not saved
    ///   belongs to no store yet, so its save throws `notAuthorised` then.
    public func setSyncGroup(_ group: SyncGroup?) throws {
        let className = String(describing: type(of: object))
        guard type(of: object).isSynced else {
            throw SyncError(
                .needsKey,
                "The class \(className) is not synced, so its objects have no group. Nothing was changed. Override "
                    + "isSynced in it")
        }
        if object.isNew {
            FirstSaves.set(group.map { GroupOfFirstSave(group: $0) }, of: object)
        } else if let session = object.savingSession {
            try StoredReplica.choose(group?.id, for: object, in: session)
        } else {
            throw SyncError(
                .needsKey,
                "The object \(className) #\(object.rowID) was deleted, or its session has ended. Nothing was changed. Find "
                    + "the object again")
        }
    }
}

/// The group of an object that was not saved yet.
struct GroupOfFirstSave: FirstSaveWork {
    let group: SyncGroup

    func write(_ connection: any Connection, className: String, id: Int64) throws {
        try ChosenGroups.choose(group.id, for: id, of: className, in: connection)
    }
}

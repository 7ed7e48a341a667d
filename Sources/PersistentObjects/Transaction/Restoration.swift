internal import StoreEngine

/// Restores memory to the start of a transaction, or of a transaction inside another one. The database has been rolled
/// back already.
///
/// Afterwards three things hold for each object:
///
/// 1. **What the row held.** The baseline has what the row held when the transaction first saved or deleted the object.
///    The object is new, saved or deleted as it was then, and in the identity map or not. If the transaction changed only
///    some properties, while it saved other objects, these alone are restored.
/// 2. **What was edited.** Unsaved edits from before the transaction are there again. Edits made inside are undone with a
///    save or deletion of their object, even if an inner transaction undid that save before. Objects that the transaction
///    did not save keep such edits. All other properties have the values of the baseline.
/// 3. **What was read since.** Rows that were read after the transaction had written may never have been committed. They
///    are read again, below the edits. Rows that cannot be read now are stale, so the next query reads them.
///
/// 1 and 2 come from the images of the level (`ObjectImage`), made before an object was touched. 3 comes from the reads
/// that the level noted (`TransactionLevel.didRead`). However an inner transaction ends, it hands both on to the outer
/// one, because that may still be rolled back.
struct Restoration {
    private let session: Session
    private let level: TransactionLevel

    init(_ session: Session, _ level: TransactionLevel) {
        self.session = session
        self.level = level
    }

    func run() {
        session.writing.level = level.parent
        session.writing.lastSave = level.savedBefore
        session.memory.inverses.held.isPaused = true
        defer { session.memory.inverses.held.isPaused = false }
        // Anything not restored here is read again on its next use.
        if level.hasWrittenItself { session.memory.markAllStale() }
        // In a task that was cancelled too.
        session.connection.uninterrupted {
            guard let parent = level.parent else { return restoreObjects() }
            parent.whileMending(restoreObjects)
            parent.didRollBack(level)
        }
        // Edits of objects that have ended are pending again, if they were so at the start.
        Fetch(session).restorePendingEdits(level.pendingEdits)
        session.news.recordRollback(of: level)
    }

    private func restoreObjects() {
        restoreRows()
        restoreEdits()
        readAgain(level.misread)
    }

    /// 1. The rows' values. This comes first for all objects, because values may refer to other objects.
    private func restoreRows() {
        for image in level.images { image.restoreRow() }
    }

    /// 2. The edits; all other properties get the baseline's values.
    private func restoreEdits() {
        for image in level.images {
            let changed = image.restoreValues(find)
            // An object that is new again has no baseline that would notify its observers.
            if image.wasNew { changed.forEach { session.didChange($0, of: image.object, image.map) } }
        }
        for image in level.images { noteLinks(of: image.object, image.map) }
    }

    /// 3. Values read since. Edits are rebased on them, because no other session has changed them; if one has, the next
    ///    save still has to check for conflicts.
    private func readAgain(_ objects: [PersistentObject]) {
        guard !objects.isEmpty else { return }
        var objects = objects
        let place = objects.partition(by: session.memory.isConflicted)
        try? Fetch(session).reread(Array(objects[..<place]), .rebase)
        try? Fetch(session).reread(Array(objects[place...]))
        level.restoreEdits(of: objects)
        // The transaction saved their rows by other objects, which have ended. Edits are undone as those objects' would be.
        for object in objects where object.lifecycle == .saved && level.hasSavedUnseen(object) {
            try? Fetch(session).reload(object)
        }
    }

    private func find(_ type: PersistentObject.Type, _ id: Int64) -> PersistentObject? {
        try? session.find(session.space(of: type), id)
    }

    /// A link that a rollback has restored is not on the lists of those that follow later changes: the transaction may
    /// have taken it off. It is put on them again, or is read again at its next access.
    private func noteLinks(of object: PersistentObject, _ map: ClassMap) {
        guard object.lifecycle == .saved, let identity = object.identityMap else { return }
        let inverses = session.memory.inverses
        for place in map.links.held {
            if HeldLink(object, map, place)?.isUnnoted ?? false { inverses.didFill(object, place, size: 1) }
            guard let codec = map.properties[place].codec as? InverseCodec else { continue }
            if codec.condition != nil {
                if FilteredInverses.release(place, of: object, map.baseline) { continue }
                guard let reach = try? session.space(of: map.type).filteredInverse(place).reach else { continue }
                inverses.filtered.note(identity, place, reach, [object.rowID])
            } else if codec.ordering != nil {
                // Its objects may have been sorted by values that were rolled back.
                _ = FilteredInverses.release(place, of: object, map.baseline, isStale: false)
            }
        }
    }
}

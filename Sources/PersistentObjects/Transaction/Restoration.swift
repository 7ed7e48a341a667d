internal import StoreEngine

/// Restores memory to the start of a transaction, or of a transaction inside another one. The database has been rolled
/// back already.
///
/// Afterwards three things hold for each object:
///
/// 1. **The row's values.** The baseline has the row's values from before the transaction first saved or deleted the
///    object. The object is new, saved or deleted as it was then, and in the identity map or not. If the transaction
///    changed only some properties, while it saved other objects, only these properties are restored.
/// 2. **The edits.** Unsaved edits from before the transaction are restored. Edits made inside are undone with a save
///    or deletion of their object, even if an inner transaction undid that save before. Objects that the transaction
///    did not save keep their edits from inside the transaction. All other properties have the values of the baseline.
/// 3. **The values read since.** Rows that were read after the transaction wrote may contain values that were never
///    committed. These rows are read again, and the edits are kept. Rows that cannot be read now are stale, so the next
///    query reads them.
///
/// 1 and 2 come from the images of the level (`ObjectImage`), made before an object was touched. 3 comes from the reads
/// that the level recorded (`TransactionLevel.didRead`). An inner transaction always passes both to the outer
/// transaction, because the outer transaction may still be rolled back.
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
        // The restoration must also run in a cancelled task.
        session.connection.uninterrupted {
            guard let parent = level.parent else { return restoreObjects() }
            parent.whileMending(restoreObjects)
            parent.didRollBack(level)
        }
        // Edits of released objects are pending again if they were pending at the start.
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
        for image in level.images { recordLinks(of: image.object, image.map) }
    }

    /// 3. The values read since. Edits are rebased onto them if no other session changed them. Otherwise the next save
    ///    must still check for conflicts.
    private func readAgain(_ objects: [PersistentObject]) {
        guard !objects.isEmpty else { return }
        var objects = objects
        let place = objects.partition(by: session.memory.isConflicted)
        try? Fetch(session).reread(Array(objects[..<place]), .rebase)
        try? Fetch(session).reread(Array(objects[place...]))
        level.restoreEdits(of: objects)
        // If the transaction saved the row of such an object through an object that was released, the edits are undone,
        // as they would be for the released object.
        for object in objects where object.lifecycle == .saved && level.hasSavedUnseen(object) {
            try? Fetch(session).reload(object)
        }
    }

    private func find(_ type: PersistentObject.Type, _ id: Int64) -> PersistentObject? {
        try? session.find(session.space(of: type), id)
    }

    /// Registers a restored link for later changes again, because the transaction may have removed its registration. A
    /// link that cannot be registered is read again on its next access.
    private func recordLinks(of object: PersistentObject, _ map: ClassMap) {
        guard object.lifecycle == .saved, let identity = object.identityMap else { return }
        let inverses = session.memory.inverses
        for ordinal in map.links.held {
            if HeldLink(object, map, ordinal)?.isUnrecorded ?? false { inverses.didFill(object, ordinal, size: 1) }
            guard let codec = map.properties[ordinal].codec as? InverseCodec else { continue }
            if codec.condition != nil {
                if FilteredInverses.release(ordinal, of: object, map.baseline) { continue }
                guard let reach = try? session.space(of: map.type).filteredInverse(ordinal).reach else { continue }
                inverses.filtered.record(identity, ordinal, reach, [object.rowID])
            } else if codec.ordering != nil {
                // The inverse's objects may have been sorted by values that were rolled back.
                _ = FilteredInverses.release(ordinal, of: object, map.baseline, isStale: false)
            }
        }
    }
}

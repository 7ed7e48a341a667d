internal import StoreEngine

// Memory goes back to where a transaction began; the file is there already.
extension Session {
    /// After the rollback of the database.
    func didRollBack(_ level: TransactionLevel) {
        self.level = level.parent
        lastSave = level.savedBefore
        memory.inverses.held.isPaused = true
        defer { memory.inverses.held.isPaused = false }
        if level.hasWrittenItself { memory.markAllStale() }
        func mend() {
            func find(_ type: PersistentObject.Type, _ id: Int64) -> PersistentObject? {
                try? self.find(self.space(of: type), id)
            }
            level.restore(find) { news.recordChange($0, of: $1, $2) }
            for image in level.images { noteRestoredLinks(of: image.object, image.map) }
            // What was read meanwhile may be of rows that there never were. Where they cannot be read now, the next
            // query reads them, or says why not.
            var misread = level.misread
            guard !misread.isEmpty else { return }
            // Edits go on top of it: nobody else has changed it. Where somebody has, a save still has to look.
            let place = misread.partition(by: memory.isConflicted)
            try? refresh(Array(misread[..<place]), .rebase)
            try? refresh(Array(misread[place...]))
            level.restoreEdits(of: misread)
            for object in misread where object.lifecycle == .saved && level.hasSavedUnseen(object) {
                try? reload(object)
            }
        }
        // In a task that was cancelled too.
        connection.uninterrupted {
            guard let parent = level.parent else { return mend() }
            parent.whileMending(mend)
            parent.didRollBack(level)
        }
        restorePendingEdits(level.pendingEdits)
        news.recordRollback(of: level)
    }

    /// A link that a rollback has restored is not on the lists of those that follow later changes: the transaction may
    /// have taken it off. It is put on them again, or is read again at its next access.
    private func noteRestoredLinks(of object: PersistentObject, _ map: ClassMap) {
        guard object.lifecycle == .saved, let identity = object.identityMap else { return }
        for place in map.links.held {
            if HeldLink(object, map, place)?.isUnnoted ?? false { memory.inverses.didFill(object, place, size: 1) }
            guard let codec = map.properties[place].codec as? InverseCodec else { continue }
            if codec.condition != nil {
                if FilteredInverses.release(place, of: object, map.baseline) { continue }
                guard let reach = try? space(of: map.type).filteredInverse(place).reach else { continue }
                memory.inverses.filtered.note(identity, place, reach, [object.rowID])
            } else if codec.ordering != nil {
                // Its objects may have been sorted by values that were rolled back.
                _ = FilteredInverses.release(place, of: object, map.baseline, isStale: false)
            }
        }
    }

    /// After a rollback: tables that it has taken away are made again, since all sessions count on them.
    func prepareAgain(_ maps: [ClassMap]) {
        guard !maps.isEmpty else { return }
        store.classes.forget(maps, self)
        // Where that fails the next use of the class says so.
        for map in maps { try? prepareTable(of: map) }
    }
}

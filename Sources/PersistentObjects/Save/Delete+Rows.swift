internal import StoreEngine

// A deletion saves as well if edits of other objects must be written with it.
extension Delete {
    /// Deletes the rows of objects of any classes in one transaction, and cascades by their rules; objects that are
    /// already deleted are skipped.
    ///
    /// - Parameter forever: Whether the rows of classes with soft deletes are deleted, too.
    func deleteAll(_ objects: [PersistentObject], forever: Bool = false) throws {
        try session.writing.checkMayWrite()
        var work: [(ClassSpace, [PersistentObject])] = []
        for object in objects {
            switch object.lifecycle {
            case .new:
                throw StoreError(
                    .misuse, "The object was never saved, so there is no row to delete",
                    className: String(describing: type(of: object)))
            case .deleted: continue
            case .untracked: throw StoreError.untracked(object, "so it cannot be deleted")
            case .saved: break
            }
            let space = try session.space(of: object)
            if object.keeper !== space.identity { try session.checkOwns(object) }
            if let place = work.lastIndex(where: { $0.0 === space }) {
                work[place].1.append(object)
            } else {
                work.append((space, [object]))
            }
        }
        guard !work.isEmpty else { return }
        let rules = try session.deletionRules()
        for (space, _) in work { try space.map.checkWritable("deleted") }
        let notified = NotifiedObjects()
        for (space, objects) in work { try callWillDelete(objects, space.map, notified) }
        guard work.allSatisfy({ rules.isAlone($0.0.map) && (forever || $0.0.map.softDeleteOrdinal == nil) }) else {
            return try delete(rules, notified, forever: forever) {
                if rules.hasForeignTables { try Fetch(session).checkKeys(deleting: objects) }
                return work.map { space, objects in (space.map, saved(objects).map(\.rowID)) }
            }
        }
        for place in work.indices { sortByRow(&work[place].1) }
        try session.write(together: true) {
            if rules.hasForeignTables {
                try connection.deferForeignKeys()
                try Fetch(session).checkKeys(deleting: objects)
            }
            for (space, objects) in work { try deleteRows(saved(objects), space) }
        }
        for (space, objects) in work {
            for object in saved(objects) { session.didDelete(object, space.identity) }
        }
        memory.markStaleIfShared(work.map(\.0.map))
        news.report()
    }

    /// Deletes rows, and cascades from them.
    private func delete(
        _ rules: DeletionRules, _ notified: NotifiedObjects = NotifiedObjects(), forever: Bool,
        _ find: () throws -> [(ClassMap, [Int64])]
    ) throws {
        func found(_ moves: UnsavedMoves) throws -> Deletion {
            // 1. Determine the rows to delete.
            let deletion = Deletion(rules, moves, forever: forever)
            for (map, ids) in try find() { try deletion.add(ids, map) }
            // 2. Find the objects that cascades delete, the objects that deny the deletion, and the objects that refer
            //    to deleted objects.
            try deletion.findOthers(session, onlyInMemory: news.events.log == nil)
            // 3. Call `willDelete` of the objects.
            try callWillDelete(deletion, notified)
            // 4. Write: links first, then rows. The commit follows.
            try deletion.write(session)
            return deletion
        }
        do {
            let deletion = try session.write(together: true) { try found(UnsavedMoves(session, rules)) }
            // 5. Update the deleted objects in memory, and the objects that refer to them.
            deletion.finish(session)
        } catch let moves as UnsavedMoves.Needed {
            // Edits that moved objects away from deleted owners are written first, in the same transaction.
            try session.writing.asSaving {
                try Save(session).save(moves.objects) { try found(UnsavedMoves(session, rules, $0)) }
            }
        }
        if rules.hasForeignTables { memory.markStaleIfShared(rules.nodes.map(\.map)) }
        news.report()
        session.countCall()
    }

    /// Deletes all rows of a class, marks its live objects as deleted, and returns the number of rows.
    func deleteEverything(_ space: ClassSpace) throws -> Int {
        try session.writing.checkMayWrite()
        try space.map.checkWritable("deleted")
        let rules = try session.deletionRules()
        guard rules.isAlone(space.map), space.map.softDeleteOrdinal == nil else {
            var count = 0
            try delete(rules, forever: false) {
                let ids = try space.integers(space.text(.selectAllIDs))
                count = ids.count
                return [(space.map, ids)]
            }
            return count
        }
        try callWillDelete(allOf: space)
        let count = try session.write(together: true) {
            try news.events.recordClasses(of: nil, space.map)
            if space.map.foreign != nil { try connection.deferForeignKeys() }
            let statement = try connection.statement(space.text(.deleteAll))
            defer { statement.finish() }
            do { try statement.run() } catch { throw space.located(error) }
            let count = connection.changedRowCount
            let mayKeepRows = space.map.foreign != nil || session.classes.lookForTriggers()
            if mayKeepRows, let kept = try space.integers(space.text(.selectAllIDs)).first {
                throw space.located(IDDeletion.kept(space.map.table), rowID: kept)
            }
            return count
        }
        memory.pendingEdits.drop(nil) { $0.derives(from: space.map) }
        for identity in space.hierarchy.allIdentities where identity.classMap.derives(from: space.map) {
            for object in identity.liveObjects() { session.didDelete(object, identity) }
        }
        memory.inverses.didChangeValues(of: space.map)
        memory.markStaleIfShared([space.map])
        news.report()
        return count
    }

    private func saved(_ objects: [PersistentObject]) -> [PersistentObject] {
        objects.filter { $0.lifecycle == .saved }
    }

    private func sortByRow(_ objects: inout [PersistentObject]) {
        guard !zip(objects, objects.dropFirst()).allSatisfy({ $0.rowID <= $1.rowID }) else { return }
        objects.sort { $0.rowID < $1.rowID }
    }

    private func deleteRows(_ objects: [PersistentObject], _ space: ClassSpace) throws {
        let ids = objects.map(\.rowID)
        if news.events.log != nil { try news.events.recordClasses(of: ids, space.map) }
        var batch = WriteBatch()
        batch.append(
            .delete(IDDeletion(ids, space.deletionTexts, connection) { space.located($0, rowID: $1) }))
        try connection.write(batch)
    }

    /// Deletes the objects of a class whose ids a statement returns.
    func delete(_ space: ClassSpace, idsOf sql: SQL, forever: Bool = false, bind: BoundQuery.Binder) throws -> Int {
        try session.writing.checkMayWrite()
        try space.map.checkWritable("deleted")
        let rules = try session.deletionRules()
        var count = 0
        try delete(rules, forever: forever) {
            let ids = try space.integers(sql, bind: bind)
            count = ids.count
            return [(space.map, ids)]
        }
        return count
    }
}

extension BoundQuery {
    /// Deletes the rows that the query finds, marks their live objects as deleted, and returns the number of rows.
    func delete(forever: Bool = false) throws -> Int {
        try Delete(session).delete(space, idsOf: plan.ids, forever: forever, bind: bind)
    }
}

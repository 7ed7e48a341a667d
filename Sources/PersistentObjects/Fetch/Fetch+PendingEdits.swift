internal import StoreEngine

// Edits of objects that were released. The next object of the row receives them, and `saveChanges()` creates an object
// for them.
extension Fetch {
    /// Applies the pending edits to objects that were created for their rows.
    ///
    /// - Parameter rewinds: Whether changes made elsewhere count as unseen, because the row was not read for the user.
    func applyPendingEdits(to objects: [PersistentObject], rewinds: Bool = false) {
        for object in objects where object.lifecycle == .saved {
            guard let identity = object.identityMap,
                let edit = memory.pendingEdits.take(identity.classMap, object.rowID)
            else { continue }
            guard isOfRow(edit, object) else {
                session.store.lostEdits.report(LostEdits(edit))
                continue
            }
            var isUnseen = edit.apply(to: object)
            if rewinds { isUnseen = edit.rewind(object) { try? self.find(session.space(of: $0), $1) } || isUnseen }
            if isUnseen { object.freshness = memory.conflictEpoch }
            memory.heldTargets += edit.weakTargets
            session.level?.didRevive(object, identity, edit)
        }
    }

    /// Objects of all rows that have pending edits, with these edits applied. The caller holds the objects.
    ///
    /// - Throws: `StoreError` with the code `rowGone` if one of the rows was deleted.
    func objectsOfPendingEdits(_ options: SaveOptions) throws -> [PersistentObject] {
        guard !memory.pendingEdits.isEmpty else { return [] }
        var objects: [PersistentObject] = []
        let loader = GraphLoader(session)
        loader.appliesPendingEdits = false
        var wanted: [(space: ClassSpace, edits: [PendingEdit])] = []
        do {
            try session.readTransaction.inOneState {
                for (_, rows) in memory.pendingEdits.all {
                    guard let map = rows.first?.value.map else { continue }
                    objects += rows.values.flatMap(\.weakTargets)
                    let space = try session.space(of: map.type)
                    let (alive, missing) = space.identity.objects(for: rows.keys.sorted())
                    objects += alive
                    objects += try readMissing(space, missing, loader)
                    wanted.append((space, rows.values.sorted { $0.rowID < $1.rowID }))
                }
                try loader.resolve()
            }
        } catch {
            loader.discard()
            throw error
        }
        let policy = options.conflictPolicy ?? session.conflictPolicy
        for (space, edits) in wanted {
            func isThere(_ edit: PendingEdit) -> Bool {
                space.identity.object(for: edit.rowID).map { isOfRow(edit, $0) } ?? false
            }
            if let missing = edits.first(where: { !isThere($0) }) {
                throw space.located(
                    StoreError(
                        .rowGone,
                        "The row was deleted, but the session has unsaved edits of it. Call the session's "
                            + "refresh() or revert() to discard them"
                    ), rowID: missing.rowID)
            }
        }
        for object in objects {
            let space = try session.space(of: object)
            applyPendingEdits(to: [object], rewinds: policy.isStrict || space.versionOrdinal != nil)
        }
        loader.callDidLoad()
        return objects
    }

    /// Whether an object represents the row that was edited: a later row can have its number.
    private func isOfRow(_ edit: PendingEdit, _ object: PersistentObject) -> Bool {
        guard let foreign = edit.map.foreign, !foreign.key.isEmpty, let space = try? session.space(of: edit.map.type)
        else { return true }
        return !space.reusesNumbers || edit.isOfRow(with: foreign.key, of: object)
    }

    /// Drops the edits of deleted rows and reports them as lost.
    func dropEditsOfMissingRows() throws {
        for (_, rows) in memory.pendingEdits.all {
            guard let map = rows.first?.value.map else { continue }
            let space = try session.space(of: map.type)
            let there = Set(try connection.integers(space.sql.selectIDs, Array(rows.keys)))
            let missing = rows.keys.filter { !there.contains($0) }
            let lost = memory.pendingEdits.drop(missing) { $0 === map }
            for edit in lost { session.store.lostEdits.report(LostEdits(edit)) }
            // Reading the rows also drops the edits of former rows with these numbers.
            if space.reusesNumbers { _ = try fetchRows(space, Array(there)) }
        }
    }

    /// After a rollback, the edits that were pending at the start of the transaction are pending again. Edits that
    /// became pending inside the transaction are dropped.
    func restorePendingEdits(_ rows: PendingEdits.Rows) {
        memory.pendingEdits.restore(rows) { map, id in
            classes.usedHierarchy(of: map.root)?.rows.object(for: id) != nil
        }
    }
}

extension ConflictPolicy {
    /// Whether any change by other sessions is a conflict.
    fileprivate var isStrict: Bool { if case .fail = self { true } else { false } }
}

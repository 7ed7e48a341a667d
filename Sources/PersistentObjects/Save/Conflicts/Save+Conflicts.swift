// Conflicts: finds and merges changes by other sessions to the rows of a save. It reads rows inside the save's
// transaction, and must not write.

internal import StoreEngine

// A save must not overwrite changes that its objects have not loaded. `Connection.begin()` guarantees that no other
// session can write when the save checks.
extension Save {
    /// Refreshes the objects of a plan that other sessions may have changed, and rebases their edits. The remaining
    /// edits are written.
    func rebase(_ plan: inout SavePlan) throws {
        // Changes by other sessions to the rows of a collection are not visible in its owner's row.
        if plan.updatesOwners {
            try connection.confirmBeginning()
            memory.lookForCommits()
        }
        var seen: UInt32
        repeat {
            seen = memory.epoch
            for (place, (space, updates)) in plan.updates.enumerated()
            where updates.contains(where: { $0.object.freshness != memory.epoch }) {
                plan.replaceUpdates(place, by: try rebased(updates, space, plan.options))
            }
            // If the start was deferred, the first rows that are read reveal the writes of other sessions before it.
        } while memory.epoch != seen
    }

    /// Does the same for updates of one class, and returns the remaining updates.
    func rebased(_ updates: [RowUpdate], _ space: ClassSpace, _ options: SaveOptions) throws -> [RowUpdate] {
        let stale = updates.filter { $0.object.freshness != memory.epoch }
        let policy = options.conflictPolicy ?? session.conflictPolicy
        var checks = stale.compactMap { ConflictCheck($0.object, space) }
        do {
            try readAgain(stale, space)
            if !space.map.sealedOrdinals.isEmpty {
                for update in stale { try LinkLoader(session).readSealedAgain(update.object, space) }
            }
            for index in checks.indices { checks[index].find(policy) }
            let conflicts = checks.filter { !$0.ordinals.isEmpty }
            switch policy {
            case .merge, .fail: if let first = conflicts.first { throw first.error }
            case .mine: break
            case .theirs: for check in conflicts { check.takeTheirs(session) }
            case .resolve(let closure): for check in conflicts { try check.resolve(closure, session) }
            }
        } catch {
            // The next save must find the changes of other sessions again, because the user has not seen them.
            for check in checks { check.undo(session) }
            throw error
        }
        return updates.compactMap { leftToWrite($0, space, options) }
    }

    /// The remaining update, if the database already has some of the new values.
    private func leftToWrite(_ update: RowUpdate, _ space: ClassSpace, _ options: SaveOptions) -> RowUpdate? {
        let object = update.object
        guard let block = object.baseline else { return nil }
        let start = ObjectMemory.start(of: object)
        var left =
            options.flags.contains(.withoutTimestamps)
            ? space.map.baseline.changes(start, block) : space.map.changesToSave(start, block)
        if let version = space.versionOrdinal {
            left.remove(version)
            guard !left.isEmpty else { return nil }
            VersionCounts.countUp(object, space.map, version)
            left.insert(version)
        }
        return left.isEmpty ? nil : RowUpdate(object: object, changed: left, space.map)
    }

    private func readAgain(_ updates: [RowUpdate], _ space: ClassSpace) throws {
        try Fetch(session).checkKeys(of: updates.map(\.object), space)
        let loader = GraphLoader(session)
        loader.rebased = Set(updates.map { ObjectIdentifier($0.object) })
        do {
            _ = try Fetch(session).readMissing(space, updates.map(\.rowID), loader)
            try loader.resolve()
        } catch {
            loader.discard()
            throw error
        }
        loader.applyPendingEdits()
        if let missing = updates.first(where: { $0.object.freshness != memory.epoch }) {
            throw space.located(
                StoreError(
                    .rowGone, "The row was deleted. Nothing was saved. Call copy() to save the values in a new row"),
                rowID: missing.rowID)
        }
    }
}

/// The changes of other sessions to one object since its row was read.
private struct ConflictCheck {
    private let object: PersistentObject
    private let space: ClassSpace
    /// The row's previous values.
    private let base: ObjectCopy
    /// The edits before the row was read again.
    private let edits: ColumnSet
    /// The properties in conflict.
    private(set) var ordinals: [Int] = []
    /// Whether any change by other sessions is a conflict.
    private var isStrict = false

    init?(_ object: PersistentObject, _ space: ClassSpace) {
        guard let block = object.baseline else { return nil }
        self.object = object
        self.space = space
        base = ObjectCopy(ofRow: block, space.map)
        edits = space.map.baseline.changes(ObjectMemory.start(of: object), block)
    }

    private var start: Address { ObjectMemory.start(of: object) }

    /// The properties that other sessions changed, in order.
    private func theirs(_ block: Address) -> [Int] {
        let map = space.map
        let changed = map.baseline.slots.indices.filter { ordinal in
            // Inverses, and the date that the store maintains, do not count as changes.
            !map.links.inverses.contains(ordinal) && ordinal != map.timestamps?.updated?.ordinal
                && !base.isSame(ordinal, as: block)
        }
        if map.embedded.isEmpty { return changed }
        let ordinals = map.withWholeValues(ColumnSet(changed))
        return map.baseline.slots.indices.filter { ordinals.contains($0) }
    }

    private func isInConflict(_ ordinal: Int, _ block: Address) -> Bool {
        space.map.isInConflict(ordinal, edits, start, block)
    }

    mutating func find(_ policy: ConflictPolicy) {
        guard let block = object.baseline else { return }
        let theirs = theirs(block)
        switch policy {
        case .fail: isStrict = true
        // Deletions that keep the row, undo, and programs without the library do not count the change.
        case .merge: isStrict = space.versionOrdinal != nil
        case .mine, .theirs, .resolve: break
        }
        ordinals = isStrict ? theirs : theirs.filter { $0 != space.versionOrdinal && isInConflict($0, block) }
    }

    private func conflict(_ ordinal: Int) -> ConflictPolicy.Conflict {
        let map = space.map
        let theirs = object.baseline.flatMap { map.baseline.baselineValue(ordinal, in: $0) }
        return ConflictPolicy.Conflict(
            className: map.name, id: object.rowID, property: map.properties[ordinal].name,
            base: base.rowValue(ordinal),
            mine: map.properties[ordinal].codec.sendableValue(map.baseline.slots[ordinal].address(in: start)),
            theirs: theirs)
    }

    var error: StoreError {
        let names = ordinals.map { space.map.properties[$0].name }
        var error = StoreError(
            .staleObject,
            "The stored \(names.joined(separator: ", ")) changed after the object was read. Nothing was saved. "
                + "Call reload(), or save with .onConflict(.mine) or .onConflict(.theirs)",
            className: space.map.name, property: names.count == 1 ? names[0] : nil, rowID: object.rowID)
        error.conflicts = ordinals.map { ordinal in
            let conflict = conflict(ordinal)
            return StoreError.Conflict(
                property: conflict.property, base: conflict.base, mine: conflict.mine, theirs: conflict.theirs)
        }
        return error
    }

    func takeTheirs(_ session: SessionParts) { for ordinal in ordinals { takeTheirs(ordinal, session) } }

    /// If only one side has an embedded value, it is taken as a whole.
    private func takeTheirs(_ ordinal: Int, _ session: SessionParts) {
        guard let block = object.baseline else { return }
        let changesPresence = isInConflict(space.map.presenceOrdinal(of: ordinal), block)
        for ordinal in changesPresence ? space.map.valueOrdinals(around: ordinal) : [ordinal] {
            restore(ordinal, from: block, session)
        }
    }

    private func restore(_ ordinal: Int, from block: Address, _ session: SessionParts) {
        space.map.baseline.restore(ordinal, of: start, from: block) { type, id in
            session.connection.uninterrupted { try? Fetch(session).find(session.space(of: type), id) }
        }
    }

    func resolve(
        _ closure: (ConflictPolicy.Conflict) throws -> ConflictPolicy.Resolution, _ session: SessionParts
    ) throws {
        for ordinal in ordinals {
            if space.map.properties[ordinal].part != nil, let block = object.baseline, !isInConflict(ordinal, block) {
                continue
            }
            switch try closure(conflict(ordinal)) {
            case .mine: break
            case .theirs: takeTheirs(ordinal, session)
            case .value(let value): try ObjectState(object).set(space.map.properties[ordinal].name, to: value)
            }
        }
    }

    /// Undoes the refresh of a refused save, so that the next save checks the changes of other sessions again.
    func undo(_ session: SessionParts) {
        guard let block = object.baseline else { return }
        let theirs = theirs(block)
        var edited = ColumnSet()
        for ordinal in theirs where isInConflict(ordinal, block) {
            edited.insert(ordinal)
            // If both sides created an embedded value, its existence was not seen either.
            edited.insert(space.map.presenceOrdinal(of: ordinal))
        }
        for ordinal in theirs where isStrict || edited.contains(ordinal) {
            base.assign(ordinal, to: block)
            object.freshness = session.memory.conflictEpoch
            if !edited.contains(ordinal) { restore(ordinal, from: block, session) }
        }
    }
}

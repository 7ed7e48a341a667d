// Conflicts: changes of other sessions to the rows of a save, and how both are merged. It reads rows inside the save's
// transaction, and must write nothing.

internal import StoreEngine

// A save must not overwrite changes that its objects have not seen. No other session can write any more when it checks:
// the guarantee of `Connection.begin()`.
extension Save {
    /// Refreshes the objects of a plan that other sessions may have changed, with their edits on top; the remaining
    /// edits are written.
    func rebase(_ plan: inout SavePlan) throws {
        // Changes of other sessions to the rows of a collection are not visible in its owner's row.
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

    /// The same of updates of one class.
    func rebased(_ updates: [RowUpdate], _ space: ClassSpace, _ options: SaveOptions) throws -> [RowUpdate] {
        let stale = updates.filter { $0.object.freshness != memory.epoch }
        let policy = options.conflictPolicy ?? session.conflictPolicy
        var checks = stale.compactMap { ConflictCheck($0.object, space) }
        do {
            try readAgain(stale, space)
            for index in checks.indices { checks[index].find(policy) }
            let conflicts = checks.filter { !$0.places.isEmpty }
            switch policy {
            case .merge, .fail: if let first = conflicts.first { throw first.error }
            case .mine: break
            case .theirs: for check in conflicts { check.takeTheirs(session) }
            case .resolve(let closure): for check in conflicts { try check.resolve(closure, session) }
            }
        } catch {
            // What the user has not seen is still unseen.
            for check in checks { check.undo(session) }
            throw error
        }
        return updates.compactMap { leftToWrite($0, space, options) }
    }

    /// What is left of an update where the database has some of it already.
    private func leftToWrite(_ update: RowUpdate, _ space: ClassSpace, _ options: SaveOptions) -> RowUpdate? {
        let object = update.object
        guard let block = object.baseline else { return nil }
        let start = ObjectMemory.start(of: object)
        var left =
            options.flags.contains(.withoutTimestamps)
            ? space.map.baseline.changes(start, block) : space.map.changesToSave(start, block)
        if let version = space.versionPlace {
            left.remove(version)
            guard !left.isEmpty else { return nil }
            VersionCounts.countUp(object, space.map, version)
            left.insert(version)
        }
        return left.isEmpty ? nil : RowUpdate(object: object, changed: left, space.map)
    }

    private func readAgain(_ updates: [RowUpdate], _ space: ClassSpace) throws {
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
        if let gone = updates.first(where: { $0.object.freshness != memory.epoch }) {
            throw space.located(
                StoreError(
                    .rowGone, "The row was deleted. Nothing was saved. Call copy() to save the values in a new row"),
                rowID: gone.rowID)
        }
    }
}

/// The changes of other sessions to one object since its row was read.
private struct ConflictCheck {
    private let object: PersistentObject
    private let space: ClassSpace
    /// What the row held before.
    private let base: ObjectCopy
    /// What was edited then.
    private let edits: ColumnSet
    /// The properties in conflict.
    private(set) var places: [Int] = []
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

    /// The properties changed elsewhere, in order.
    private func theirs(_ block: Address) -> [Int] {
        let map = space.map
        let changed = map.baseline.slots.indices.filter { place in
            // The other side of a link, and what the store keeps itself, say nothing by themselves.
            !map.links.inverses.contains(place) && place != map.timestamps?.updated?.place
                && !base.isSame(place, as: block)
        }
        if map.embedded.isEmpty { return changed }
        let places = map.withWholeValues(ColumnSet(changed))
        return map.baseline.slots.indices.filter { places.contains($0) }
    }

    private func isInConflict(_ place: Int, _ block: Address) -> Bool {
        space.map.isInConflict(place, edits, start, block)
    }

    mutating func find(_ policy: ConflictPolicy) {
        guard let block = object.baseline else { return }
        let theirs = theirs(block)
        switch policy {
        case .fail: isStrict = true
        case .merge: isStrict = space.versionPlace.map(theirs.contains) ?? false
        case .mine, .theirs, .resolve: break
        }
        places = isStrict ? theirs : theirs.filter { $0 != space.versionPlace && isInConflict($0, block) }
    }

    private func conflict(_ place: Int) -> ConflictPolicy.Conflict {
        let map = space.map
        let theirs = object.baseline.flatMap { map.baseline.baselineValue(place, in: $0) }
        return ConflictPolicy.Conflict(
            className: map.name, id: object.rowID, property: map.properties[place].name,
            base: base.rowValue(place),
            mine: map.properties[place].codec.sendableValue(map.baseline.slots[place].address(in: start)),
            theirs: theirs)
    }

    var error: StoreError {
        let names = places.map { space.map.properties[$0].name }
        var error = StoreError(
            .staleObject,
            "The stored \(names.joined(separator: ", ")) changed after the object was read. Nothing was saved. "
                + "Call reload(), or save with .onConflict(.mine) or .onConflict(.theirs)",
            className: space.map.name, property: names.count == 1 ? names[0] : nil, rowID: object.rowID)
        error.conflicts = places.map { place in
            let conflict = conflict(place)
            return StoreError.Conflict(
                property: conflict.property, base: conflict.base, mine: conflict.mine, theirs: conflict.theirs)
        }
        return error
    }

    func takeTheirs(_ session: Session) { for place in places { takeTheirs(place, session) } }

    /// An embedded value that one side has and the other has not is taken whole.
    private func takeTheirs(_ place: Int, _ session: Session) {
        guard let block = object.baseline else { return }
        let isMadeOrGone = isInConflict(space.map.signPlace(of: place), block)
        for place in isMadeOrGone ? space.map.valuePlaces(around: place) : [place] {
            restore(place, from: block, session)
        }
    }

    private func restore(_ place: Int, from block: Address, _ session: Session) {
        space.map.baseline.restore(place, of: start, from: block) { type, id in
            session.connection.uninterrupted { try? Fetch(session).find(session.space(of: type), id) }
        }
    }

    func resolve(_ closure: (ConflictPolicy.Conflict) throws -> ConflictPolicy.Resolution, _ session: Session) throws {
        for place in places {
            if space.map.properties[place].part != nil, let block = object.baseline, !isInConflict(place, block) {
                continue
            }
            switch try closure(conflict(place)) {
            case .mine: break
            case .theirs: takeTheirs(place, session)
            case .value(let value): try ObjectState(object).set(space.map.properties[place].name, to: value)
            }
        }
    }

    /// The save is refused: changes of other sessions are unseen again, and the next save checks again.
    func undo(_ session: Session) {
        guard let block = object.baseline else { return }
        let theirs = theirs(block)
        var edited = ColumnSet()
        for place in theirs where isInConflict(place, block) {
            edited.insert(place)
            // Two have made a value: that there is one was unseen too.
            edited.insert(space.map.signPlace(of: place))
        }
        for place in theirs where isStrict || edited.contains(place) {
            base.assign(place, to: block)
            object.freshness = session.memory.conflictEpoch
            if !edited.contains(place) { restore(place, from: block, session) }
        }
    }
}

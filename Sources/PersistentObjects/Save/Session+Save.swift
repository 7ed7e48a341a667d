internal import StoreEngine

// Saving computes first what is to be written, writes it in one transaction, and tells the objects only after the
// commit: where anything fails, memory is as the user left it.
extension Session {
    /// Saves objects of any classes, and all new and changed ones that they reach, in one transaction; those without
    /// changes cost no SQL.
    ///
    /// - Parameter isWanted: Asked when nobody else can write any more; where it says no, nothing is saved.
    func saveAll(
        _ objects: [PersistentObject], _ options: SaveOptions = SaveOptions(), if isWanted: (() throws -> Bool)? = nil
    ) throws {
        let work = try prepareSave(options) { objects }
        try withExtendedLifetime((objects, work)) {
            try save(stamping: work.plan) { try save($0, if: isWanted ?? { true }) }
        }
    }

    private struct IsUnwanted: Error {}

    /// Saves one object: the same without lists where it has no links.
    func saveOne(_ object: PersistentObject) throws {
        if let refusal = SavePlan.refusal(object) { throw refusal }
        let space = try self.space(of: object)
        guard space.map.links.isEmpty, space.map.keyPlace == nil, space.map.hooks.isDisjoint(with: .beforeSave) else {
            return try saveAll([object])
        }
        switch object.lifecycle {
        case .new:
            level?.touch(object, space.map)
            let id = try stamping(object, space.map) { try write { try insertOne(object, space) } }
            didInsert(object, id, space)
            noteInserted([object], space.map, SaveOptions())
        case .saved, .deleted, .untracked:
            let changed = space.identity.changes(of: object)
            if !changed.isEmpty { try saveOne(object, changed) }
        }
    }

    /// Writes the changed properties of one object that has no links.
    func saveOne(_ object: PersistentObject, _ changed: ColumnSet) throws {
        let space = try self.space(of: object)
        guard space.map.isUpdatedAlone, !space.map.hasUnique(changed) else { return try saveAll([object]) }
        level?.touch(object, space.map)
        var changed = changed
        try write {
            var updates = [RowUpdate(object: object, changed: changed, space.map)]
            if object.freshness != epoch { updates = try rebased(updates, space, SaveOptions()) }
            changed = updates.first?.changed ?? ColumnSet()
            try update(updates, space)
        }
        guard !changed.isEmpty else { return }
        noteUpdated(object, space.map, changed, SaveOptions())
        didUpdate(object, changed, space)
    }

    /// Saves all objects of the session that have changes, those that have ended among them, what was added, and what
    /// these reach.
    func saveAllChanges(_ options: SaveOptions = SaveOptions()) throws {
        // Where it fails they end again, and so do their edits go back to wait.
        let revived = try objectsOfPendingEdits(options)
        // Hooks change objects that nobody has changed before.
        let work = try prepareSave(options) {
            allIdentities.flatMap { $0.changedObjects() } + added.filter { $0.lifecycle == .new }
        }
        try withExtendedLifetime((revived, work)) { try save(stamping: work.plan) { try save($0) { true } } }
        forgetSavedAdditions()
    }

    private func save(_ plan: SavePlan, if isWanted: () throws -> Bool) throws {
        guard !plan.isEmpty else { return }
        // The first use of a class can write, which the transaction must not have in it.
        if plan.updates.contains(where: { !$0.0.map.links.owningCollections.isEmpty }) { _ = try deletionRules() }
        var plan = plan
        var orphans: Deletion?
        let withNewKeys = plan.inserts.flatMap { space, objects in space.map.giveKeys(to: objects) }
        do {
            do {
                orphans = try write {
                    guard try isWanted() else { throw IsUnwanted() }
                    try rebase(&plan)
                    return try self.write(plan, parksUniqueValues: false)
                }
            } catch let first as StoreError where first.code == .notUnique && plan.canPark {
                // Rows of the plan may have each other's values: these are moved out of the way first.
                do { orphans = try write { try self.write(plan, parksUniqueValues: true) } } catch {
                    // What the second attempt meets besides is no reason to keep the first one's quiet.
                    throw (error as? StoreError)?.code == .notUnique ? error : first
                }
            }
        } catch {
            // New objects have neither ids nor keys of the store's until they are saved.
            for (_, objects) in plan.inserts { for object in objects { object.rowID = 0 } }
            for object in withNewKeys { object.objectKey = nil }
            if error is IsUnwanted { return }
            throw error
        }
        didSave(plan)
        orphans?.finish(self)
    }

    /// A transaction that fails gives them back as they are now.
    func touch(_ plan: SavePlan, _ level: TransactionLevel) {
        for (space, objects) in plan.inserts { for object in objects { level.touch(object, space.map) } }
        for (space, updates) in plan.updates { for update in updates { level.touch(update.object, space.map) } }
    }

    /// Any order would do for references, which are checked at the commit. What leaves goes first: it frees unique
    /// values for what comes.
    private func write(_ plan: SavePlan, parksUniqueValues: Bool) throws -> Deletion? {
        try giveIDs(plan)
        connection.rowLog?.isSilent = plan.options.flags.contains(.silently)
        defer { connection.rowLog?.isSilent = false }
        for (space, updates) in plan.updates where !space.map.links.collections.isEmpty {
            try checkOwners(updates, space)
            for update in updates {
                for place in space.map.links.collections where update.changed.contains(place) {
                    try updateCollection(space, place, of: update.object)
                }
            }
        }
        let orphans = try orphans(plan)
        if let orphans {
            if !plan.options.flags.contains(.withoutHooks) { try callWillDelete(orphans, askedOrphans) }
            try orphans.write(self)
        }
        if parksUniqueValues {
            connection.rowLog?.isPaused = true
            defer { connection.rowLog?.isPaused = false }
            for (space, updates) in plan.updates { try park(updates, space) }
        }
        for (space, objects) in plan.inserts { try insert(objects, space) }
        for (space, updates) in plan.updates {
            try update(updates, space)
            noteOthers(updates, space.map)
        }
        for (space, objects) in plan.inserts {
            for place in space.map.links.collections { try insertCollections(space, place, of: objects) }
        }
        if connection.hasBrokenForeignKeys { throw try brokenReference(in: plan) }
        return orphans
    }

    /// The rows of collections are written into a table of their own: the owner's row is not met on the way.
    private func checkOwners(_ updates: [RowUpdate], _ space: ClassSpace) throws {
        let owners = updates.filter(\.columns.isEmpty).map(\.rowID)
        guard !owners.isEmpty else { return }
        let there = Set(try integers(space.sql.selectIDs, owners))
        if let gone = owners.first(where: { !there.contains($0) }) {
            throw space.located(
                StoreError(.rowGone, "the row is not there any more; somebody deleted it"), rowID: gone)
        }
    }

    /// Gives new objects their ids before they are written, so that they can refer to each other in any order. Nobody
    /// else can insert before the commit.
    private func giveIDs(_ plan: SavePlan) throws {
        var next: [String: Int64] = [:]
        for (space, objects) in plan.inserts {
            let table = space.map.table
            let first = try next[table] ?? reserveIDs(space, plan)
            for (index, object) in objects.enumerated() { object.rowID = first + Int64(index) }
            next[table] = first + Int64(objects.count)
        }
    }

    /// The first id of those for all new rows of a table, which several classes can share.
    private func reserveIDs(_ space: ClassSpace, _ plan: SavePlan) throws -> Int64 {
        let count = plan.inserts.reduce(0) { $0 + ($1.0.map.table == space.map.table ? $1.1.count : 0) }
        do { return try connection.reserveIDs(count, in: space.map.table) } catch { throw space.located(error) }
    }

    /// Moves unique values that are about to change out of the way.
    private func park(_ updates: [RowUpdate], _ space: ClassSpace) throws {
        for update in updates {
            let columns = space.map.uniqueColumns(of: update.columns)
            guard !columns.isEmpty else { continue }
            let statement = try space.updateStatement(columns)
            defer { statement.finish() }
            statement.beginBinding()
            var index: Int32 = 1
            do throws(ValueFault) {
                try columns.forEach { (place) throws(ValueFault) in
                    try statement.bind(space.map.parkedValue(place), at: index)
                    index += 1
                }
                try statement.bind(update.rowID, at: index)
            } catch { throw space.located(error, rowID: update.rowID) }
            do { try statement.run() } catch { throw space.located(error, rowID: update.rowID) }
        }
    }

    /// The numbers that a statement about a list of ids gives.
    func integers(_ sql: SQL, _ ids: [Int64]) throws -> [Int64] {
        let statement = try connection.statement(sql)
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) { try statement.bind(idList(ids), at: 1) } catch { throw StoreError.value(error) }
        var numbers: [Int64] = []
        while try statement.step() { numbers.append(statement.integer(0)) }
        return numbers
    }

    /// Which reference of a plan is to a row that is not there.
    private func brokenReference(in plan: SavePlan) throws -> any Error {
        let written = plan.inserts.map { ($0.0, $0.1) } + plan.updates.map { ($0.0, $0.1.map(\.object)) }
        for (space, objects) in written {
            for place in space.map.links.targets {
                guard let codec = space.map.properties[place].codec as? any LinkCodec else { continue }
                let target = try self.space(of: codec.target)
                for object in objects {
                    let start = ObjectMemory.start(of: object)
                    guard space.map.properties[place].isLoaded(in: start) else { continue }
                    var ids: [Int64] = []
                    codec.forEachTarget(space.map.properties[place].address(in: start)) { ids.append($0.rowID) }
                    guard !ids.isEmpty else { continue }
                    let there = Set(try integers(target.sql.selectIDs, ids))
                    if let gone = ids.first(where: { !there.contains($0) }) {
                        return space.located(
                            StoreError(
                                .brokenReference,
                                "it refers to \(target.map.name) #\(gone), which somebody deleted; set another or nil"),
                            property: place, rowID: object.id)
                    }
                }
            }
        }
        for (space, objects) in plan.inserts {
            let ids = objects.map(\.rowID)
            let there = Set(try integers(space.sql.selectIDs, ids))
            guard let gone = ids.first(where: { !there.contains($0) }) else { continue }
            return space.located(
                StoreError(
                    .constraint,
                    "the row is not there any more after its insert; a trigger of the table \(space.map.table) has "
                        + "deleted it or given it another id, which no trigger may do; drop or mend the trigger"),
                rowID: gone)
        }
        return StoreError(.constraint, "a reference is to a row that is not there")
    }
}

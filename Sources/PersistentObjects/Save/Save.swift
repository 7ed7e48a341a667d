// Save: from objects to rows. `Save.saveOnce` lists the steps in order, and each step is a file of this folder. It uses
// the session's state and the statements of classes, and must not depend on its caller.

internal import StoreEngine

/// A save: plans the rows, writes them in one transaction, and then updates the objects in memory.
///
/// It records its changes in the session's news.
struct Save: SessionVerb {
    let session: SessionParts

    @inline(__always)
    init(_ session: SessionParts) { self.session = session }
}

// If a step fails, memory is as the user left it, because objects are updated only after everything is written.
extension Save {
    /// Saves objects of any classes, and all new and changed objects that they reach, in one transaction. Objects
    /// without changes cost no SQL.
    ///
    /// - Parameter isWanted: Called when no other session can write any more; if it returns false, nothing is saved.
    func saveAll(
        _ objects: [PersistentObject], _ options: SaveOptions = SaveOptions(), if isWanted: (() throws -> Bool)? = nil
    ) throws {
        try withExtendedLifetime(objects) { try saveObjects(options, if: isWanted) { objects } }
    }

    /// Saves all changed objects of the session, the pending edits of released objects, the added objects, and all
    /// objects that these reach.
    func saveAllChanges(_ options: SaveOptions = SaveOptions()) throws {
        // If the save fails, these objects are released again, and their edits become pending again.
        let revived = try Fetch(session).objectsOfPendingEdits(options)
        try withExtendedLifetime(revived) {
            // The roots are determined again after hooks, which can change further objects.
            try saveObjects(options) {
                classes.allIdentities.flatMap { $0.changedObjects() } + memory.added.filter { $0.lifecycle == .new }
            }
        }
        memory.forgetSavedAdditions()
    }

    /// Saves objects and then writes a deletion, in one transaction.
    ///
    /// - Parameter delete: Writes the deletion; receives the plan of the save.
    func save(_ objects: [PersistentObject], deleting delete: (SavePlan) throws -> Deletion) throws {
        try withExtendedLifetime(objects) { try saveObjects(SaveOptions(), deletes: true, delete) { objects } }
    }

    /// Saves objects. If the save would delete objects that unsaved edits moved to other owners, these edits are saved
    /// as well.
    private func saveObjects(
        _ options: SaveOptions, if isWanted: (() throws -> Bool)? = nil, deletes: Bool = false,
        _ delete: (SavePlan) throws -> Deletion? = { _ in nil }, _ roots: () -> [PersistentObject]
    ) throws {
        var movers: [PersistentObject] = []
        while true {
            do {
                return try saveOnce(options, if: isWanted, deletes, delete) { roots() + movers }
            } catch let moves as UnsavedMoves.Needed {
                let known = Set(movers.map { ObjectIdentifier($0) })
                if let object = moves.objects.first(where: { known.contains(ObjectIdentifier($0)) }) {
                    throw StoreError(
                        .misuse,
                        "An unsaved edit of the object moved an object that the save would delete, but the save's "
                            + "options exclude the edit. Nothing was saved. Save it first, or both without the option",
                        className: "\(type(of: object))", rowID: object.id)
                }
                movers += moves.objects
            }
        }
    }

    /// The steps of a save.
    ///
    /// - Parameters:
    ///   - deletes: Whether `delete` writes a deletion.
    ///   - roots: Returns the objects to save; called again after hooks ran.
    private func saveOnce(
        _ options: SaveOptions, if isWanted: (() throws -> Bool)?, _ deletes: Bool,
        _ delete: (SavePlan) throws -> Deletion?, _ roots: () -> [PersistentObject]
    ) throws {
        // 1. Find the objects to save, call hooks, and validate. After hooks, find the objects again.
        let sides = OtherSides(session.level)
        var isDone = false
        defer { if isDone { sides.keep(session) } else { sides.revert() } }
        let work = try prepareSave(options, sides, roots)
        defer { session.writing.notifiedOrphans = NotifiedObjects() }
        // 2. Plan the rows in the best order for writing.
        var plan = work.plan
        guard !plan.isEmpty || deletes else {
            isDone = true
            return
        }
        // 3. Record the objects' state for the enclosing transaction.
        if let level = session.level { touch(plan, level) }
        // 4. Set the values that the store maintains: dates, versions, keys.
        let marks = SaveMarks(&plan)
        do {
            let deletions = try writingAgainParked(&plan) { plan, parksUniqueValues in
                guard try isWanted?() ?? true else { throw IsUnwanted() }
                if plan.hasForeignTables {
                    try connection.deferForeignKeys()
                    try Fetch(session).checkKeys()
                }
                // 5. Merge changes that other sessions wrote in the meantime. From here on no other session can write.
                try rebase(&plan)
                // 6. Assign ids to new objects.
                try giveIDs(plan)
                plan.keepWritten()
                // 7. Write collections and delete orphans first, because this frees unique values for new rows.
                try updateCollections(plan)
                let orphans = try deleteOrphans(&plan)
                let parked = parksUniqueValues ? try park(plan) : nil
                // 8. Write the rows, and the collections of new objects.
                try writeRows(plan, updatesFirst: parksUniqueValues)
                if let parked { try removeFromHistory(parked) }
                try checkAfterTriggers(plan)
                try settleKeyedReferences(plan)
                let deletion = try delete(plan)
                // 9. Check that all references lead to rows. The commit follows.
                if connection.hasBrokenForeignKeys { throw try brokenReference(in: plan) }
                return [orphans, deletion].compactMap(\.self)
            }
            isDone = true
            // 10. Update the objects in memory.
            didSave(plan)
            for deletion in deletions { deletion.finish(session) }
            marks.keep(plan, session)
            if plan.hasForeignTables { didSaveForeignRows(plan) }
        } catch {
            marks.revert()
            guard error is IsUnwanted else { throw error }
        }
        withExtendedLifetime(work) {}
    }

    private struct IsUnwanted: Error {}

    /// Writes a plan in one transaction. If unique values collide, writes it again and first replaces the changing
    /// unique values by temporary values, because rows may exchange their values.
    private func writingAgainParked(
        _ plan: inout SavePlan, _ body: (inout SavePlan, _ parksUniqueValues: Bool) throws -> [Deletion]
    ) throws -> [Deletion] {
        // The first use of a class can write, and these writes must not be part of the transaction.
        if plan.mayDelete { _ = try session.deletionRules() }
        let isSilent = plan.options.flags.contains(.silently)
        func attempt(parksUniqueValues: Bool) throws -> [Deletion] {
            try session.write(together: true) {
                connection.rowLog?.isSilent = isSilent
                defer { connection.rowLog?.isSilent = false }
                return try body(&plan, parksUniqueValues)
            }
        }
        do { return try attempt(parksUniqueValues: false) } catch let first as StoreError
            where first.code == .notUnique && plan.canPark
        {
            do { return try attempt(parksUniqueValues: true) } catch {
                // A conflict of temporary values does not concern the user, so the first error is thrown.
                throw (error as? StoreError)?.code == .constraint ? first : error
            }
        }
    }

    /// Records the objects' state, which the transaction restores if it fails.
    func touch(_ plan: SavePlan, _ level: TransactionLevel) {
        for (space, objects) in plan.inserts { for object in objects { level.willSave(object, space.map) } }
        for (space, updates) in plan.updates { for update in updates { level.willSave(update.object, space.map) } }
    }
}

// Save: from objects to rows. `Save.saveOnce` has the steps in their order, and each is a file of this room. It knows
// the session's state and the statements of classes, and must not know its caller.

internal import StoreEngine

/// A save: computes what is to be written, writes it in one transaction, and tells the objects after it.
///
/// It changes memory only when everything is written, and records what it did in the session's news.
struct Save {
    let session: Session

    @inline(__always)
    init(_ session: Session) { self.session = session }

    @inline(__always)
    var connection: any Connection { session.connection }
    @inline(__always)
    var classes: UsedClasses { session.classes }
    @inline(__always)
    var memory: Memory { session.memory }
    @inline(__always)
    var news: News { session.news }
}

// Saving computes first what is to be written, writes it in one transaction, and tells the objects only after the
// commit: where anything fails, memory is as the user left it.
extension Save {
    /// Saves objects of any classes, and all new and changed ones that they reach, in one transaction; those without
    /// changes cost no SQL.
    ///
    /// - Parameter isWanted: Called when no other session can write any more; if it returns false, nothing is saved.
    func saveAll(
        _ objects: [PersistentObject], _ options: SaveOptions = SaveOptions(), if isWanted: (() throws -> Bool)? = nil
    ) throws {
        try withExtendedLifetime(objects) { try saveObjects(options, if: isWanted) { objects } }
    }

    /// Saves all objects of the session that have changes, those that have ended among them, what was added, and what
    /// these reach.
    func saveAllChanges(_ options: SaveOptions = SaveOptions()) throws {
        // Where it fails they end again, and so do their edits go back to wait.
        let revived = try Fetch(session).objectsOfPendingEdits(options)
        try withExtendedLifetime(revived) {
            // Hooks change objects that were unchanged before.
            try saveObjects(options) {
                classes.allIdentities.flatMap { $0.changedObjects() } + memory.added.filter { $0.lifecycle == .new }
            }
        }
        memory.forgetSavedAdditions()
    }

    /// Saves objects and then deletes others, in one transaction.
    ///
    /// - Parameter delete: Writes a deletion; receives the saved changes.
    func save(_ objects: [PersistentObject], deleting delete: (SavePlan) throws -> Deletion) throws {
        try withExtendedLifetime(objects) { try saveObjects(SaveOptions(), deletes: true, delete) { objects } }
    }

    /// Saves objects; if it deletes what other objects own by unsaved edits, these are saved too.
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
    ///   - roots: The objects to be saved; asked again after hooks were called.
    private func saveOnce(
        _ options: SaveOptions, if isWanted: (() throws -> Bool)?, _ deletes: Bool,
        _ delete: (SavePlan) throws -> Deletion?, _ roots: () -> [PersistentObject]
    ) throws {
        // 1. Find what the objects lead to, call the hooks, validate; after hooks, look again.
        let sides = OtherSides(session.level)
        var isDone = false
        defer { if isDone { sides.keep(session) } else { sides.takeBack() } }
        let work = try prepareSave(options, sides, roots)
        defer { session.writing.askedOrphans = AskedObjects() }
        // 2. Plan what is to be written, in the order in which it is best written.
        var plan = work.plan
        guard !plan.isEmpty || deletes else {
            isDone = true
            return
        }
        // 3. Remember how the objects are, for the transaction around.
        if let level = session.level { touch(plan, level) }
        // 4. Set what the store keeps in them: dates, versions, keys.
        let marks = SaveMarks(&plan)
        do {
            let deletions = try writingAgainParked(&plan) { plan, parksUniqueValues in
                guard try isWanted?() ?? true else { throw IsUnwanted() }
                if plan.hasForeignTables { try connection.deferForeignKeys() }
                // 5. Merge changes that other sessions have written meanwhile. From here on no other session can write.
                try rebase(&plan)
                // 6. Give new objects their ids.
                try giveIDs(plan)
                plan.keepWritten()
                // 7. Write what leaves first: it frees unique values for what comes.
                try updateCollections(plan)
                let orphans = try deleteOrphans(&plan)
                if parksUniqueValues { try park(plan) }
                // 8. Write the rows, and the collections of the new ones.
                try writeRows(plan, updatesFirst: parksUniqueValues)
                try settleKeyedReferences(plan)
                let deletion = try delete(plan)
                // 9. Check that all references lead to rows; then comes the commit.
                if connection.hasBrokenForeignKeys { throw try brokenReference(in: plan) }
                return [orphans, deletion].compactMap(\.self)
            }
            isDone = true
            // 10. Tell the objects that they are saved.
            didSave(plan)
            for deletion in deletions { deletion.finish(session) }
            marks.keep(plan, session)
            if plan.hasForeignTables { didSaveForeignRows(plan) }
        } catch {
            marks.takeBack()
            guard error is IsUnwanted else { throw error }
        }
        withExtendedLifetime(work) {}
    }

    private struct IsUnwanted: Error {}

    /// Writes a plan in a separate transaction, and if its rows have each other's unique values once more, with these
    /// moved out of the way first.
    private func writingAgainParked(
        _ plan: inout SavePlan, _ body: (inout SavePlan, _ parksUniqueValues: Bool) throws -> [Deletion]
    ) throws -> [Deletion] {
        // The first use of a class can write, which the transaction must not have in it.
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
                // Conflicts of the values that were moved out of the way do not concern the user; a real conflict does.
                throw (error as? StoreError)?.code == .constraint ? first : error
            }
        }
    }

    /// A transaction that fails gives them back as they are now.
    func touch(_ plan: SavePlan, _ level: TransactionLevel) {
        for (space, objects) in plan.inserts { for object in objects { level.willSave(object, space.map) } }
        for (space, updates) in plan.updates { for update in updates { level.willSave(update.object, space.map) } }
    }
}

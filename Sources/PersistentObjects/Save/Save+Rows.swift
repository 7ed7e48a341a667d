internal import StoreEngine

// The rows of a save are written class by class. References allow any order, because they are checked at the commit.
extension Save {
    /// Assigns ids to new objects before they are written, so that they can refer to each other in any order.
    /// `Connection.begin()` guarantees that no other session inserts before the commit.
    func giveIDs(_ plan: SavePlan) throws {
        var next: [String: Int64] = [:]
        for (space, objects) in plan.inserts {
            let table = space.map.table
            let first = try next[table] ?? reserveIDs(space, plan)
            // An id that the user assigned is kept.
            var id = first
            for object in objects where object.rowID == 0 || !object.keepsID(space.map) {
                object.rowID = id
                id += 1
            }
            next[table] = id
        }
    }

    /// Reserves ids for all new rows of a table, which several classes can share, and returns the first id.
    private func reserveIDs(_ space: ClassSpace, _ plan: SavePlan) throws -> Int64 {
        let count = plan.inserts.reduce(0) { $0 + ($1.0.map.table == space.map.table ? $1.1.count : 0) }
        let first = try reserveIDs(count, space)
        do { return try plan.id(behindGivenOnesFrom: first, in: space.map.table) } catch { throw space.located(error) }
    }

    /// Reserves ids that no other session receives, and returns the first id.
    func reserveIDs(_ count: Int, _ space: ClassSpace) throws -> Int64 {
        do {
            guard let foreign = space.sql.foreign else { return try connection.reserveIDs(count, in: space.map.table) }
            return try connection.reserveIDs(count, inTableOfOthers: foreign.table, id: foreign.id)
        } catch { throw space.located(error) }
    }

    /// Writes the changes to collections of saved objects.
    func updateCollections(_ plan: SavePlan) throws {
        for (space, updates) in plan.updates where !space.map.links.collections.isEmpty {
            try checkOwners(updates, space)
            for update in updates {
                for ordinal in space.map.links.collections where update.changed.contains(ordinal) {
                    try updateCollection(space, ordinal, of: update.object)
                }
            }
        }
    }

    /// Deletes the objects that no collection or inverse owns any more.
    func deleteOrphans(_ plan: inout SavePlan) throws -> Deletion? {
        guard let orphans = try orphans(plan) else { return nil }
        if !plan.options.flags.contains(.withoutHooks) {
            try Delete(session).callWillDelete(orphans, session.writing.notifiedOrphans)
        }
        try orphans.write(session)
        plan.dropUpdates { space, update in
            orphans.rules.node(of: space.map).map { orphans.contains(update.rowID, $0) } ?? false
        }
        return orphans
    }

    /// Inserts the new objects of a plan, with their collections, and updates the changed objects.
    ///
    /// - Parameter updatesFirst: Whether rows that can leave a unique index are updated before new rows are inserted,
    ///   soft-deleted rows first.
    func writeRows(_ plan: SavePlan, updatesFirst: Bool) throws {
        var batch = WriteBatch()
        let early = updatesFirst ? plan.updates.filter { $0.0.map.hasUniqueIndexOfSome } : []
        for isDeleted in [true, false] {
            for (space, updates) in early {
                let some = updates.filter { space.map.isDeletedSoftly($0.object) == isDeleted }
                if !some.isEmpty { batch.append(.update(ObjectChanges(some, space, session))) }
            }
        }
        for (space, objects) in plan.inserts { batch.append(.insert(ObjectInsertion(objects, space))) }
        for (space, updates) in plan.updates where !early.contains(where: { $0.0 === space }) {
            batch.append(.update(ObjectChanges(updates, space, session)))
        }
        try connection.write(batch)
        for (space, objects) in plan.inserts {
            for ordinal in space.map.links.collections { try insertCollections(space, ordinal, of: objects) }
        }
        try writeFirstSaves(plan)
    }

    /// The entries that temporary values have in the history: those of the tables after one id, up to another one.
    struct ParkedEntries {
        let tables: Set<String>
        let before: Int64
        let last: Int64
    }

    /// Replaces unique values that are about to change by temporary values. Events are sent only when the rows are
    /// written.
    ///
    /// Returns the entries that this writes into the history; nil if there are none.
    func park(_ plan: SavePlan) throws -> ParkedEntries? {
        connection.rowLog?.isPaused = true
        defer { connection.rowLog?.isPaused = false }
        // On a server, the role of the session need not have rights on the history.
        let keepsTemporaryValues = session.dialect.history.statementTriggers != nil
        let tables = keepsTemporaryValues ? [] : Set(plan.updates.filter { $0.0.map.keepsHistory }.map(\.0.map.table))
        let signing = session.writing.historySigning
        let before = try tables.isEmpty ? 0 : signing.lastEntry()
        for (space, updates) in plan.updates { try park(updates, space) }
        return tables.isEmpty ? nil : ParkedEntries(tables: tables, before: before, last: try signing.lastEntry())
    }

    /// Combines the entries of temporary values with the entries of the values that replaced them.
    func removeFromHistory(_ parked: ParkedEntries) throws {
        for table in parked.tables.sorted() {
            for sql in HistoryStatements.joiningParked(in: table, session.dialect) {
                try connection.statement(sql).execute([.integer(parked.before), .integer(parked.last)])
            }
        }
    }

    private func park(_ updates: [RowUpdate], _ space: ClassSpace) throws {
        for update in updates {
            let columns = space.map.uniqueColumns(of: update.columns)
            guard !columns.isEmpty else { continue }
            let statement = try space.updateStatement(columns)
            defer { statement.finish() }
            statement.beginBinding()
            var index: Int32 = 1
            do throws(ValueFault) {
                try columns.forEach { (ordinal) throws(ValueFault) in
                    try statement.bind(space.map.parkedValue(ordinal), at: index)
                    index += 1
                }
                try statement.bind(update.rowID, at: index)
                if space.sql.takesKey(columns) { try space.bindKey(of: update.object, to: statement, at: index + 1) }
            } catch { throw space.located(error, rowID: update.rowID) }
            do { try statement.send() } catch { throw space.located(error, rowID: update.rowID) }
        }
    }
}

// What products above the library write with the rows.
extension Save {
    /// Writes what waits for the first save of objects whose rows were inserted.
    func writeFirstSaves(_ plan: SavePlan) throws {
        guard FirstSaves.areThere else { return }
        for (space, objects) in plan.inserts where space.map.isSynced {
            for object in objects {
                guard let work = FirstSaves.work(of: object) else { continue }
                try work.write(connection, className: String(describing: type(of: object)), id: object.rowID)
                news.afterCommit(isSaving: true) { [weak object] in
                    if let object { FirstSaves.set(nil, of: object) }
                }
            }
        }
    }
}

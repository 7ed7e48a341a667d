internal import StoreEngine

// One object whose class has no links is saved without lists, because this is the most common save.
extension Save {
    /// Saves a new object: without lists if its class has no links, and otherwise with all objects that it reaches.
    func saveNew(_ object: PersistentObject) throws {
        if let refusal = SavePlan.refusal(object) { throw refusal }
        let space = try session.space(of: object)
        guard object.lifecycle == .new, space.map.links.isEmpty, space.map.isSavedAlone,
            space.map.hooks.isDisjoint(with: .beforeSave), space.map.editableInSave.isEmpty, !object.keepsID(space.map),
            !(space.map.isSynced && FirstSaves.areThere)
        else {
            return try saveAll([object])
        }
        session.level?.willSave(object, space.map)
        let id = try stamping(object, space.map) {
            try session.write(together: true) { try insertOne(object, space) }
        }
        didInsert(object, id, space)
        recordArrivals([object], space)
        session.writing.beginRemembering().addInserted(object, space.map)
        news.recordInserts([object], space.map, SaveOptions())
        memory.inverses.didChangeValues(of: space.map)
    }

    /// Saves the edits of one object whose class has no links.
    func saveEdits(_ edits: ColumnSet, of object: PersistentObject) throws {
        let space = try session.space(of: object)
        guard space.map.editableInSave.isEmpty else { return try saveAll([object]) }
        session.level?.willSave(object, space.map)
        var changed = edits
        try session.write(together: true) {
            var updates = [RowUpdate(object: object, changed: changed, space.map)]
            if object.freshness != memory.epoch { updates = try rebased(updates, space, SaveOptions()) }
            changed = updates.first?.changed ?? ColumnSet()
            try update(updates, space)
        }
        guard !changed.isEmpty else { return }
        news.recordUpdate(object, space.map, changed, SaveOptions())
        session.writing.beginRemembering().addUpdated(object, space.map, changed)
        didUpdate(object, changed, space)
        memory.inverses.didChangeValues(of: space.map, changed)
    }

    /// Inserts an object whose id the database assigns, and returns that id.
    func insertOne(_ object: PersistentObject, _ space: ClassSpace) throws -> Int64 {
        let id = try connection.capabilities.contains(.insertedIDs) ? nil : reserveIDs(1, space)
        let statement = try space.insertStatement(withIDs: id != nil)
        defer { statement.finish() }
        statement.beginBinding()
        var index: Int32 = 1
        if let id {
            do throws(ValueFault) { try statement.bind(id, at: index) } catch { throw space.located(error) }
            index += 1
        }
        try ObjectInsertion.bindProperties(of: object, space, to: statement, &index)
        do { try id == nil ? statement.run() : statement.send() } catch {
            // SQLite reports a full disk if the table has no ids left.
            if error.code == .diskFull { _ = try reserveIDs(1, space) }
            throw space.located(error)
        }
        guard id != nil || connection.changedRowCount == 1 else { throw ObjectInsertion.ignored(space) }
        let inserted = id ?? connection.lastInsertedRowID
        if session.classes.lookForTriggers() { try checkInserted([inserted], space) }
        return inserted
    }

    /// Updates the changed columns of rows of one class.
    func update(_ updates: [RowUpdate], _ space: ClassSpace) throws {
        var batch = WriteBatch()
        batch.append(.update(ObjectChanges(updates, space, session)))
        try connection.write(batch)
    }
}

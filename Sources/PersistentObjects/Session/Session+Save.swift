internal import StoreEngine

// Saving computes first what is to be written, writes it in one transaction, and tells the objects only after the
// commit: where anything fails, memory is as the user left it.
extension Session {
    /// Saves objects of any classes in one transaction; those without changes cost no SQL.
    func saveAll(_ objects: [PersistentObject]) throws {
        var work = SaveWork()
        for object in objects { try work.add(object, to: self) }
        guard !work.isEmpty else { return }
        work.putInRowOrder()
        var inserted: [(ClassSpace, [PersistentObject], ids: [Int64])] = []
        try write {
            for (space, objects) in work.inserts {
                inserted.append((space, objects, ids: try insert(objects, space)))
            }
            for (space, updates) in work.updates { try update(updates, space) }
        }
        for (space, objects, ids) in inserted {
            for (object, id) in zip(objects, ids) { didInsert(object, id, space) }
        }
        for (space, updates) in work.updates {
            for update in updates { didUpdate(update.object, update.changed, space) }
        }
    }

    /// Saves one object: the same without lists.
    func saveOne(_ object: PersistentObject) throws {
        switch object.lifecycle {
        case .new:
            let space = try self.space(of: type(of: object))
            let id = try write { try insertOne(object, space) }
            didInsert(object, id, space)
        case .saved:
            let changed = try space(of: type(of: object)).identity.changes(of: object)
            if !changed.isEmpty { try saveOne(object, changed) }
        case .deleted: throw SaveWork.deletedError(object)
        }
    }

    /// Writes the changed properties of one object.
    func saveOne(_ object: PersistentObject, _ changed: ColumnSet) throws {
        let space = try self.space(of: type(of: object))
        try write { try update([RowUpdate(object: object, changed: changed)], space) }
        didUpdate(object, changed, space)
    }

    /// Saves all live objects of the session that have changes; new ones are not known to it.
    func saveAllChanges() throws {
        var changed: [PersistentObject] = []
        for space in allSpaces { changed += space.identity.possiblyChangedObjects() }
        if !changed.isEmpty { try saveAll(changed) }
    }

    private func didInsert(_ object: PersistentObject, _ id: Int64, _ space: ClassSpace) {
        object.freshness = epoch
        func register() -> PersistentObject? {
            let block = space.identity.takeBlock()
            space.map.baseline.capture(ObjectMemory.start(of: object), to: block)
            return space.identity.register(IdentityMap.Arrival(object: object, key: id, block: block))
        }
        // An encode(to:) that fetches its own class can have met the new row before this; the saved object stands
        // for the row, not what was fetched.
        while let intruder = register() { space.identity.remove(intruder) }
    }

    private func didUpdate(_ object: PersistentObject, _ changed: ColumnSet, _ space: ClassSpace) {
        guard let block = object.baseline else { return }
        space.map.baseline.recapture(changed, of: ObjectMemory.start(of: object), in: block)
    }
}

// Rows.
extension Session {
    private func insertOne(_ object: PersistentObject, _ space: ClassSpace) throws -> Int64 {
        let statement = try space.insertStatement(rows: 1, withIDs: false)
        defer { statement.finish() }
        statement.beginBinding()
        var index: Int32 = 1
        try bindProperties(of: object, space, to: statement, &index)
        do { try statement.run() } catch { throw space.located(error) }
        return connection.lastInsertedRowID
    }

    /// Inserts objects in their order, many rows to a statement: 8 save a third of the time, 64 two fifths.
    private func insert(_ objects: [PersistentObject], _ space: ClassSpace) throws -> [Int64] {
        guard objects.count > 1 else { return try objects.map { try insertOne($0, space) } }
        // Nobody else can insert before the commit, so the ids are known beforehand.
        let last = try space.lastID()
        guard Int64.max - last > Int64(objects.count) else {
            throw space.located(StoreError(.sqlite, "all ids up to Int64.max are used"))
        }
        let columnCount = space.map.properties.count + 1
        // Preparing a statement of many rows costs more than it saves where there are few objects.
        var size = objects.count >= 640 ? 64 : objects.count >= 24 ? 8 : 1
        while size > 1 && size * columnCount > 30_000 { size /= 8 }
        var next = 0
        while next < objects.count {
            while objects.count - next < size { size = Swift.max(1, size / 8) }
            next = try insert(objects, from: next, size, after: last, space)
        }
        return (0..<objects.count).map { last + 1 + Int64($0) }
    }

    /// Inserts as many statements of `size` rows as there are objects for; the answer is the first object left.
    private func insert(
        _ objects: [PersistentObject], from first: Int, _ size: Int, after last: Int64, _ space: ClassSpace
    ) throws -> Int {
        let statement = try space.insertStatement(rows: size, withIDs: true)
        defer { statement.finish() }
        var next = first
        while objects.count - next >= size {
            statement.beginBinding()
            var index: Int32 = 1
            for object in objects[next..<next + size] {
                let id = last + 1 + Int64(next)
                do throws(ValueFault) { try statement.bind(id, at: index) } catch { throw space.located(error) }
                index += 1
                try bindProperties(of: object, space, to: statement, &index)
                next += 1
            }
            do { try statement.run() } catch {
                // Which of the rows it was shows where they go in one by one; the transaction ends with the error.
                if size > 1 {
                    _ = try insert(
                        Array(objects[(next - size)..<next]), from: 0, 1, after: last + Int64(next - size), space)
                }
                throw space.located(error)
            }
        }
        return next
    }

    @inline(__always)
    private func bindProperties(
        of object: PersistentObject, _ space: ClassSpace, to statement: SQLiteStatement, _ index: inout Int32
    ) throws {
        var place = 0
        do throws(ValueFault) {
            let start = ObjectMemory.start(of: object)
            for field in space.map.fields {
                try field.bind(start + field.offset, to: statement, at: index)
                index += 1
                place += 1
            }
        } catch { throw space.located(error, property: place, rowID: object.id) }
    }

    private func update(_ updates: [RowUpdate], _ space: ClassSpace) throws {
        var last: (columns: ColumnSet, statement: SQLiteStatement)?
        defer { last?.statement.finish() }
        let fields = space.map.fields
        for update in updates {
            let object = update.object
            let changed = update.changed
            if last?.columns != changed {
                last?.statement.finish()
                last = nil
                last = (changed, try space.updateStatement(changed))
            }
            guard let statement = last?.statement else { continue }
            statement.beginBinding()
            let start = ObjectMemory.start(of: object)
            var index: Int32 = 1
            var current = 0
            do throws(ValueFault) {
                try changed.forEach { (place) throws(ValueFault) in
                    current = place
                    let field = fields[place]
                    try field.bind(start + field.offset, to: statement, at: index)
                    index += 1
                }
                try statement.bind(object.rowID, at: index)
            } catch { throw space.located(error, property: current, rowID: object.rowID) }
            do { try statement.run() } catch { throw space.located(error, rowID: object.rowID) }
            guard connection.changedRowCount > 0 else {
                throw space.located(
                    StoreError(.rowGone, "the row is not there any more; somebody deleted it"), rowID: object.rowID)
            }
        }
    }
}

/// One row to be updated. The caller of the save holds the object, so that 100,000 of these retain nothing.
private struct RowUpdate {
    unowned(unsafe) let object: PersistentObject
    let rowID: Int64
    let changed: ColumnSet

    init(object: PersistentObject, changed: ColumnSet) {
        self.object = object
        rowID = object.rowID
        self.changed = changed
    }
}

/// What a save has to write, in the order in which it is best written.
private struct SaveWork {
    private(set) var inserts: [(ClassSpace, [PersistentObject])] = []
    private(set) var updates: [(ClassSpace, [RowUpdate])] = []
    private var seen: Set<ObjectIdentifier> = []

    var isEmpty: Bool { inserts.isEmpty && updates.isEmpty }

    mutating func add(_ object: PersistentObject, to session: Session) throws {
        switch object.lifecycle {
        case .new:
            // The same new object twice in a list is one row.
            guard seen.insert(ObjectIdentifier(object)).inserted else { return }
            let space = try session.space(of: type(of: object))
            if let place = inserts.lastIndex(where: { $0.0 === space }) {
                inserts[place].1.append(object)
            } else {
                inserts.append((space, [object]))
            }
        case .saved:
            let space = try session.space(of: type(of: object))
            if object.keeper !== space.identity { try session.checkOwns(object) }
            let changed = space.identity.changes(of: object)
            guard !changed.isEmpty else { return }
            if let place = updates.lastIndex(where: { $0.0 === space }) {
                updates[place].1.append(RowUpdate(object: object, changed: changed))
            } else {
                updates.append((space, [RowUpdate(object: object, changed: changed)]))
            }
        case .deleted: throw SaveWork.deletedError(object)
        }
    }

    /// Updates in any other order miss SQLite's page cache.
    mutating func putInRowOrder() {
        for place in updates.indices {
            let isOrdered = zip(updates[place].1, updates[place].1.dropFirst()).allSatisfy { $0.rowID < $1.rowID }
            if !isOrdered { updates[place].1.sort { $0.rowID < $1.rowID } }
        }
    }

    static func deletedError(_ object: PersistentObject) -> StoreError {
        StoreError(
            .objectIsDeleted, "the object was deleted; copy() it to save its values in a new row",
            className: String(describing: type(of: object)), rowID: object.rowID)
    }
}

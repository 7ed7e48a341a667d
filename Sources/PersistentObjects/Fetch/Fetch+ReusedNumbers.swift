internal import StoreEngine

// In an existing table without an integer primary key, SQLite gives the number of a deleted row to a new row, and
// `VACUUM` renumbers the rows. There, an object represents its row only while the row has the key that was read.
extension Fetch {
    /// Makes the object with the id of a statement's row a deleted object if the row has another key.
    ///
    /// - Parameter reportsEdits: Whether unsaved edits of the object are reported as lost.
    func checkKey(_ statement: Statement, _ space: ClassSpace, reportsEdits: Bool) {
        memory.lookForCommits()
        guard let object = space.identity.object(for: statement.integer(0)), !memory.isCurrent(object),
            let block = object.baseline, let identity = object.identityMap
        else { return }
        let row = GraphRow(statement: statement, columns: nil)
        guard space.map.hasOtherKey(block, than: row.column) else { return }
        if reportsEdits { identity.reportLostEdits(space.map.edits(of: object), of: object) }
        session.level?.touch(object, space.map)
        memory.inverses.didChangeValues(of: space.map)
        identity.remove(object)
    }

    /// Makes objects deleted objects if other sessions deleted their rows and used their numbers again.
    func checkKeys(of objects: [PersistentObject], _ space: ClassSpace) throws {
        guard space.reusesNumbers, !objects.isEmpty else { return }
        let statement = try connection.statement(space.text(.selectByIDs))
        defer { statement.finish() }
        statement.beginBinding()
        do {
            try statement.bind(list: objects.map(\.rowID).sorted(), at: 1)
            while try statement.step() { checkKey(statement, space, reportsEdits: false) }
        } catch { throw space.located(error) }
    }

    /// Does the same for the objects to delete, and for all objects without edits. A save checks the edited objects.
    ///
    /// Called in a transaction before objects of existing tables are written, since rows, and references to them, are
    /// written by these numbers.
    func checkKeys(deleting objects: [PersistentObject] = []) throws {
        let identities = classes.allIdentities.filter { $0.classMap.foreign != nil && $0.count > 0 }
        let spaces = try identities.map { try session.space(of: $0.classMap.type) }.filter(\.reusesNumbers)
        guard !spaces.isEmpty else { return }
        try connection.confirmBeginning()
        memory.lookForCommits()
        guard memory.hasUncheckedKeys else { return }
        let deleted = Set(objects.map { ObjectIdentifier($0) })
        var isComplete = true
        for space in spaces {
            let stale = space.identity.liveObjects().filter { !memory.isCurrent($0) }
            let checked = stale.filter {
                deleted.contains(ObjectIdentifier($0)) || space.map.edits(of: $0).isEmpty
            }
            if checked.count < stale.count { isComplete = false }
            try checkKeys(of: checked, space)
        }
        if isComplete { memory.hasUncheckedKeys = false }
    }

    /// Rereads the objects that other classes have for rows whose keys the session has just changed.
    func rereadRenamed(_ ids: [Int64], of space: ClassSpace) {
        guard !ids.isEmpty, classes.areShared([space.map]) else { return }
        let identities = classes.allIdentities.filter {
            $0.classMap.table == space.map.table && $0 !== space.identity
        }
        let objects = identities.flatMap { $0.objects(for: ids).found }
        guard !objects.isEmpty else { return }
        memory.followingNumbers { connection.uninterrupted { try? reread(objects) } }
    }
}

extension ClassMap {
    /// Whether a write of some properties can change the key of the row: directly, or because the database calculates it.
    func setsKey(_ columns: ColumnSet) -> Bool {
        guard let foreign else { return false }
        return foreign.key.contains { columns.contains($0) || foreign.readOnly.contains($0) }
    }

    fileprivate func edits(of object: PersistentObject) -> ColumnSet {
        object.baseline.map { changesToSave(ObjectMemory.start(of: object), $0) } ?? ColumnSet()
    }

    /// Whether a row, given by the columns of its properties, has another key than an object's baseline.
    fileprivate func hasOtherKey(_ block: Address, than column: (Int) -> Cell) -> Bool {
        (foreign?.key ?? []).contains { ordinal in
            guard !properties[ordinal].isLink else {
                return baseline.image(ordinal, in: block).ids.first ?? LinkImage.none
                    != column(ordinal).integer ?? LinkImage.none
            }
            // A value that cannot be read is reported when the row is.
            return (try? baseline.differs(column(ordinal), ordinal, from: block)) ?? false
        }
    }
}

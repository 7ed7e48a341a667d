internal import StoreEngine

extension Session {
    /// Brings an object to the row that a statement stands on; what the user has changed stays.
    func refresh(_ object: PersistentObject, _ space: ClassSpace, _ statement: SQLiteStatement) throws {
        try merge(object, space, statement, keepsEdits: true)
    }

    /// Reads the object's row again and drops all edits.
    func reload(_ object: PersistentObject) throws {
        let space = try self.space(of: type(of: object))
        let statement = try space.rowStatement()
        defer { statement.finish() }
        do {
            try statement.bind(object.rowID, at: 1)
            guard try statement.step() else {
                throw StoreError(.rowGone, "the row is not there any more; somebody deleted it")
            }
        } catch { throw space.located(error, rowID: object.rowID) }
        noteDataVersion()
        try merge(object, space, statement, keepsEdits: false)
    }

    private func merge(
        _ object: PersistentObject, _ space: ClassSpace, _ statement: SQLiteStatement, keepsEdits: Bool
    ) throws {
        guard let block = object.baseline else { return }
        let layout = space.map.baseline
        let start = ObjectMemory.start(of: object)
        var place = 0
        do throws(ValueFault) {
            while place < layout.slots.count {
                try layout.check(statement.column(Int32(place) + 1), place)
                place += 1
            }
            place = 0
            while place < layout.slots.count {
                try layout.merge(
                    statement.column(Int32(place) + 1), place, into: start, block, keepsEdits: keepsEdits)
                place += 1
            }
        } catch { throw space.located(error, property: place, rowID: object.rowID, sql: statement.sql) }
        object.freshness = epoch
    }
}

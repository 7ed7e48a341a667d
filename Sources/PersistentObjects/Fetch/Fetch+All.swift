internal import StoreEngine

extension Fetch {
    /// All objects of a class, by id.
    ///
    /// SQLite spends most of a fetch's time on decoding rows. If almost all objects are in the identity map, only the
    /// ids are read, and rows only for the missing objects. If nothing was written since the ids were read, not even
    /// the ids are read again.
    func fetchAll(_ space: ClassSpace) throws -> [PersistentObject] {
        session.countCall()
        let expected = space.lastRowCount
        let isKept = isPlainTable(space) && !connection.isInTransaction
        if expected >= Fetch.leastKnown, space.identity.count >= expected - expected / 10,
            let known = try fetchKnown(space, keepsTable: isKept)
        {
            return known
        }
        space.hierarchy.whole = nil
        let changes = connection.totalChangedRowCount
        let objects = try fetch(space, try connection.statement(space.text(.selectAll)))
        space.lastRowCount = objects.count
        // User code in an init() may have written meanwhile.
        if isKept, objects.count >= Fetch.leastKnown, connection.totalChangedRowCount == changes {
            keep(WholeTable(at: moment, objects), space)
        }
        return objects
    }

    /// Below this number of rows, reading all of them is fast enough.
    private static let leastKnown = 64

    /// Whether the set of rows in the class's table can be known. A table of several classes and an existing table
    /// would require more than ids. In a transaction, a rollback could undo rows.
    private func isPlainTable(_ space: ClassSpace) -> Bool {
        connection.capabilities.contains(.rowLog) && space.map.isRoot && space.readers.isEmpty
            && space.map.foreign == nil && space.map.softDeleteOrdinal == nil
    }

    private var moment: WholeTable.Moment {
        WholeTable.Moment(
            epoch: memory.epoch, version: memory.knownVersion, changedRowCount: connection.totalChangedRowCount)
    }

    private func keep(_ whole: WholeTable, _ space: ClassSpace) {
        space.hierarchy.whole = whole.isWorthKeeping ? whole : nil
    }

    /// All objects if the set of rows is known and all objects are in memory; must run inside one read state.
    private func fetchUnread(_ space: ClassSpace) throws -> [PersistentObject]? {
        guard var whole = space.hierarchy.whole, isPlainTable(space), whole.isCurrent(at: moment) else { return nil }
        guard whole.isWorthKeeping else {
            space.hierarchy.whole = nil
            return nil
        }
        // Rows that other sessions have written are read again. They are held until they are in the result.
        let rows = whole.written.isEmpty ? [:] : try fetchRows(space, whole.written.sorted())
        whole.settle { rows[$0] != nil }
        space.hierarchy.whole = whole
        space.lastRowCount = whole.count
        return withExtendedLifetime(rows) { space.identity.objects(in: whole, freshness: memory.epoch) }
    }

    /// Nil if many objects have to be read because other sessions changed the database: reading the ids first costs
    /// more then.
    private func fetchKnown(_ space: ClassSpace, keepsTable: Bool) throws -> [PersistentObject]? {
        try session.readTransaction.inOneState {
            let statement = try connection.statement(space.text(.selectAllIDs))
            defer { statement.finish() }
            let before = memory.epoch
            var objects: [PersistentObject?] = []
            var missing: [(place: Int, id: Int64)] = []
            var whole: WholeTable?
            while try step(statement, space) {
                if objects.isEmpty {
                    memory.lookForCommits()
                    if memory.epoch != before { return nil }
                    if let all = try fetchUnread(space) { return all }
                    objects.reserveCapacity(space.lastRowCount)
                    if keepsTable { whole = WholeTable(at: moment) }
                }
                let id = statement.integer(0)
                let found = space.identity.object(for: id)
                if found == nil || found?.freshness != before {
                    missing.append((objects.count, id))
                    if missing.count > space.lastRowCount / 8 { return nil }
                }
                objects.append(found)
                whole?.append(id)
            }
            if !missing.isEmpty {
                let rows = try fetchRows(space, missing.map(\.id))
                for (place, id) in missing { objects[place] = rows[id] }
            }
            space.lastRowCount = objects.count
            if let whole { keep(whole, space) }
            // No row can have been deleted meanwhile, because all statements run in one transaction
            // (`Connection.beginReading()`).
            return objects.compactMap { $0 }
        }
    }
}

extension WholeTable {
    /// The rows of all objects of a class, in the order of their ids.
    fileprivate init(at moment: Moment, _ objects: [PersistentObject]) {
        self.init(at: moment)
        guard let first = objects.first?.rowID, let last = objects.last?.rowID else { return }
        if first <= last, last &- first == objects.count - 1 {
            append(first...last)
        } else {
            for object in objects { append(object.rowID) }
        }
    }
}

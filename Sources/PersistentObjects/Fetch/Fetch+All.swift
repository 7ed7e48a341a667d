internal import StoreEngine

extension Fetch {
    /// All objects of a class, by id.
    ///
    /// SQLite takes most of the time of a fetch for taking rows apart. Where
    /// almost all objects are in the map already, only the ids are read, and
    /// rows only of objects that are missing; where nobody has written since
    /// they were read, not even these.
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
        // Code of the user's may have written meanwhile, in an init().
        if isKept, objects.count >= Fetch.leastKnown, connection.totalChangedRowCount == changes {
            keep(WholeTable(at: moment, objects), space)
        }
        return objects
    }

    /// Fewer rows are read in no time.
    private static let leastKnown = 64

    /// Whether it can be known which rows the table of a class has. In a table of several classes, or one of others, more
    /// than ids would have to be; and in a transaction a rollback could take them back.
    private func isPlainTable(_ space: ClassSpace) -> Bool {
        connection.capabilities.contains(.rowLog) && space.map.isRoot && space.readers.isEmpty
            && space.map.foreign == nil && space.map.softDeletePlace == nil
    }

    private var moment: WholeTable.Moment {
        WholeTable.Moment(
            epoch: memory.epoch, version: memory.knownVersion, changedRowCount: connection.totalChangedRowCount)
    }

    private func keep(_ whole: WholeTable, _ space: ClassSpace) {
        space.hierarchy.whole = whole.isWorthKeeping ? whole : nil
    }

    /// All objects where it is known which rows there are, and all of them are in memory; inside of one state.
    private func fetchUnread(_ space: ClassSpace) throws -> [PersistentObject]? {
        guard var whole = space.hierarchy.whole, isPlainTable(space), whole.isCurrent(at: moment) else { return nil }
        guard whole.isWorthKeeping else {
            space.hierarchy.whole = nil
            return nil
        }
        // What others have written is read again, and stays until it is in the answer.
        let rows = whole.written.isEmpty ? [:] : try fetchRows(space, whole.written.sorted())
        whole.settle { rows[$0] != nil }
        space.hierarchy.whole = whole
        space.lastRowCount = whole.count
        return withExtendedLifetime(rows) { space.identity.objects(in: whole, freshness: memory.epoch) }
    }

    /// Nil where many objects have to be read, since others have changed the database: a list of ids costs more then.
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
            // Nobody can have deleted a row meanwhile, since all is read in one transaction (`Connection.beginReading()`).
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

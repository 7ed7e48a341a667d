internal import StoreEngine

extension Session {
    /// All objects of a class, by id.
    ///
    /// SQLite takes most of the time of a fetch for taking rows apart. Where
    /// almost all objects are in the map already, only the ids are read, and
    /// rows only of objects that are missing.
    func fetchAll(_ space: ClassSpace) throws -> [PersistentObject] {
        countCall()
        let expected = space.lastRowCount
        if expected >= 64, space.identity.count >= expected - expected / 10, let known = try fetchKnown(space) {
            return known
        }
        let objects = try fetch(space, try connection.statement(space.text(.selectAll)))
        space.lastRowCount = objects.count
        return objects
    }

    /// Nil where many objects have to be read, since others have changed the database: a list of ids costs more then.
    private func fetchKnown(_ space: ClassSpace) throws -> [PersistentObject]? {
        try inOneState {
            let statement = try connection.statement(space.text(.selectAllIDs))
            defer { statement.finish() }
            let before = epoch
            var objects: [PersistentObject?] = []
            objects.reserveCapacity(space.lastRowCount)
            var missing: [(place: Int, id: Int64)] = []
            while try step(statement, space) {
                if objects.isEmpty {
                    noteDataVersion()
                    if epoch != before { return nil }
                }
                let id = statement.integer(0)
                let found = space.identity.object(for: id)
                if found == nil || found?.freshness != before {
                    missing.append((objects.count, id))
                    if missing.count > space.lastRowCount / 8 { return nil }
                }
                objects.append(found)
            }
            if !missing.isEmpty {
                let rows = try fetchRows(space, missing.map(\.id))
                for (place, id) in missing { objects[place] = rows[id] }
            }
            space.lastRowCount = objects.count
            // Nobody can have deleted a row meanwhile, since all is read in one transaction (`Connection.beginReading()`).
            return objects.compactMap { $0 }
        }
    }
}

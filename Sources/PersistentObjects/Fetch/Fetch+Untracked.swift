internal import StoreEngine

// Untracked objects: they are in no identity map and have no baselines.
extension Fetch {
    /// Reads untracked objects, and the objects that they refer to, with the session's reader. Each row becomes one
    /// object in a fetch.
    func untracked(_ fetch: (Session) throws -> [PersistentObject]) throws -> [PersistentObject] {
        let reader = session.reader()
        return try reader.enter("") {
            // On every exit, the maps of the reader forget the objects.
            defer { Fetch(reader).detachObjects() }
            let objects = try fetch(reader)
            // Some objects may be referenced only weakly, so the session holds them until its next fetch.
            _ = exchange(&memory.heldTargets, with: reader.memory.heldTargets)
            return objects
        }
    }

    private func detachObjects() {
        memory.dropHeldTargets()
        // These inverses keep their contents for as long as their objects live.
        _ = memory.inverses.held.takeAll()
        for identity in classes.allIdentities where identity.count > 0 {
            for object in identity.liveObjects() { identity.makeUntracked(object) }
        }
    }

    /// Creates the objects of rows of a class without links or subclasses. They are never registered in a map.
    ///
    /// - Parameter wanted: The ids of the rows to read, in the order of the statement; nil for all.
    func readUntracked(
        _ space: ClassSpace, _ statement: Statement, limit: Int, wanted: [Int64]?
    ) throws -> [PersistentObject] {
        defer { statement.finish() }
        let map = space.map
        var objects: [PersistentObject] = []
        var next = 0
        while try objects.count < limit && step(statement, space) {
            let first = statement.firstColumn
            let key = statement.integer(from: first)
            if let wanted {
                while next < wanted.count, wanted[next] < key { next += 1 }
                guard next < wanted.count, wanted[next] == key else { continue }
            }
            let object = try map.newObject()
            var ordinal: Int32 = 0
            do throws(ValueFault) {
                let start = ObjectMemory.start(of: object)
                let columns = statement.columns(from: first, count: map.selectedCount + 1)
                try FieldPlan.read(map.fields[..<map.selectedCount], statement, columns, into: start, &ordinal)
            } catch { throw space.located(error, property: Int(ordinal) - 1, rowID: key, sql: statement.sql) }
            object.rowID = key
            object.lifecycle = .untracked
            objects.append(object)
        }
        return objects
    }
}

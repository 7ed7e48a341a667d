internal import StoreEngine

extension Session {
    /// Deletes the rows of objects of any classes in one transaction; objects that are deleted already are left.
    func deleteAll(_ objects: [PersistentObject]) throws {
        var work: [(ClassSpace, [PersistentObject])] = []
        for object in objects {
            switch object.lifecycle {
            case .new:
                throw StoreError(
                    .misuse, "the object was never saved, so there is no row to delete",
                    className: String(describing: type(of: object)))
            case .deleted: continue
            case .saved: break
            }
            let space = try self.space(of: type(of: object))
            if object.keeper !== space.identity { try checkOwns(object) }
            if let place = work.lastIndex(where: { $0.0 === space }) {
                work[place].1.append(object)
            } else {
                work.append((space, [object]))
            }
        }
        guard !work.isEmpty else { return }
        for place in work.indices { sortByRow(&work[place].1) }
        try write {
            for (space, objects) in work { try deleteRows(objects, space) }
        }
        for (space, objects) in work {
            for object in objects { space.identity.remove(object) }
        }
    }

    /// Deletes all rows of a class; its live objects become deleted ones. The answer is the number of rows.
    func deleteEverything(_ space: ClassSpace) throws -> Int {
        let count = try write {
            let statement = try connection.statement(space.deleteAllText)
            defer { statement.finish() }
            do { try statement.run() } catch { throw space.located(error) }
            return connection.changedRowCount
        }
        for object in space.identity.liveObjects() { space.identity.remove(object) }
        return count
    }

    private func sortByRow(_ objects: inout [PersistentObject]) {
        guard !zip(objects, objects.dropFirst()).allSatisfy({ $0.rowID <= $1.rowID }) else { return }
        objects.sort { $0.rowID < $1.rowID }
    }

    private func deleteRows(_ objects: [PersistentObject], _ space: ClassSpace) throws {
        var next = 0
        while next < objects.count {
            let size = objects.count - next >= 64 ? 64 : 1
            let statement = try space.deleteStatement(rows: size)
            defer { statement.finish() }
            while objects.count - next >= size {
                do {
                    for index in 0..<size { try statement.bind(objects[next + index].rowID, at: Int32(index) + 1) }
                    try statement.run()
                } catch { throw space.located(error, rowID: size == 1 ? objects[next].rowID : nil) }
                next += size
            }
        }
    }

    /// Deletes what a condition finds; live objects among it become deleted ones.
    func delete(_ space: ClassSpace, _ plan: ConditionPlan, bind: (SQLiteStatement) throws -> Void) throws -> Int {
        var ids: [Int64] = []
        try write {
            let select = try connection.statement(plan.ids)
            do {
                defer { select.finish() }
                select.beginBinding()
                try bind(select)
                while try select.step() { ids.append(select.integer(0)) }
            } catch { throw space.located(error) }
            let statement = try space.deleteStatement(rows: 1)
            defer { statement.finish() }
            for id in ids.sorted() {
                do {
                    try statement.bind(id, at: 1)
                    try statement.run()
                } catch { throw space.located(error, rowID: id) }
            }
        }
        for id in ids {
            if let object = space.identity.object(for: id) { space.identity.remove(object) }
        }
        return ids.count
    }

    /// Objects of another session would be written over its edits.
    func checkOwns(_ object: PersistentObject) throws {
        guard let map = object.keeper as? IdentityMap else { return }
        guard map.session === self else {
            throw StoreError(
                .otherSession, "the object belongs to another session; find it in this one by its persistentID",
                className: map.classMap.name, rowID: object.rowID)
        }
    }
}

internal import StoreEngine

extension Delete {
    /// Restores the rows of objects that were soft-deleted, and the rows that their deletions cascaded to.
    func restoreAll(_ objects: [PersistentObject]) throws {
        var ids: [ObjectIdentifier: (space: ClassSpace, ids: [Int64])] = [:]
        for object in objects {
            let space = try session.space(of: object)
            try SoftDeletes.checkRestores(space.map)
            switch object.lifecycle {
            case .saved: try session.checkOwns(object)
            case .untracked: throw StoreError.untracked(object, "so it cannot be restored")
            case .new, .deleted:
                throw StoreError(
                    object.lifecycle == .new ? .misuse : .objectIsDeleted,
                    "There is no row to restore, because the object was "
                        + (object.lifecycle == .new ? "never saved" : "deleted permanently"),
                    className: space.map.name, rowID: object.id)
            }
            ids[ObjectIdentifier(space), default: (space, [])].ids.append(object.rowID)
        }
        for (space, ids) in ids.values { _ = try restore(space) { ids } }
    }

    /// Restores the rows of a class whose ids `find` returns in the transaction; returns the number of deleted rows
    /// among them.
    func restore(_ space: ClassSpace, _ find: () throws -> [Int64]) throws -> Int {
        try SoftDeletes.checkRestores(space.map)
        try space.map.checkWritable("restored")
        let rules = try session.deletionRules()
        guard let node = rules.node(of: space.map), let ordinal = space.map.softDeleteOrdinal else { return 0 }
        let time: SQL = "\(name: space.map.properties[ordinal].column)"
        let isInList = connection.dialect.isInList("?1", .plain)
        let sql: SQL = """
            SELECT "id", \(time) FROM \(name: space.map.table) WHERE "id" \(isInList) AND \(time) IS NOT NULL
            """
        var undone: [SoftDeletion] = []
        var count = 0
        try session.write {
            // The transaction may run again.
            undone = []
            count = 0
            let ids = try find()
            var deleted: [Double: [Int64]] = [:]
            let statement = try connection.statement(sql)
            do {
                defer { statement.finish() }
                statement.beginBinding()
                try statement.bind(list: ids, at: 1)
                while try statement.step() {
                    deleted[statement.column(1).real ?? 0, default: []].append(statement.integer(0))
                }
            } catch { throw space.located(error) }
            for (time, ids) in deleted {
                count += ids.count
                let restoration = SoftDeletion(rules, undoing: time)
                restoration.add(ids, to: node)
                try restoration.findOthers(session)
                try restoration.write(session)
                undone.append(restoration)
            }
        }
        for restoration in undone { restoration.finish(session) }
        return count
    }
}

extension SoftDeletes {
    fileprivate static func checkRestores(_ map: ClassMap) throws {
        guard map.softDeleteOrdinal == nil else { return }
        throw StoreError(
            .misuse, "The class does not use soft deletion, so nothing can be restored. Override class var softDeletes",
            className: map.name)
    }
}

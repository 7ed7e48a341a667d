internal import StoreEngine

// The parts of a save that only existing tables need.
extension SavePlan {
    var hasForeignTables: Bool { maps.contains { $0.foreign != nil } }

    fileprivate var maps: [ClassMap] { inserts.map(\.0.map) + updates.map(\.0.map) }

    /// The first id for new objects without an assigned id: the database's next id, or the id after the assigned ids.
    func id(behindGivenOnesFrom first: Int64, in table: String) throws(StoreError) -> Int64 {
        var first = first
        for (space, objects) in inserts where space.map.takesGivenIDs && space.map.table == table {
            guard let last = objects.lazy.map(\.rowID).max(), last >= first else { continue }
            guard objects.contains(where: { $0.rowID == 0 }) else { continue }
            guard Int64.max - last > Int64(objects.count) else {
                throw StoreError(
                    .misuse,
                    "There are no ids above \(last), the id of one of the new objects. Assign ids to all of them",
                    className: space.map.name)
            }
            first = last + 1
        }
        return first
    }
}

extension Save {
    /// Writes each reference that is stored as a key again if its target's row did not exist when the reference was
    /// written, for example in a reference cycle.
    func settleKeyedReferences(_ plan: SavePlan) throws {
        for (space, objects) in plan.inserts {
            for ordinal in space.sql.keyedOrdinals { try settle(objects, space, ordinal) }
        }
        for (space, updates) in plan.updates {
            for ordinal in space.sql.keyedOrdinals {
                try settle(updates.filter { $0.columns.contains(ordinal) }.map(\.object), space, ordinal)
            }
        }
    }

    /// Does the same for new rows of one class.
    func settleKeyedReferences(of objects: [PersistentObject], _ space: ClassSpace) throws {
        for ordinal in space.sql.keyedOrdinals { try settle(objects, space, ordinal) }
    }

    /// The ids of objects that refer by a key to a row that does not exist.
    func withMissingTargets(_ objects: [PersistentObject], _ space: ClassSpace) throws -> Set<Int64> {
        var found: Set<Int64> = []
        for ordinal in space.sql.keyedOrdinals {
            let property = space.map.properties[ordinal]
            guard let codec = property.codec as? ReferenceCodec else { continue }
            let targets = objects.compactMap { object in
                codec.object(property.address(in: ObjectMemory.start(of: object))).map { (object.rowID, $0.rowID) }
            }
            guard !targets.isEmpty else { continue }
            let there = Set(
                try connection.integers(try session.space(of: codec.target).sql.selectIDs, targets.map(\.1)))
            found.formUnion(targets.filter { !there.contains($0.1) }.map(\.0))
        }
        return found
    }

    private func settle(_ objects: [PersistentObject], _ space: ClassSpace, _ ordinal: Int) throws {
        guard !objects.isEmpty else { return }
        let missing = try misled(objects, space, ordinal)
        guard !missing.isEmpty else { return }
        let statement = try space.updateStatement(ColumnSet([ordinal]))
        defer { statement.finish() }
        for (object, target) in missing {
            statement.beginBinding()
            do {
                try statement.bind(target.rowID, at: 1)
                try statement.bind(object.rowID, at: 2)
                try statement.run()
            } catch { throw space.located(error, property: ordinal, rowID: object.rowID) }
        }
        guard let (object, target) = try misled(missing.map(\.object), space, ordinal).first else { return }
        throw StoreError(
            .brokenReference,
            "The object would refer to \(type(of: target)) #\(target.rowID), whose row does not exist or has no "
                + "key. Nothing was saved. Reload that object, or set another",
            className: space.map.name, property: space.map.properties[ordinal].name, rowID: object.rowID)
    }

    /// The objects whose rows refer to a different row than the objects in memory, with the correct targets.
    private func misled(
        _ objects: [PersistentObject], _ space: ClassSpace, _ ordinal: Int
    ) throws -> [(object: PersistentObject, target: PersistentObject)] {
        let property = space.map.properties[ordinal]
        guard let codec = property.codec as? ReferenceCodec else { return [] }
        var wanted: [Int64: (object: PersistentObject, target: PersistentObject)] = [:]
        for object in objects {
            let start = ObjectMemory.start(of: object)
            guard property.isLoaded(in: start), let target = codec.object(property.address(in: start)) else { continue }
            wanted[object.rowID] = (object, target)
        }
        guard !wanted.isEmpty else { return [] }
        let statement = try connection.statement(space.sql.selectColumn(property.column))
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) { try statement.bind(list: wanted.keys.sorted(), at: 1) } catch {
            throw space.located(error, property: ordinal)
        }
        while try statement.step() {
            let id = statement.integer(0)
            if let target = wanted[id]?.target, target.lifecycle != .deleted, !statement.column(1).isNull,
                statement.integer(1) == target.rowID
            {
                wanted[id] = nil
            }
        }
        return Array(wanted.values)
    }

    /// After the write: rereads properties that the database sets, and marks objects of other classes over the tables
    /// stale.
    func didSaveForeignRows(_ plan: SavePlan) {
        var objects: [PersistentObject] = []
        for (space, new) in plan.inserts where space.map.hasReadOnlyProperties { objects += new }
        for (space, updates) in plan.updates where space.map.hasReadOnlyProperties { objects += updates.map(\.object) }
        memory.markStaleIfShared(plan.maps)
        for object in objects { memory.markStale(object) }
        // Nothing fails here, because the rows are written: if an object cannot be reread now, the next fetch rereads
        // it or throws. The database may have set the keys of the rows, too.
        let fetch = Fetch(session)
        if !objects.isEmpty {
            memory.followingNumbers { connection.uninterrupted { try? fetch.reread(objects, .rebase) } }
        }
        for (space, updates) in plan.updates where space.reusesNumbers {
            fetch.rereadRenamed(updates.filter { space.map.setsKey($0.columns) }.map(\.rowID), of: space)
        }
    }
}

extension ClassMap {
    fileprivate var hasReadOnlyProperties: Bool { foreign?.readOnly.isEmpty == false }
}

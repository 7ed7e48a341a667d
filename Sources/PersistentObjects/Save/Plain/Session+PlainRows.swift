// Plain: writes rows as they are, for products above the library. It handles objects outside the identity map, and must
// not call hooks, validate, or change the identity map.

package import StoreEngine

extension Session {
    /// The largest id of a table so far. In the current transaction all larger ids are free.
    package func lastID(_ space: ClassSpace) throws -> Int64 {
        guard space.map.foreign == nil else { return try Save(self).reserveIDs(1, space) - 1 }
        // Ids that the caller assigns are not taken from the table's sequence.
        do { return try connection.greatestID(in: space.map.table) } catch { throw space.located(error) }
    }

    /// The ids of objects that refer by a key to a row that does not exist.
    package func withMissingTargets(_ objects: [PersistentObject], _ space: ClassSpace) throws -> Set<Int64> {
        try Save(self).withMissingTargets(objects, space)
    }

    /// Inserts new objects of one class, whose `rowID` is set, with their collections.
    ///
    /// - Parameter settlesKeys: Whether references that are stored as keys are checked again, because their targets may
    ///   be inserted with them.
    package func insertRows(of objects: [PersistentObject], _ space: ClassSpace, settlesKeys: Bool) throws {
        guard !objects.isEmpty else { return }
        var batch = WriteBatch()
        batch.append(.insert(ObjectInsertion(objects, space)))
        try connection.write(batch)
        if settlesKeys { try Save(self).settleKeyedReferences(of: objects, space) }
        for ordinal in space.map.links.collections { try Save(self).insertCollections(space, ordinal, of: objects) }
    }

    /// Overwrites some properties of the row with the object's `rowID`.
    package func updateRow(of object: PersistentObject, _ space: ClassSpace, _ ordinals: [Int]) throws {
        let map = space.map
        var columns = ColumnSet()
        for ordinal in ordinals where map.properties[ordinal].hasColumn { columns.insert(ordinal) }
        if let updated = map.timestamps?.updated { columns.insert(updated.ordinal) }
        if !columns.isEmpty { try updateColumns(columns, of: object, space) }
        for ordinal in ordinals where map.properties[ordinal].isCollection {
            let statement = try connection.statement(try space.collectionSQL(ordinal).deleteAll)
            defer { statement.finish() }
            statement.beginBinding()
            do {
                try statement.bind(object.rowID, at: 1)
                try statement.run()
            } catch { throw space.located(error, property: ordinal) }
            try Save(self).insertCollections(space, ordinal, of: [object])
        }
    }

    private func updateColumns(_ columns: ColumnSet, of object: PersistentObject, _ space: ClassSpace) throws {
        let properties = space.map.properties
        let statement = try space.updateStatement(columns)
        defer { statement.finish() }
        statement.beginBinding()
        var index: Int32 = 1
        var bound = 0
        do throws(ValueFault) {
            try columns.forEach { (ordinal) throws(ValueFault) in
                bound = ordinal
                let field = properties[ordinal].address(in: ObjectMemory.start(of: object))
                try properties[ordinal].codec.bind(field, to: statement, at: index)
                index += 1
            }
            try statement.bind(object.rowID, at: index)
            if space.sql.takesKey(columns) { try space.bindKey(of: object, to: statement, at: index + 1) }
        } catch { throw space.located(error, property: bound) }
        do { try statement.run() } catch { throw space.located(error) }
    }
}

// Keys of new objects.
extension ClassMap {
    /// Assigns a key to a new object if its class has keys and the object has no key.
    package func giveKey(to object: PersistentObject) { _ = giveKeys(to: [object]) }
}

extension ObjectState {
    /// The object's key in its stored form. A key is created if the object has no key.
    package func ownKey(_ map: ClassMap) throws -> DatabaseValue {
        guard let ordinal = map.keyOrdinal else { throw StoreError.hasNoKeys(map) }
        map.giveKey(to: object)
        return try map.properties[ordinal].codec.encode(
            map.properties[ordinal].address(in: ObjectMemory.start(of: object)))
    }
}

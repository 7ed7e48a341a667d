internal import StoreEngine

// Fetching objects that have links, or classes that have subclasses. Other classes use the shorter path of
// `Fetch.readObjects`.
extension Fetch {
    /// All objects of a statement's rows, and the objects that they refer to. Finishes the statement.
    func fetchGraph(
        _ space: ClassSpace, _ statement: Statement, limit: Int = .max, wanted: [Int64]? = nil
    ) throws -> [PersistentObject] {
        // Held until the fetch ends, because the fetch may find these targets again.
        let held = memory.heldTargets
        defer { withExtendedLifetime(held) {} }
        memory.heldTargets = []
        let loader = GraphLoader(session)
        let objects: [PersistentObject]
        do {
            // A single statement needs no transaction around it.
            if space.readers.isEmpty, !space.map.links.readsOtherRows {
                objects = try readRows(space, statement, limit: limit, wanted: wanted, loader)
            } else {
                objects = try session.readTransaction.inOneState {
                    let objects = try readRows(space, statement, limit: limit, wanted: wanted, loader)
                    try loader.resolve()
                    memory.notices.checkSurplus(
                        space.map, requested: objects.count, made: loader.madeCount, loader.led)
                    return objects
                }
            }
        } catch {
            statement.finish()
            loader.discard()
            throw error
        }
        loader.callDidLoad()
        return objects
    }

    /// The objects of rows that links refer to.
    ///
    /// - Parameter collection: The collection whose elements are these rows; nil if there is no such collection.
    func readMissing(
        _ space: ClassSpace, _ ids: [Int64], _ loader: GraphLoader,
        elementsOf collection: PendingLinks.Collection? = nil
    ) throws -> [PersistentObject] {
        let rows = RowChoice(ids)
        guard let first = rows.ids.first else { return [] }
        let isOne = rows.ids.count == 1
        if !isOne, rows.range == nil, let collection, connection.dialect.joinsLists, space.sql.isWholeTable {
            return try readElements(space, collection, loader)
        }
        let statement =
            try isOne
            ? space.rowStatement()
            : connection.statement(space.text(rows.range == nil ? .selectByIDs : .selectByRange))
        if !isOne { statement.beginBinding() }
        do throws(ValueFault) {
            if isOne { try statement.bind(first, at: 1) } else { try rows.bind(to: statement) }
        } catch {
            statement.finish()
            throw space.located(error)
        }
        return try readRows(space, statement, limit: .max, wanted: rows.range == nil ? nil : rows.ids, loader)
    }

    /// The objects of some rows, and of the rows that they reach in `depth` steps through a column that refers to the
    /// same table. Nil if a single statement cannot find them.
    func readChain(
        _ space: ClassSpace, _ ids: [Int64], _ column: String, _ depth: Int, _ loader: GraphLoader
    ) throws -> [PersistentObject]? {
        guard let sql = space.sql.selectChain(column, depth: depth) else { return nil }
        let statement = try space.prepared(sql)
        statement.beginBinding()
        do throws(ValueFault) { try statement.bind(list: ids.filter { $0 != LinkImage.none }, at: 1) } catch {
            statement.finish()
            throw space.located(error)
        }
        return try readRows(space, statement, limit: .max, loader)
    }

    /// Creates or finds the objects of a statement's rows and passes their links to the loader.
    ///
    /// - Parameter wanted: The ids of the rows to read, in the order of the statement; nil for all.
    func readRows(
        _ space: ClassSpace, _ statement: Statement, limit: Int, wanted: [Int64]? = nil, _ loader: GraphLoader
    ) throws -> [PersistentObject] {
        let objects: [PersistentObject]
        var late: [LateRow] = []
        if space.readers.isEmpty {
            objects = try readObjects(space, statement, limit: limit, wanted: wanted, loader)
        } else {
            objects = try readFamily(space, statement, limit: limit, wanted: wanted.map { Set($0) }, &late, loader)
        }
        loader.didReadRows()
        return late.isEmpty ? objects : try complete(objects, late, loader)
    }

    /// Creates or finds the objects of rows of one class and its subclasses.
    private func readFamily(
        _ space: ClassSpace, _ statement: Statement, limit: Int, wanted: Set<Int64>?, _ late: inout [LateRow],
        _ loader: GraphLoader
    ) throws -> [PersistentObject] {
        defer { statement.finish() }
        var objects: [PersistentObject] = []
        guard limit > 0, try step(statement, space) else { return [] }
        memory.lookForCommits()
        repeat {
            let key = statement.integer(0)
            guard wanted?.contains(key) ?? true,
                let reader = try reader(of: statement, space, key, &late, at: objects.count)
            else { continue }
            if let found = space.identity.object(for: key) {
                if found.freshness == memory.epoch {
                    loader.addDiedReferences(of: found, reader.map)
                    objects.append(found)
                } else if found.keeper === reader.identity {
                    try merge(found, reader, statement, loader)
                    objects.append(found)
                } else {
                    objects.append(try replace(found, reader, statement, loader))
                }
            } else {
                objects.append(try makeLinkedObject(reader, statement, key, loader))
            }
        } while try objects.count + late.count < limit && step(statement, space)
        return objects
    }

    /// Another object for a row whose class changed, because its id was used again or SQL changed its class.
    ///
    /// The object in memory becomes a deleted object. A rollback of the current transaction restores it.
    private func replace(
        _ object: PersistentObject, _ reader: Reader, _ statement: Statement, _ loader: GraphLoader
    ) throws -> PersistentObject {
        if let identity = object.identityMap {
            session.level?.touch(object, identity.classMap)
            identity.remove(object)
        }
        return try makeLinkedObject(reader, statement, statement.integer(0), loader)
    }

    /// The class, identity map and columns with which a row is read.
    struct Reader {
        let map: ClassMap
        let identity: IdentityMap
        let columns: [Int32]?
    }

    /// A row whose class was unknown when the statement was prepared.
    private struct LateRow {
        /// The number of objects found before it.
        let place: Int
        let id: Int64
        let type: PersistentObject.Type
    }

    /// The reader of a statement's current row; nil for a row of a class that joined the hierarchy later.
    private func reader(
        of statement: Statement, _ space: ClassSpace, _ key: Int64, _ late: inout [LateRow], at place: Int
    ) throws -> Reader? {
        guard !space.readers.isEmpty else { return Reader(map: space.map, identity: space.identity, columns: nil) }
        let name: String
        do throws(ValueFault) { name = try String.read(statement.column(space.sql.classColumn)) } catch {
            throw space.located(error, rowID: key)
        }
        if name == space.map.name { return Reader(map: space.map, identity: space.identity, columns: nil) }
        if let known = space.readers[name] {
            return Reader(map: known.map, identity: known.identity, columns: known.columns)
        }
        guard let type = ClassResolver.subclass(named: name, of: space.map.root) else {
            throw unknownClass(VisibleText.of(name), space, key)
        }
        late.append(LateRow(place: place, id: key, type: type))
        return nil
    }

    private func unknownClass(_ name: String, _ space: ClassSpace, _ key: Int64) -> StoreError {
        let table = space.map.table.replacing("\"", with: "\"\"")
        return StoreError(
            .unknownClass,
            "The row has the class \(name), which this program does not have or cannot find by its name. Nothing "
                + "was changed. Call try store.prepare(\(name).self) first, or try store.prepare with the renamed "
                + "class, whose class var formerNames must contain the former name, or, if an older program "
                + "inserted the row later, rename its class: try session.execute(#\"UPDATE \"\(table)\" SET "
                + "\"class\" = ? WHERE \"class\" = ?\"#, \"NewName\", \"\(name)\")",
            className: space.map.name, rowID: key)
    }

    /// Reads the rows of late classes. A late class must be prepared first, and no statement may run while it is.
    private func complete(
        _ objects: [PersistentObject], _ late: [LateRow], _ loader: GraphLoader
    ) throws -> [PersistentObject] {
        var all: [PersistentObject] = []
        var next = 0
        for row in late {
            all += objects[next..<row.place]
            next = row.place
            all += try readMissing(try session.space(of: row.type), [row.id], loader)
        }
        return all + objects[next...]
    }

    private func makeLinkedObject(
        _ reader: Reader, _ statement: Statement, _ key: Int64, _ loader: GraphLoader
    ) throws -> PersistentObject {
        let map = reader.map
        let identity = reader.identity
        let object = try map.newObject()
        let row = GraphRow(statement: statement, columns: reader.columns)
        let block = identity.takeBlock()
        var ordinal = 0
        do throws(ValueFault) {
            let start = ObjectMemory.start(of: object)
            if statement.givesCells {
                try row.read(map.fields[..<map.selectedCount], statement.cells, into: start, &ordinal)
            } else {
                try row.read(map.fields[..<map.selectedCount], statement.columns, into: start, &ordinal)
            }
            map.baseline.captureNew(start, to: block)
        } catch {
            identity.giveBack(block)
            throw located(error, map, ordinal, key, statement)
        }
        object.freshness = memory.epoch
        session.level?.didRead(key, identity)
        let arrival = IdentityMap.Arrival(object: object, key: key, block: block, identity: identity)
        // The user's init() may have fetched the row.
        if let winner = identity.register(arrival) { return winner }
        do throws(ValueFault) {
            try loader.add(object, block, map, row, nil)
        } catch {
            identity.discard(object)
            throw located(error, map, nil, key, statement)
        }
        return object
    }

    /// Updates an object from a statement's current row.
    ///
    /// - Parameter loader: Receives the object's links; nil for a class without links.
    func merge(
        _ object: PersistentObject, _ reader: Reader, _ statement: Statement, _ loader: GraphLoader?,
        _ rule: EditRule? = nil
    ) throws {
        guard let block = object.baseline else { return }
        let map = reader.map
        session.level?.willMerge(object, map)
        let row = GraphRow(statement: statement, columns: reader.columns)
        let start = ObjectMemory.start(of: object)
        let edits = rule ?? loader?.rule(for: object) ?? .keep
        var hasConflict = false
        var ordinal = 0
        do throws(ValueFault) {
            // An edit is kept if its column is unchanged.
            var changed = ColumnSet()
            while ordinal < map.selectedCount {
                if edits == .drop || !map.baseline.hasStored(row.column(ordinal), ordinal, in: block),
                    case .scalar = map.properties[ordinal].shape
                {
                    try map.baseline.check(row.column(ordinal), ordinal)
                    changed.insert(ordinal)
                }
                ordinal += 1
            }
            if !changed.isEmpty {
                memory.inverses.didChangeValues(of: map, changed)
                if !map.embedded.isEmpty {
                    hasConflict = try OptionalValues(map, row, start, block, edits).merge(&changed, &ordinal)
                }
                ordinal = 0
                while ordinal < map.selectedCount {
                    if changed.contains(ordinal),
                        try map.baseline.merge(row.column(ordinal), ordinal, into: start, block, edits)
                    {
                        hasConflict = true
                    }
                    ordinal += 1
                }
            }
            ordinal = map.selectedCount
            try loader?.add(object, block, map, row, edits)
        } catch { throw located(error, map, ordinal, object.rowID, statement) }
        if loader?.conflicted.remove(ObjectIdentifier(object)) != nil { hasConflict = true }
        object.freshness = hasConflict ? memory.conflictEpoch : memory.epoch
        session.level?.didRead(object.rowID, reader.identity)
    }

    private func located(
        _ fault: ValueFault, _ map: ClassMap, _ ordinal: Int?, _ rowID: Int64, _ statement: Statement
    ) -> StoreError {
        let property = ordinal.flatMap { $0 < map.properties.count ? map.properties[$0].name : nil }
        return StoreError.value(fault).at(className: map.name, property: property, rowID: rowID, sql: statement.sql)
    }
}

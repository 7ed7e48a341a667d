// Fetch: turns rows into objects, each row into one object in memory. It knows statements, the identity maps and how to
// read a column, and must not change any row.

@_spi(Columns) internal import StoreEngine

/// Turns rows into objects: the object that already represents the row, or a new one.
///
/// It reads through the session's connection and changes memory: identity maps, freshness, pending edits.
struct Fetch: SessionVerb {
    let session: SessionParts

    @inline(__always)
    init(_ session: SessionParts) { self.session = session }
}

// The core of the fetch.
extension Fetch {
    /// All objects of the rows that a statement returns. Its arguments are bound; this method finishes it.
    ///
    /// The first column is the id. The properties follow in their order.
    ///
    /// - Parameter wanted: The ids of the rows to read, in the order of the statement; nil for all.
    func fetch(
        _ space: ClassSpace, _ statement: Statement, limit: Int = .max, wanted: [Int64]? = nil
    ) throws -> [PersistentObject] {
        // Unused objects may be released here, and their `deinit` can run any code. The statement is finished by then.
        defer { session.countCall() }
        guard space.map.isReadAlone, space.readers.isEmpty else {
            return try fetchGraph(space, statement, limit: limit, wanted: wanted)
        }
        if session.isReader { return try readUntracked(space, statement, limit: limit, wanted: wanted) }
        let objects = try readObjects(space, statement, limit: limit, wanted: wanted, nil)
        if !memory.pendingEdits.isEmpty { applyPendingEdits(to: objects) }
        return objects
    }

    /// Creates or finds the objects of rows of a single class and passes their links to the loader.
    ///
    /// - Parameter wanted: The ids of the rows to read, in the order of the statement; nil for all.
    @inline(__always)
    func readObjects(
        _ space: ClassSpace, _ statement: Statement, limit: Int, wanted: [Int64]?, _ loader: GraphLoader?
    ) throws -> [PersistentObject] {
        defer { statement.finish() }
        var objects: [PersistentObject] = []
        var arrival: IdentityMap.Arrival?
        let identity = space.identity
        // Not by `map`, which would copy it.
        var scan: GraphScan?
        if let loader { scan = GraphScan(loader, space.map) }
        // Runs after the last object's registration, on every exit.
        defer { scan?.end(objects) }
        // On every exit, a created object must be registered in the map, which owns its baseline.
        defer { if let arrival { withExtendedLifetime(objects) { _ = identity.register(arrival) } } }
        guard limit > 0, try step(statement, space) else { return [] }
        memory.lookForCommits()
        // Most results are small.
        objects.reserveCapacity(Swift.min(limit, 8))
        var place = 0
        repeat {
            let first = statement.firstColumn
            let key = statement.integer(from: first)
            if let wanted {
                while place < wanted.count, wanted[place] < key { place += 1 }
                guard place < wanted.count, wanted[place] == key else { continue }
            }
            let exchange = identity.advance(to: key, registering: arrival)
            arrival = nil
            if let winner = exchange.winner {
                scan?.didLose(in: objects)
                objects[objects.count - 1] = ObjectMemory.takeRetained(winner)
            }
            if let found = exchange.found {
                scan?.willFind(after: objects)
                let isFresh = found.header.freshness == memory.epoch
                objects.append(ObjectMemory.takeRetained(found))
                if !isFresh {
                    try reread(objects[objects.count - 1], space, statement, loader)
                } else if let loader, space.map.links.hasWeakReferences {
                    loader.addDiedReferences(of: objects[objects.count - 1], space.map)
                }
            } else if let block = exchange.block {
                let (object, columns) = try makeObject(space, statement, first, key, block)
                arrival = IdentityMap.Arrival(object: object, key: key, block: block, identity: identity)
                objects.append(consume object)
                if scan != nil {
                    do throws(ValueFault) {
                        try scan?.take(objects[objects.count - 1], block, statement, columns)
                    } catch {
                        throw space.located(error, rowID: key, sql: statement.sql)
                    }
                }
            }
        } while try objects.count < limit && step(statement, space)
        if let last = arrival {
            arrival = nil
            if let winner = identity.register(last) {
                scan?.didLose(in: objects)
                objects[objects.count - 1] = winner
            }
        }
        return objects
    }

    /// The object of a row by its id, from the map without SQL if it is there, otherwise from the database.
    func find(_ space: ClassSpace, _ id: Int64) throws -> PersistentObject? {
        if let found = space.identity.object(for: id) {
            guard let found = try current(found), space.contains(found) else { return nil }
            return session.readTransaction.isOlder(found) ? try fetchRows(space, [id])[id] : found
        }
        return try findInFile(space, id)
    }

    /// The object of a row that is not in the map.
    func findInFile(_ space: ClassSpace, _ id: Int64) throws -> PersistentObject? {
        let statement = try space.rowStatement()
        do throws(ValueFault) { try statement.bind(id, at: 1) } catch {
            statement.finish()
            throw space.located(error)
        }
        memory.notices.countSingleFind(space.map)
        guard space.map.isReadAlone, space.readers.isEmpty else { return try fetchGraph(space, statement).first }
        defer { statement.finish() }
        guard try step(statement, space) else { return nil }
        memory.lookForCommits()
        let block = space.identity.takeBlock()
        let object = try makeObject(space, statement, statement.firstColumn, id, block).object
        let arrival = IdentityMap.Arrival(object: object, key: id, block: block, identity: space.identity)
        let found = space.identity.register(arrival) ?? object
        if !memory.pendingEdits.isEmpty { applyPendingEdits(to: [found]) }
        return found
    }

    /// The objects of rows by their ids, in the order of `ids`. Missing objects are left out.
    func find(_ space: ClassSpace, _ ids: [Int64]) throws -> [PersistentObject] {
        var found: [Int64: PersistentObject] = [:]
        var missing: [Int64] = []
        for id in ids where found[id] == nil {
            if let object = space.identity.object(for: id), !session.readTransaction.isOlder(object) {
                if space.contains(object) { found[id] = object }
            } else {
                missing.append(id)
            }
        }
        if memory.hasExpired {
            try readExpired(found.values)
            found = found.filter { $0.value.lifecycle == .saved }
        }
        if !missing.isEmpty { found.merge(try fetchRows(space, missing)) { _, row in row } }
        return ids.compactMap { found[$0] }
    }

    @inline(__always)
    func step(_ statement: Statement, _ space: ClassSpace) throws -> Bool {
        do throws(StoreError) {
            guard try statement.step() else { return false }
        } catch { throw space.located(error) }
        if space.map.foreign != nil {
            try space.checkID(statement)
            if space.reusesNumbers, !memory.followsNumbers { checkKey(statement, space, reportsEdits: true) }
        }
        return true
    }

    /// A new object with the row's values, and the row's columns; `block` becomes its baseline.
    ///
    /// - Parameter first: The first column of an SQLite row.
    @inline(__always)
    func makeObject(
        _ space: ClassSpace, _ statement: Statement, _ first: ColumnValue?, _ key: Int64, _ block: Address
    ) throws -> (object: PersistentObject, columns: ColumnValues?) {
        let map = space.map
        let object: PersistentObject
        do { object = try map.newObject() } catch {
            space.identity.giveBack(block)
            throw error
        }
        let columns = statement.columns(from: first, count: map.selectedCount + 1)
        var ordinal: Int32 = 0
        do throws(ValueFault) {
            let start = ObjectMemory.start(of: object)
            try FieldPlan.read(map.fields[..<map.selectedCount], statement, columns, into: start, &ordinal)
            map.baseline.captureNew(start, to: block)
        } catch {
            space.identity.giveBack(block)
            throw space.located(error, property: Int(ordinal) - 1, rowID: key, sql: statement.sql)
        }
        object.freshness = memory.epoch
        if let level = session.level { level.didRead(key, space.identity) }
        return (object, columns)
    }
}

// The fetch's services for lower layers: an identity map loads an object's missing parts, and a revert reads the target
// of a reference that is no longer in memory.
extension Session {
    /// Loads a lazy property, a collection or an inverse of an object.
    func load(_ box: LinkBox, of object: PersistentObject, strictly: Bool = false) throws {
        try LinkLoader(self).load(box, of: object, strictly: strictly)
    }

    /// The object of a row, from memory or from the database.
    func find(_ space: ClassSpace, _ id: Int64) throws -> PersistentObject? { try Fetch(self).find(space, id) }
}

internal import StoreEngine

// Objects in memory whose rows are read again: all objects, some stale objects, a single object, and expired objects.
extension Fetch {
    /// Reads the rows of all live objects again. Edits are kept.
    func refreshAll() throws {
        // No object counts as fresh, so each is refreshed when its row is read.
        memory.markAllStale()
        let live = classes.allIdentities.map { (identity: $0, objects: $0.liveObjects()) }
        let held = memory.heldTargets
        defer { withExtendedLifetime((live, held)) {} }
        memory.heldTargets = []
        try read(live)
        try dropEditsOfMissingRows()
    }

    /// Reads the rows of some stale objects again.
    func reread(_ objects: [PersistentObject], _ edits: EditRule = .keep) throws {
        var live: [(identity: IdentityMap, objects: [PersistentObject])] = []
        for object in objects where object.lifecycle == .saved {
            guard let identity = object.identityMap else { continue }
            if let place = live.firstIndex(where: { $0.identity === identity }) {
                live[place].objects.append(object)
            } else {
                live.append((identity, [object]))
            }
        }
        try read(live, edits)
    }

    private func read(
        _ live: [(identity: IdentityMap, objects: [PersistentObject])], _ edits: EditRule = .keep
    ) throws {
        let loader = GraphLoader(session)
        if edits == .rebase { loader.rebased = Set(live.flatMap(\.objects).map { ObjectIdentifier($0) }) }
        do {
            try session.readTransaction.inOneState {
                for (identity, objects) in live where !objects.isEmpty {
                    _ = try readMissing(try session.space(of: identity.classMap.type), objects.map(\.rowID), loader)
                }
                try loader.resolve()
            }
        } catch {
            loader.discard()
            throw error
        }
        loader.callDidLoad()
        for (identity, objects) in live {
            for object in objects where object.lifecycle == .saved && !memory.isCurrent(object) {
                session.level?.touch(object, identity.classMap)
                identity.remove(object)
            }
        }
    }

    /// Updates an object from a statement's current row. Edits are kept. `loader` may be nil for an object without
    /// links.
    func reread(
        _ object: PersistentObject, _ space: ClassSpace, _ statement: Statement, _ loader: GraphLoader?
    ) throws {
        let reader = Reader(map: space.map, identity: space.identity, columns: nil)
        try merge(object, reader, statement, loader)
    }

    /// Reads the object's row again and drops all edits.
    func reload(_ object: PersistentObject) throws {
        let space = try session.space(of: object)
        let loader = GraphLoader(session)
        // A single statement needs no transaction around it.
        func consistently(_ body: () throws -> Void) throws {
            try space.map.links.isEmpty ? body() : session.readTransaction.inOneState(body)
        }
        try consistently {
            let statement = try space.rowStatement()
            defer { statement.finish() }
            do {
                try statement.bind(object.rowID, at: 1)
                guard try step(statement, space), object.lifecycle == .saved else {
                    throw StoreError(.rowGone, "The row was deleted after the object was read")
                }
            } catch { throw space.located(error, rowID: object.rowID) }
            memory.lookForCommits()
            let reader = Reader(map: space.map, identity: space.identity, columns: nil)
            do {
                try merge(object, reader, statement, loader, .drop)
                ObjectMemory.start(of: object).header.isRemembered = false
                statement.finish()
                loader.didReadRows()
                try loader.resolve()
            } catch {
                loader.discard()
                throw error
            }
        }
        loader.callDidLoad()
    }

    /// An object of the map, as a find returns it. If it is expired, its row is read again; nil if the row was deleted.
    func current(_ object: PersistentObject) throws -> PersistentObject? {
        guard memory.hasExpired, memory.takeExpired(object) else { return object }
        try reread([object])
        return object.lifecycle == .saved ? object : nil
    }

    /// Reads expired objects again, with one query for each class.
    func readExpired(_ objects: some Sequence<PersistentObject>) throws {
        guard memory.hasExpired else { return }
        try reread(objects.filter(memory.takeExpired))
    }
}

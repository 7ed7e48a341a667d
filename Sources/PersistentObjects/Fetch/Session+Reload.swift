internal import StoreEngine

extension Session {
    /// Brings an object to the row that a statement stands on; what the user has changed stays. The loader may be nil
    /// for an object without links.
    func refresh(
        _ object: PersistentObject, _ space: ClassSpace, _ statement: Statement, _ loader: GraphLoader?
    ) throws {
        let reader = Reader(map: space.map, identity: space.identity, columns: nil)
        try merge(object, reader, statement, loader)
    }

    /// Reads the object's row again and drops all edits.
    func reload(_ object: PersistentObject) throws {
        let space = try self.space(of: object)
        let loader = GraphLoader(self)
        // One statement alone needs no transaction around it.
        func consistently(_ body: () throws -> Void) throws {
            try space.map.links.isEmpty ? body() : inOneState(body)
        }
        try consistently {
            let statement = try space.rowStatement()
            defer { statement.finish() }
            do {
                try statement.bind(object.rowID, at: 1)
                guard try statement.step() else {
                    throw StoreError(.rowGone, "the row is not there any more; somebody deleted it")
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
}

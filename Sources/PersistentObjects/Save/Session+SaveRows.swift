internal import StoreEngine

// The rows of a save.
extension Session {
    /// Inserts an object whose id the database gives; the answer is that id.
    func insertOne(_ object: PersistentObject, _ space: ClassSpace) throws -> Int64 {
        let statement = try space.insertStatement(rows: 1, withIDs: false)
        defer { statement.finish() }
        statement.beginBinding()
        var index: Int32 = 1
        try ObjectInsertion.bindProperties(of: object, space, to: statement, &index)
        do { try statement.run() } catch { throw space.located(error) }
        return connection.lastInsertedRowID
    }

    /// Updates rows of one class, each in the columns that have changed.
    func update(_ updates: [RowUpdate], _ space: ClassSpace) throws {
        var batch = WriteBatch()
        batch.append(.update(ObjectChanges(updates, space, self)))
        try connection.write(batch)
    }
}

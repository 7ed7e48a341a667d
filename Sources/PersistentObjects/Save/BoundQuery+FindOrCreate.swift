internal import StoreEngine

extension BoundQuery {
    /// The object that a query finds, or a new object, which is saved while no other session can write.
    ///
    /// - Parameter fill: Sets the values of the query on the new object.
    func objectOrNew(
        saves: Bool, _ fill: (PersistentObject) throws -> Void
    ) throws -> PersistentObject {
        if let found = try first() { return found }
        let object = space.map.type.init()
        try fill(object)
        guard saves else { return object }
        var found: PersistentObject?
        func isWanted() throws -> Bool {
            // Another process may have created the object in the meantime.
            found = try rows(limit: 1).first
            return found == nil
        }
        do { try session.writing.saving { try Save(session).saveAll([object], if: isWanted) } } catch let error
            as StoreError
            where error.code == .invalid
        {
            // Validation may have failed because another process created the object, which is then returned.
            found = try first()
            if found == nil { throw error }
        }
        return found ?? object
    }
}

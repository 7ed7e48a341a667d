internal import StoreEngine

extension Ask {
    /// The object that a query finds; if there is none, a new one, created and saved while no other session can write.
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
            // Another process may have been quicker.
            found = try rows(limit: 1).first
            return found == nil
        }
        do { try session.writing.saving { try Save(session).saveAll([object], if: isWanted) } } catch let error
            as StoreError
            where error.code == .invalid
        {
            // The one that was quicker may be what is wrong: its value is taken.
            found = try first()
            if found == nil { throw error }
        }
        return found ?? object
    }
}

internal import StoreEngine

// Queries that read rows again even if their objects are current.
extension BoundQuery {
    /// The objects, refreshed to the current state of their rows.
    func refreshedObjects(_ definition: QueryDefinition, limit: Int?) throws -> [PersistentObject] {
        var plain = definition
        plain.refreshing = nil
        if let limit { plain.limit = Swift.min(plain.limit ?? limit, limit) }
        let query = try BoundQuery(plain, space)
        guard !definition.isUntracked, !session.isReader else { return try query.objects() }
        // `session.enter` is entered again, as `Session.reading(_:)` does. If a reading were the outermost call,
        // `evict` would drop its objects immediately.
        return try session.enter { try session.readTransaction.run(for: session) { try refreshed(query, definition) } }
    }

    private func refreshed(_ query: BoundQuery, _ definition: QueryDefinition) throws -> [PersistentObject] {
        // The known objects are held, because the objects marked stale must still exist when the query returns them.
        let known = space.identity.objects(for: try query.ids()).found
        return try withExtendedLifetime(known) {
            for object in known { session.memory.markStale(object) }
            let objects = try query.objects()
            guard definition.refreshing == .droppingEdits else { return objects }
            for object in objects where ObjectState(object).hasChanges { try Fetch(session).reload(object) }
            return objects
        }
    }
}

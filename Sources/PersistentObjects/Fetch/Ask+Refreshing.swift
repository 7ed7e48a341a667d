internal import StoreEngine

// Queries that read again what is up to date.
extension Ask {
    /// The objects, each as its row is now.
    func refreshedObjects(_ definition: QueryDefinition, limit: Int?) throws -> [PersistentObject] {
        var plain = definition
        plain.refreshing = nil
        if let limit { plain.limit = Swift.min(plain.limit ?? limit, limit) }
        let ask = try Ask(plain, space)
        guard !definition.isUntracked, !session.isReader else { return try ask.objects() }
        // Entered once more, as `Session.reading(_:)` does: if a reading is the only call, `evict` forgets at once.
        return try session.enter { try session.readTransaction.run(for: session) { try refreshed(ask, definition) } }
    }

    private func refreshed(_ ask: Ask, _ definition: QueryDefinition) throws -> [PersistentObject] {
        // Held, so that those that are marked are those that are found.
        let known = space.identity.objects(for: try ask.ids()).found
        return try withExtendedLifetime(known) {
            for object in known { session.memory.markStale(object) }
            let objects = try ask.objects()
            guard definition.refreshing == .droppingEdits else { return objects }
            for object in objects where ObjectState(object).hasChanges { try Fetch(session).reload(object) }
            return objects
        }
    }
}

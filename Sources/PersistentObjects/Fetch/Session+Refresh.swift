internal import StoreEngine
internal import Synchronization

// All objects at once: read again, or forgotten.
extension Session {
    /// Reads all live objects of the session again, each class with one query; edits stay.
    ///
    /// An object whose row is no longer there becomes a deleted one, as if
    /// it had been deleted here: it keeps its values, and `isDeleted` says so.
    ///
    /// ```swift
    /// try session.execute("UPDATE person SET age = age + 1")
    /// try session.refresh()
    /// ```
    ///
    /// - Throws: `StoreError` if a row cannot be read; objects read before
    ///   it are up to date then, the others are at their next query. With the
    ///   code `misuse` while the session is saving.
    public func refresh() throws { try enterToSave(writes: false) { try refreshAll() } }

    /// Forgets all objects of the session; unsaved edits are dropped, and not reported as lost.
    ///
    /// Objects that somebody still holds keep their values and belong to no
    /// session any more: `save()` throws `sessionEnded`, a find by their id
    /// gives another object, and inverses are empty. A long task calls it between its batches.
    ///
    /// - Throws: `StoreError` with the code `misuse` while the session is
    ///   saving.
    public func reset() throws { try enterToSave(writes: false) { try forgetObjects() } }

    func refreshAll() throws {
        // No object is fresh, so each is brought up to date where its row is met.
        memory.markAllStale()
        let live = classes.allIdentities.map { (identity: $0, objects: $0.liveObjects()) }
        let held = memory.heldTargets
        defer { withExtendedLifetime((live, held)) {} }
        memory.heldTargets = []
        try read(live)
        try dropEditsOfMissingRows()
    }

    /// Reads some objects that are stale again.
    func refresh(_ objects: [PersistentObject], _ edits: EditRule = .keep) throws {
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
        let loader = GraphLoader(self)
        if edits == .rebase { loader.rebased = Set(live.flatMap(\.objects).map { ObjectIdentifier($0) }) }
        do {
            try inOneState {
                for (identity, objects) in live where !objects.isEmpty {
                    _ = try readMissing(try space(of: identity.classMap.type), objects.map(\.rowID), loader)
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
                level?.touch(object, identity.classMap)
                identity.remove(object)
            }
        }
    }
}

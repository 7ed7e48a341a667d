@_spi(Locks) internal import StoreEngine
internal import Synchronization

// Finding changes.
extension IdentityMap {
    /// The properties of an object that differ from the database's values.
    @inline(__always)
    func changes(of object: PersistentObject) -> ColumnSet {
        guard let block = object.baseline else { return ColumnSet() }
        return classMap.baseline.changes(ObjectMemory.start(of: object), block)
    }

    /// All live objects, in the order of their rows.
    func liveObjects() -> [PersistentObject] { retained { _ in true } }

    /// The live objects whose inverses or lazy weak references may hold objects.
    func ownersOfHeldLinks() -> [PersistentObject] {
        let offsets = classMap.links.held.compactMap { classMap.properties[$0].boxOffset }
        return retained { start in offsets.contains { ObjectMemory.boxKeepsObjects(at: start + $0) } }
    }

    /// The live objects that may be changed, in the order of their rows: objects whose bits differ from the baseline,
    /// and objects with properties that bits cannot compare.
    func possiblyChangedObjects() -> [PersistentObject] {
        let layout = classMap.baseline
        func isPossiblyChanged(_ start: Address) -> Bool {
            guard let block = start.header.baseline else { return false }
            return !layout.hasSameBits(start, block)
        }
        // Comparing links accesses the objects that they refer to, which only a live object certainly retains.
        guard layout.isComparedByBits else {
            return liveObjects().filter { isPossiblyChanged(ObjectMemory.start(of: $0)) }
        }
        return retained(where: isPossiblyChanged)
    }

    /// The live objects that are changed. For a class without links, they may include unchanged objects, which lead to
    /// no other objects and are checked again.
    func changedObjects() -> [PersistentObject] {
        let objects = possiblyChangedObjects()
        return classMap.baseline.isComparedByBits ? objects : objects.filter { !changes(of: $0).isEmpty }
    }

    /// The live objects at the addresses that `isWanted` accepts. Under the lock only addresses are used, because a
    /// reference released there could be the last, and the object's `deinit` takes the lock.
    private func retained(where isWanted: (Address) -> Bool) -> [PersistentObject] {
        var found: [(Int64, Address)] = []
        let me = Borrowed<ObjectKeeper>(self)
        rows.lock.lock()
        found.reserveCapacity(16)
        rows.table.forEach(size: classMap.baseline.comparedSize, blockSize: classMap.baseline.blockSize) { key, start in
            // A dying object is complete while it has an entry; `retained()` refuses it.
            if start.header.keeper == me, isWanted(start),
                let retained = start.retained()
            {
                found.append((key, retained))
            }
        }
        rows.lock.unlock()
        // Sorted rows make the following writes three times as fast as the order of the hash table.
        found.sort { $0.0 < $1.0 }
        return found.map { ObjectMemory.takeRetained($0.1) }
    }

    /// The violated invariant, for tests; nil if all invariants hold.
    func brokenInvariant() -> String? {
        let objects = liveObjects()
        if let broken = rows.lock.withLock({ rows.table.brokenInvariant() }) { return "\(classMap.name): \(broken)" }
        for object in objects {
            if object.keeper !== self { return "\(classMap.name) #\(object.rowID) does not know its map" }
            if object.baseline == nil { return "\(classMap.name) #\(object.rowID) has no baseline" }
            if object.lifecycle != .saved { return "\(classMap.name) #\(object.rowID) is \(object.lifecycle)" }
            if self.object(for: object.rowID) !== object { return "\(classMap.name) #\(object.rowID) is not found" }
        }
        return nil
    }
}

// The end of an identity map.
extension IdentityMap {
    /// Called when the session forgets its objects, whose edits are then not reported as lost.
    func sessionDidForget() {
        forgotten.store(true, ordering: .relaxed)
        sessionDidEnd()
    }

    /// The reason that its objects have no session any more.
    var endOfSession: String {
        forgotten.load(ordering: .relaxed)
            ? "The session was reset after the object was found"
            : "The object's session has ended"
    }
}

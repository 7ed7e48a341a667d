internal import Synchronization

// Looking for changes.
extension IdentityMap {
    /// The properties of an object that differ from what the database has.
    @inline(__always)
    func changes(of object: PersistentObject) -> ColumnSet {
        guard let block = object.baseline else { return ColumnSet() }
        return classMap.baseline.changes(ObjectMemory.start(of: object), block)
    }

    /// All live objects, in the order of their rows.
    func liveObjects() -> [PersistentObject] { retained { _ in true } }

    /// The live objects that have inverses, or weak references that are lazy, which may keep objects.
    func ownersOfHeldLinks() -> [PersistentObject] {
        let offsets = classMap.links.held.compactMap { classMap.properties[$0].boxOffset }
        return retained { start in offsets.contains { ObjectMemory.boxKeepsObjects(at: start + $0) } }
    }

    /// The live objects that are perhaps changed, in the order of their rows: those whose bits differ from the
    /// baseline, and those that have properties which bits do not tell of.
    func possiblyChangedObjects() -> [PersistentObject] {
        let layout = classMap.baseline
        func isPossiblyChanged(_ start: Address) -> Bool {
            guard let block = start.header.baseline else { return false }
            return !layout.hasSameBits(start, block)
        }
        // Links are followed to what they refer to, which only an object that is alive surely keeps.
        guard layout.isComparedByBits else {
            return liveObjects().filter { isPossiblyChanged(ObjectMemory.start(of: $0)) }
        }
        return retained(where: isPossiblyChanged)
    }

    /// The live objects that are changed, and possibly unchanged objects of a class without links: those lead to no
    /// other objects, and are checked again.
    func changedObjects() -> [PersistentObject] {
        let objects = possiblyChangedObjects()
        return classMap.baseline.isComparedByBits ? objects : objects.filter { !changes(of: $0).isEmpty }
    }

    /// The live objects at the addresses that `isWanted` takes. Under the lock there are addresses only: a reference
    /// taken and dropped there could be the last, and the object's `deinit` wants the lock.
    private func retained(where isWanted: (Address) -> Bool) -> [PersistentObject] {
        var found: [(Int64, Address)] = []
        let me = Borrowed<ObjectKeeper>(self)
        rows.lock.lock()
        found.reserveCapacity(16)
        rows.table.forEach(size: classMap.baseline.comparedSize, blockSize: classMap.baseline.blockSize) { key, start in
            // A dying object is still whole while its entry stands; it is refused here.
            if start.header.keeper == me, isWanted(start),
                let retained = start.retained()
            {
                found.append((key, retained))
            }
        }
        rows.lock.unlock()
        // Rows in order make the writes that follow three times as fast as in the table's order.
        found.sort { $0.0 < $1.0 }
        return found.map { ObjectMemory.takeRetained($0.1) }
    }

    /// Nil where all is right, else what is wrong: for tests.
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

// Its end.
extension IdentityMap {
    /// Called by the session when it forgets its objects; their edits are no loss then.
    func sessionDidForget() {
        forgotten.store(true, ordering: .relaxed)
        sessionDidEnd()
    }

    /// Why its objects have no session any more.
    var endOfSession: String {
        forgotten.load(ordering: .relaxed)
            ? "The session was reset after the object was found"
            : "The object's session has ended"
    }
}

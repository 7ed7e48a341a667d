// Identity: the objects that represent rows, and the unsaved edits of deallocated objects. It must neither read rows
// nor write them.

@_spi(Locks) internal import StoreEngine
internal import Synchronization

/// The objects that represent the rows of one class in one session; each row has at most one object.
///
/// It does not retain the objects. Objects may be released on any thread, so all work is done under a lock, which is
/// held only for table work (M3). The map retains itself while objects refer to it (M5), because they may outlive their
/// session.
final class IdentityMap: ObjectKeeper, @unchecked Sendable {  // changed only under the lock
    let classMap: ClassMap
    // Retained by the class map. Counting references to them would be half the cost of deallocating an object.
    private let baseline: Borrowed<BaselineLayout>
    private let releasePlan: Borrowed<ReleasePlan>
    /// The rows in memory, shared by the classes of a hierarchy, which share a table.
    let rows: RowTable
    private let pool: BlockPool
    /// The number of objects that refer to this map, including dying objects whose entries may have been taken over
    /// (M1), so it is not the number of entries. Used under the lock; atomic so that the runtime need not check it as a
    /// variable.
    private let referrers = Atomic<Int>(0)
    /// The session; nil once it has ended.
    private var owner: Borrowed<Session>?
    /// Whether the session was reset, as opposed to ended.
    let forgotten = Atomic<Bool>(false)
    private let lostEdits: LostEditsSink
    /// The unsaved edits of deallocated objects.
    private let pendingEdits: PendingEdits

    init(_ classMap: ClassMap, _ rows: RowTable, session: Session) {
        self.classMap = classMap
        baseline = Borrowed(classMap.baseline)
        releasePlan = Borrowed(classMap.releasePlan)
        self.rows = rows
        pool = BlockPool(blockSize: classMap.baseline.blockSize)
        owner = Borrowed(session)
        lostEdits = session.store.lostEdits
        pendingEdits = session.pendingEdits
    }

    /// The session; nil if it has ended.
    var session: Session? {
        rows.lock.lock()
        defer { rows.lock.unlock() }
        // Another thread may be ending the session now.
        return owner?.ifAlive()
    }

    /// Called when the session ends.
    func sessionDidEnd() { rows.lock.withLock { owner = nil } }

    /// The number of objects of the class.
    var count: Int { rows.lock.withLock { referrers.load(ordering: .relaxed) } }

    /// The live object of a row, which may be of another class of the hierarchy.
    @inline(__always)
    func object(for key: Int64) -> PersistentObject? { rows.object(for: key) }

    /// The live objects of rows, and the rows without a live object, with the lock taken once.
    func objects(for keys: [Int64]) -> (found: [PersistentObject], missing: [Int64]) {
        var found: [PersistentObject] = []
        var missing: [Int64] = []
        if isEmpty { return (found, keys) }
        found.reserveCapacity(keys.count)
        rows.lock.lock()
        for (index, key) in keys.enumerated() {
            if index &+ 8 < keys.count { rows.table.prefetchObject(for: keys[index &+ 8]) }
            if let object = rows.table.retainedObject(for: key) {
                found.append(ObjectMemory.takeRetained(object))
            } else {
                missing.append(key)
            }
        }
        rows.lock.unlock()
        return (found, missing)
    }

    /// Whether all objects are of exactly the map's class and belong to this map.
    func keepsAll(of objects: [PersistentObject]) -> Bool {
        let keeper = Borrowed<ObjectKeeper>(self)
        return Address.with(objects) { list in
            guard let list else { return true }
            return objects.indices.allSatisfy { index in
                (list + index * MemoryLayout<Address>.stride).load(as: Address.self).header.keeper == keeper
            }
        }
    }

    /// The live objects of rows except the objects for which `isPassed` returns true. It runs under the lock, so it
    /// must only compare bits, and neither follow nor release a reference (M4).
    @inline(__always)
    func objects(for keys: [Int64], unless isPassed: (Address) -> Bool) -> [PersistentObject] {
        var found: [PersistentObject] = []
        rows.lock.lock()
        for key in keys {
            guard let start = rows.table.address(for: key), !isPassed(start), let object = start.retained() else {
                continue
            }
            found.append(ObjectMemory.takeRetained(object))
        }
        rows.lock.unlock()
        return found
    }

    /// The live object of each row, or nil, with the lock taken once.
    func liveObjects(for keys: [Int64]) -> [PersistentObject?] {
        var found: [PersistentObject?] = []
        found.reserveCapacity(keys.count)
        rows.lock.lock()
        for key in keys { found.append(rows.table.retainedObject(for: key).map { ObjectMemory.takeRetained($0) }) }
        rows.lock.unlock()
        return found
    }

    /// The live objects of all rows of a table, in order; nil if an object is missing, is of another class than the
    /// map's, or was not read after all objects became stale.
    func objects(in table: WholeTable, freshness: UInt32) -> [PersistentObject]? {
        var found: [PersistentObject] = []
        found.reserveCapacity(table.count)
        let keeper = Borrowed<ObjectKeeper>(self)
        var isWhole = true
        rows.lock.lock()
        search: for stretch in table.stretches {
            for id in stretch {
                guard let start = rows.table.retainedObject(for: id) else {
                    isWhole = false
                    break search
                }
                found.append(ObjectMemory.takeRetained(start))
                guard start.header.keeper == keeper, start.header.freshness == freshness else {
                    isWhole = false
                    break search
                }
            }
        }
        rows.lock.unlock()
        // Objects released here could take the lock.
        return isWhole ? found : nil
    }

    /// The links that `link(_:_:from:at:)` did not create, by the indices of their objects.
    struct LeftLinks {
        /// Links to rows without a live object.
        var missing: [Int] = []
        /// Links that need a check: to an object of another class than the map's, or in a field that already has an
        /// object.
        var others: [(index: Int, target: PersistentObject)] = []
    }

    /// Assigns the live objects of rows to a field of the same number of objects, with the lock taken once.
    ///
    /// - Parameters:
    ///   - ids: The id of the row for each object, or `LinkImage.none`.
    ///   - first: The index of the first object without the link.
    ///   - offset: The offset of the field, which is an optional strong reference.
    func link(_ objects: [PersistentObject], _ ids: [Int64], from first: Int, at offset: Int) -> LeftLinks {
        var left = LeftLinks()
        guard first < ids.count else { return left }
        var others: [(Int, Address)] = []
        let keeper = Borrowed<ObjectKeeper>(self)
        Address.with(objects) { list in
            guard let list else { return }
            rows.lock.lock()
            defer { rows.lock.unlock() }
            for index in first..<ids.count where ids[index] != LinkImage.none {
                let id = ids[index]
                guard let target = rows.table.retainedObject(for: id) else {
                    left.missing.append(index)
                    continue
                }
                // By address, because a release here could take the lock.
                let start = (list + index * MemoryLayout<Address>.stride).load(as: Address.self)
                let field = start + offset
                if target.header.keeper == keeper, field.load(as: Address?.self) == nil {
                    // The field takes the reference over.
                    field.storeBytes(of: target, as: Address?.self)
                } else {
                    others.append((index, target))
                }
            }
        }
        left.others = others.map { ($0, ObjectMemory.takeRetained($1)) }
        return left
    }

    /// Whether no row of the hierarchy is in memory.
    var isEmpty: Bool { rows.lock.withLock { rows.table.count == 0 } }

    override func load(_ box: LinkBox, of object: PersistentObject, onAccess isAccess: Bool) throws {
        guard let session else {
            throw StoreError(
                .sessionEnded, "\(endOfSession), so the property cannot be loaded",
                className: classMap.name, property: classMap.properties[Int(box.ordinal)].name, rowID: object.rowID)
        }
        let name = classMap.properties[Int(box.ordinal)].name
        try session.enter("", of: classMap.type, named: name) {
            try session.load(box, of: object, strictly: isAccess && session.loadsStrictly)
        }
    }

    override func didChange(_ ordinal: Int, of object: PersistentObject) {
        guard let session else {
            // No session collects the change, which is a revert or an assignment by name.
            return ObservedChanges.report(ordinal, of: object, classMap)
        }
        session.didChange(ordinal, of: object, classMap)
    }

    override func objectWillEnd(_ object: PersistentObject) -> Bool {
        let start = ObjectMemory.start(of: object)
        var isLast = false
        if let block = object.baseline {
            var edit: PendingEdit?
            if lostEdits.isListening, !baseline.with({ $0.hasSameBits(start, block) }) {
                edit = takeEdits(object, start, block)
            }
            // From here on, other threads read only bits of the block, under the lock. Releasing the values leaves the
            // bits unchanged.
            baseline.with { $0.destroy(block) }
            rows.lock.lock()
            rows.table.remove(start, for: object.rowID)
            pool.put(block)
            isLast = countReferrers(-1) == 0
            // In the same critical section, so that no thread finds the row without its object and without its edits.
            if let waiting = edit, pendingEdits.file(waiting) { edit = nil }
            rows.lock.unlock()
            if let edit { lostEdits.report(LostEdits(edit)) }
        }
        releasePlan.with { $0.moveReferences(outOf: start) }
        return isLast
    }
}

// Registration of objects.
extension IdentityMap {
    /// An object that was created for a row and is not registered yet; its creator holds it until then.
    struct Arrival {
        fileprivate let start: Address
        fileprivate let key: Int64
        fileprivate let block: Address
        /// The identity map of the object's class, which the session retains.
        fileprivate let identity: Borrowed<IdentityMap>

        init(object: PersistentObject, key: Int64, block: Address, identity: IdentityMap) {
            start = ObjectMemory.start(of: object)
            self.key = key
            self.block = block
            self.identity = Borrowed(identity)
        }
    }

    /// The results of one step of a fetch. Objects are addresses with a reference that the receiver takes over
    /// (`ObjectMemory.takeRetained`).
    struct Exchange {
        /// The object that already represents the arrival's row, if another object was registered in the meantime.
        let winner: Address?
        /// The live object of the next row.
        let found: Address?
        /// Memory for the next row's baseline, if there is no live object.
        let block: Address?
    }

    /// Registers the object of the previous row and looks up the next row, with the lock taken once.
    @inline(__always)
    func advance(to key: Int64, registering arrival: Arrival?) -> Exchange {
        rows.lock.lock()
        var winner: Address?
        if let arrival { winner = insert(arrival) }
        let found = rows.table.retainedObject(for: key)
        let block = found == nil ? pool.take() : nil
        rows.lock.unlock()
        if let arrival, winner != nil { dropBaseline(of: arrival) }
        return Exchange(winner: winner, found: found, block: block)
    }

    /// Registers an object, unless another object already represents the row; returns that object (M1).
    @discardableResult
    func register(_ arrival: Arrival) -> PersistentObject? {
        rows.lock.lock()
        let winner = insert(arrival)
        rows.lock.unlock()
        guard let winner else { return nil }
        dropBaseline(of: arrival)
        return ObjectMemory.takeRetained(winner)
    }

    /// Memory for a baseline.
    func takeBlock() -> Address { rows.lock.withLock { pool.take() } }

    /// Returns memory in which no baseline was created.
    func giveBack(_ block: Address) { rows.lock.withLock { pool.put(block) } }

    /// Changes the number of referrers, under the lock; returns the new number.
    @inline(__always)
    private func countReferrers(_ difference: Int) -> Int {
        let count = referrers.load(ordering: .relaxed) + difference
        referrers.store(count, ordering: .relaxed)
        return count
    }

    /// Registers an object, under the lock, unless another object represents the row; returns that object, retained.
    @inline(__always)
    private func insert(_ arrival: Arrival) -> Address? {
        if let other = rows.table.retainedObject(for: arrival.key) { return other }
        let isFirst = arrival.identity.with { $0.countReferrers(1) == 1 }
        if isFirst { arrival.identity.retain() }
        rows.table.insert(arrival.start, for: arrival.key)
        arrival.start.header.rowID = arrival.key
        arrival.start.header.keeper = arrival.identity.cast(to: ObjectKeeper.self)
        arrival.start.header.baseline = arrival.block
        arrival.start.header.lifecycle = .saved
        return nil
    }

    /// Destroys the baseline of an object that was not registered. Called without the lock.
    private func dropBaseline(of loser: Arrival) {
        loser.identity.with { identity in
            identity.classMap.baseline.destroy(loser.block)
            identity.giveBack(loser.block)
        }
    }
}

// Removal of objects.
extension IdentityMap {
    /// Removes a deleted object, which stays in memory.
    func remove(_ object: PersistentObject) {
        rows.departed?.record(object, of: classMap.table)
        take(object, out: .deleted)
    }

    /// Removes an object whose row could not be read completely, as if it had never been fetched.
    func discard(_ object: PersistentObject) {
        take(object, out: .new)
        object.rowID = 0
    }

    /// Removes an object, which becomes read-only.
    func makeUntracked(_ object: PersistentObject) { take(object, out: .untracked) }

    private func take(_ object: PersistentObject, out lifecycle: Lifecycle) {
        guard let block = object.baseline else { return }
        if !classMap.links.held.isEmpty { leaveHeldLinks(of: object, lifecycle) }
        // `release` below may release the last reference to this map.
        withExtendedLifetime(self) {
            classMap.baseline.destroy(block)
            rows.lock.lock()
            rows.table.remove(ObjectMemory.start(of: object), for: object.rowID)
            pool.put(block)
            object.keeper = nil
            object.baseline = nil
            object.lifecycle = lifecycle
            let isLast = countReferrers(-1) == 0
            rows.lock.unlock()
            if isLast { Borrowed(self).release() }
        }
    }

    /// Whether edits that are lost with their objects must be reported.
    var reportsLostEdits: Bool { lostEdits.isListening && !forgotten.load(ordering: .relaxed) }

    /// Reports edits that an object loses although it stays in memory.
    func reportLostEdits(_ ordinals: ColumnSet, of object: PersistentObject) {
        guard !ordinals.isEmpty, let block = object.baseline else { return }
        let changes = classMap.propertyChanges(ordinals, of: ObjectMemory.start(of: object), block)
        lostEdits.report(LostEdits(className: classMap.name, id: object.rowID, changes: changes))
    }

    /// The edits of an object that is being deallocated, if the session keeps them; otherwise reports them as lost.
    ///
    /// Values are copied, because the object itself must not be passed to other code (M6).
    private func takeEdits(
        _ object: PersistentObject, _ start: Address, _ block: Address
    ) -> PendingEdit? {
        guard !forgotten.load(ordering: .relaxed), !classMap.changesToSave(start, block).isEmpty else { return nil }
        let edit = PendingEdit(of: start, object.rowID, block, classMap, classMap.baseline.changes(start, block))
        guard lostEdits.keepsEdits else {
            lostEdits.report(LostEdits(edit))
            return nil
        }
        return edit
    }
}

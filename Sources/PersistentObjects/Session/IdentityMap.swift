internal import CSQLite
internal import StoreEngine
internal import Synchronization

/// Which object stands for which row of one class in one session: each row is in memory once.
///
/// It refers to objects without keeping them. Objects may be released on any
/// thread, so everything is done under a lock, which is held for table work
/// only (M3). The map keeps itself alive while objects refer to it (M5): they
/// may outlive their session.
final class IdentityMap: ObjectKeeper, @unchecked Sendable {  // all that changes is reached under the lock
    let classMap: ClassMap
    private let lock = Lock()
    private let table = IdentityTable()
    private let pool: BaselinePool
    /// How many objects refer to this map: dying ones too, whose entries others may have taken over (M1), so it is
    /// not the number of entries. Used under the lock; atomic so that the run time need not watch it as a variable.
    private let referrers = Atomic<Int>(0)
    /// The session, unretained; nil once it has ended.
    private unowned(unsafe) var owner: Session?
    private let lostEdits: LostEditsSink

    init(_ classMap: ClassMap, session: Session, lostEdits: LostEditsSink) {
        self.classMap = classMap
        pool = BaselinePool(blockSize: classMap.baseline.blockSize)
        owner = session
        self.lostEdits = lostEdits
    }

    /// The session, nil when it has ended.
    var session: Session? {
        lock.lock()
        defer { lock.unlock() }
        guard let owner else { return nil }
        // The session may be ending on another thread at this moment.
        guard po_try_retain(Unmanaged.passUnretained(owner).toOpaque()) != nil else { return nil }
        return Unmanaged.passUnretained(owner).takeRetainedValue()
    }

    /// Called by the session when it ends.
    func sessionDidEnd() { lock.withLock { owner = nil } }

    /// How many objects are registered.
    var count: Int { lock.withLock { table.count } }

    /// The live object of a row.
    @inline(__always)
    func object(for key: Int64) -> PersistentObject? {
        lock.lock()
        let found = table.retainedObject(for: key)
        lock.unlock()
        return found.map { ObjectMemory.takeRetained($0) }
    }

    override func objectWillEnd(_ object: PersistentObject) {
        let start = ObjectMemory.start(of: object)
        let plan = classMap.releasePlan
        if let block = object.baseline {
            if lostEdits.isListening { reportLostEdits(object, start, block) }
            // Only bits of the block are read by others from here on, under the lock, and releasing leaves the bits.
            classMap.baseline.destroy(block)
            lock.lock()
            table.remove(start, for: object.rowID)
            pool.put(block)
            let isLast = countReferrers(-1) == 0
            lock.unlock()
            if isLast { Unmanaged.passUnretained(self).release() }
        }
        plan.moveReferences(outOf: start)
    }
}

// Rows coming in.
extension IdentityMap {
    /// An object that was made for a row and waits to be registered.
    struct Arrival {
        let object: PersistentObject
        let key: Int64
        let block: UnsafeMutableRawPointer
    }

    /// What one step of a fetch learns. Objects are addresses with a reference that the receiver takes over
    /// (`ObjectMemory.takeRetained`).
    struct Exchange {
        /// The object that stands for the arrival's row already, if another was registered meanwhile.
        let winner: UnsafeMutableRawPointer?
        /// The live object of the next row.
        let found: UnsafeMutableRawPointer?
        /// Memory for the next row's baseline, where there is no live object.
        let block: UnsafeMutableRawPointer?
    }

    /// Registers the object of the row before and looks the next row up, in one hold of the lock.
    @inline(__always)
    func exchange(_ arrival: Arrival?, for key: Int64) -> Exchange {
        lock.lock()
        var winner: UnsafeMutableRawPointer?
        if let arrival { winner = insert(arrival) }
        let found = table.retainedObject(for: key)
        let block = found == nil ? pool.take() : nil
        lock.unlock()
        if let arrival, winner != nil { dropBaseline(of: arrival) }
        return Exchange(winner: winner, found: found, block: block)
    }

    /// Registers an object; the answer is the one that stands for the row already, if there is one (M1).
    @discardableResult
    func register(_ arrival: Arrival) -> PersistentObject? {
        lock.lock()
        let winner = insert(arrival)
        lock.unlock()
        guard let winner else { return nil }
        dropBaseline(of: arrival)
        return ObjectMemory.takeRetained(winner)
    }

    /// Memory for a baseline.
    func takeBlock() -> UnsafeMutableRawPointer { lock.withLock { pool.take() } }

    /// Memory that no baseline was made in.
    func giveBack(_ block: UnsafeMutableRawPointer) { lock.withLock { pool.put(block) } }

    /// Under the lock. The answer is how many there are now.
    @inline(__always)
    private func countReferrers(_ difference: Int) -> Int {
        let count = referrers.load(ordering: .relaxed) + difference
        referrers.store(count, ordering: .relaxed)
        return count
    }

    /// Under the lock. The answer is retained.
    @inline(__always)
    private func insert(_ arrival: Arrival) -> UnsafeMutableRawPointer? {
        if let other = table.retainedObject(for: arrival.key) { return other }
        if countReferrers(1) == 1 { _ = Unmanaged.passRetained(self) }
        let start = ObjectMemory.start(of: arrival.object)
        table.insert(start, for: arrival.key)
        let header = ObjectMemory.header(at: start)
        header.pointee.rowID = arrival.key
        header.pointee.keeper = Unmanaged.passUnretained(self)
        header.pointee.baseline = arrival.block
        header.pointee.lifecycle = .saved
        return nil
    }

    /// After the unlock, for an object that lost to another of its row; the object is dropped by whoever has it.
    private func dropBaseline(of loser: Arrival) {
        classMap.baseline.destroy(loser.block)
        giveBack(loser.block)
    }
}

// Objects going out.
extension IdentityMap {
    /// Takes an object out, which goes on living as a deleted one.
    func remove(_ object: PersistentObject) {
        guard let block = object.baseline else { return }
        // `release` below may be of the last reference to this map.
        withExtendedLifetime(self) {
            classMap.baseline.destroy(block)
            lock.lock()
            table.remove(ObjectMemory.start(of: object), for: object.rowID)
            pool.put(block)
            object.keeper = nil
            object.baseline = nil
            object.lifecycle = .deleted
            let isLast = countReferrers(-1) == 0
            lock.unlock()
            if isLast { Unmanaged.passUnretained(self).release() }
        }
    }

    fileprivate func reportLostEdits(
        _ object: PersistentObject, _ start: UnsafeMutableRawPointer, _ block: UnsafeMutableRawPointer
    ) {
        let changed = classMap.baseline.changes(start, block)
        guard !changed.isEmpty else { return }
        // Values are copied: the object itself must not be given to anyone (M6).
        lostEdits.report(
            LostEdits(
                className: classMap.name, id: object.rowID, changes: classMap.propertyChanges(changed, of: start, block)
            ))
    }
}

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

    /// The live objects that are perhaps changed, in the order of their rows: those whose bits differ from the
    /// baseline, and those that have properties which bits do not tell of.
    func possiblyChangedObjects() -> [PersistentObject] {
        let layout = classMap.baseline
        return retained { start in
            guard let block = ObjectMemory.header(at: start).pointee.baseline else { return false }
            return !layout.hasSameBits(start, block)
        }
    }

    /// The live objects at the addresses that `isWanted` takes. Under the lock there are addresses only: a reference
    /// taken and dropped there could be the last, and the object's `deinit` wants the lock.
    private func retained(where isWanted: (UnsafeMutableRawPointer) -> Bool) -> [PersistentObject] {
        var found: [(Int64, UnsafeMutableRawPointer)] = []
        lock.lock()
        found.reserveCapacity(16)
        table.forEach { key, start in
            // A dying object is still whole while its entry stands; it is refused here.
            if isWanted(start), let retained = po_try_retain(start) { found.append((key, retained)) }
        }
        lock.unlock()
        // Rows in order make the writes that follow three times as fast as in the table's order.
        found.sort { $0.0 < $1.0 }
        return found.map { ObjectMemory.takeRetained($0.1) }
    }

    /// Nil where all is right, else what is wrong: for tests.
    func brokenInvariant() -> String? {
        let objects = liveObjects()
        if let broken = lock.withLock({ table.brokenInvariant() }) { return "\(classMap.name): \(broken)" }
        for object in objects {
            if object.keeper !== self { return "\(classMap.name) #\(object.rowID) does not know its map" }
            if object.baseline == nil { return "\(classMap.name) #\(object.rowID) has no baseline" }
            if object.lifecycle != .saved { return "\(classMap.name) #\(object.rowID) is \(object.lifecycle)" }
            if self.object(for: object.rowID) !== object { return "\(classMap.name) #\(object.rowID) is not found" }
        }
        return nil
    }
}

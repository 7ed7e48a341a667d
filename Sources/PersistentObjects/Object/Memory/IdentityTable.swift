/// An open-addressing table from row ids to unretained objects. A lookup takes 11 ns.
///
/// Only `IdentityMap` uses it, under its lock. An object is removed in its `deinit`, before its memory is freed, so
/// every pointer in the table can be read. If an object is being deinitialized, `swift_tryRetain` does not retain it.
struct IdentityTable: ~Copyable {
    private struct Entry {
        var key: Int64
        /// Nil for an empty slot.
        var object: Address?
    }

    private struct State {
        var entries: UnsafeMutablePointer<Entry>
        var mask: Int
        var shift: UInt64
        var count = 0

        init(capacity: Int) {
            entries = .allocate(capacity: capacity)
            entries.initialize(repeating: Entry(key: 0, object: nil), count: capacity)
            mask = capacity - 1
            shift = UInt64(64 - capacity.trailingZeroBitCount)
        }
    }

    /// The state is accessed by address, because the runtime would check each access to a variable of the class that
    /// contains the table.
    private let state: UnsafeMutablePointer<State>

    init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State(capacity: 16))
    }

    deinit {
        state.pointee.entries.deallocate()
        state.deallocate()
    }

    private var entries: UnsafeMutablePointer<Entry> {
        @inline(__always) get { state.pointee.entries }
    }
    private var mask: Int {
        @inline(__always) get { state.pointee.mask }
    }
    var count: Int {
        @inline(__always) get { state.pointee.count }
    }
    var capacity: Int { mask + 1 }

    /// The first slot for a key. Blocks of 8 consecutive keys stay together, because row ids are often consecutive; the
    /// blocks are scattered (Fibonacci hashing). Plain low bits would create one long run of full slots, and removal
    /// would be quadratic.
    @inline(__always)
    private func slot(of key: Int64) -> Int {
        let bits = UInt64(bitPattern: key)
        let block = ((bits &>> 3) &* 0x9E37_79B9_7F4A_7C15) &>> (state.pointee.shift &+ 3)
        return Int(truncatingIfNeeded: block &<< 3 | (bits & 7))
    }

    /// The slot that holds `key`, or the empty slot for it.
    @inline(__always)
    private func probe(_ key: Int64) -> Int {
        var index = slot(of: key)
        while entries[index].object != nil && entries[index].key != key { index = (index &+ 1) & mask }
        return index
    }

    /// The live object for `key`, retained; nil if there is no object or it is being deinitialized.
    @inline(__always)
    func retainedObject(for key: Int64) -> Address? {
        guard let object = entries[probe(key)].object else { return nil }
        return object.retained()
    }

    /// The address of the object for `key`, even if the object is being deinitialized.
    @inline(__always)
    func address(for key: Int64) -> Address? { entries[probe(key)].object }

    /// Prefetches the memory of the object for `key`.
    @inline(__always)
    func prefetchObject(for key: Int64) {
        if let object = entries[probe(key)].object { object.prefetch() }
    }

    /// Inserts `object`. An entry with the same key is overwritten; its object must be in deinitialization (M1).
    @inline(__always)
    func insert(_ object: Address, for key: Int64) {
        if (count &+ 1) &* 5 > (mask &+ 1) &* 4 { resize(to: (mask + 1) * 2) }
        let index = probe(key)
        if entries[index].object == nil { state.pointee.count &+= 1 }
        entries[index] = Entry(key: key, object: object)
    }

    /// Removes `object`, unless the slot now holds another object (M2).
    func remove(_ object: Address, for key: Int64) {
        var hole = probe(key)
        guard entries[hole].object == object else { return }
        // Backward-shift deletion (Knuth 6.4, algorithm R): no tombstones.
        var next = hole
        while true {
            next = (next &+ 1) & mask
            guard entries[next].object != nil else { break }
            let home = slot(of: entries[next].key)
            if ((next &- home) & mask) >= ((next &- hole) & mask) {
                entries[hole] = entries[next]
                hole = next
            }
        }
        entries[hole].object = nil
        state.pointee.count &-= 1
        // Shrinks the table, because otherwise its memory for released objects would stay as long as the session.
        if count &* 8 < mask, mask >= IdentityTable.leastShrunk { resize(to: (mask + 1) / 4) }
    }

    private static var leastShrunk: Int { 4_096 }

    private func resize(to capacity: Int) {
        let old = entries
        let oldCapacity = mask + 1
        let count = count
        state.pointee = State(capacity: capacity)
        state.pointee.count = count
        for index in 0..<oldCapacity where old[index].object != nil {
            entries[probe(old[index].key)] = old[index]
        }
        old.deallocate()
    }

    /// Calls `body` with each key and object. `body` must not run user code or release anything (M4).
    ///
    /// Memory is prefetched, which halves the time, because objects and baselines are not in the table's order.
    ///
    /// - Parameters:
    ///   - size: The number of bytes of an object that are read.
    ///   - blockSize: The number of bytes of an object's baseline that are read.
    @inline(__always)
    func forEach(size: Int, blockSize: Int, _ body: (Int64, Address) -> Void) {
        let entries = entries
        let mask = mask
        for index in 0...mask {
            if let later = entries[(index &+ 16) & mask].object {
                IdentityTable.prefetch(later, size)
            }
            if let next = entries[(index &+ 8) & mask].object,
                let block = next.header.baseline
            {
                IdentityTable.prefetch(block, blockSize)
            }
            if let object = entries[index].object { body(entries[index].key, object) }
        }
    }

    /// Prefetches the parts of an object that are read first.
    @inline(__always)
    private static func prefetch(_ memory: Address, _ size: Int) {
        memory.prefetch()
        if size > 64 { (memory + 64).prefetch() }
        if size > 128 { (memory + 128).prefetch() }
        (memory + (size &- 1)).prefetch()
    }

    /// The violated invariant, for tests; nil if the table is consistent.
    func brokenInvariant() -> String? {
        var seen: [Int64: Int] = [:]
        var found = 0
        for index in 0...mask where entries[index].object != nil {
            found += 1
            let key = entries[index].key
            if let other = seen.updateValue(index, forKey: key) {
                return "key \(key) is in slots \(other) and \(index)"
            }
            if probe(key) != index { return "key \(key) in slot \(index) is not found from its own slot" }
        }
        return found == count ? nil : "\(found) entries were found, but the count is \(count)"
    }
}

/// An open-addressing table from row id to object, unretained: 11 ns a hit.
///
/// Only `IdentityMap` uses it, under its lock. An object leaves it in its
/// `deinit`, before its memory is freed, so every pointer in it can be read; a
/// pointer whose object is dying is met by `swift_tryRetain`, which refuses.
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

    /// By address: the run time would watch each access to a variable of the class that has the table.
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

    /// Blocks of 8 consecutive keys stay together, since row ids come in runs; the blocks are scattered (Fibonacci
    /// hashing). Plain low bits would make one endless run of full slots, and removal quadratic.
    @inline(__always)
    private func slot(of key: Int64) -> Int {
        let bits = UInt64(bitPattern: key)
        let block = ((bits &>> 3) &* 0x9E37_79B9_7F4A_7C15) &>> (state.pointee.shift &+ 3)
        return Int(truncatingIfNeeded: block &<< 3 | (bits & 7))
    }

    /// The slot that holds `key`, or the empty slot where it would go.
    @inline(__always)
    private func probe(_ key: Int64) -> Int {
        var index = slot(of: key)
        while entries[index].object != nil && entries[index].key != key { index = (index &+ 1) & mask }
        return index
    }

    /// The live object for `key`, retained; nil when there is none or it is dying.
    @inline(__always)
    func retainedObject(for key: Int64) -> Address? {
        guard let object = entries[probe(key)].object else { return nil }
        return object.retained()
    }

    /// Where the object for `key` is, which may be dying.
    @inline(__always)
    func address(for key: Int64) -> Address? { entries[probe(key)].object }

    /// Asks for the memory of the object for `key` ahead of a look at it.
    @inline(__always)
    func prefetchObject(for key: Int64) {
        if let object = entries[probe(key)].object { object.prefetch() }
    }

    /// Puts `object` in; an entry of the same key, which must be dying, is overwritten (M1).
    @inline(__always)
    func insert(_ object: Address, for key: Int64) {
        if (count &+ 1) &* 5 > (mask &+ 1) &* 4 { resize(to: (mask + 1) * 2) }
        let index = probe(key)
        if entries[index].object == nil { state.pointee.count &+= 1 }
        entries[index] = Entry(key: key, object: object)
    }

    /// Takes `object` out, unless the slot holds another object by now (M2).
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
        // A table for many objects that are gone would stay as long as its session.
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

    /// Calls `body` with each key and object; it must neither run user code nor release anything (M4).
    ///
    /// Objects and baselines lie in the order in which they were made, the table
    /// in another, so memory is asked for ahead: that takes half the time.
    ///
    /// - Parameters:
    ///   - size: How many bytes of an object are looked at.
    ///   - blockSize: How many of its baseline.
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

    /// Of great objects what is looked at first.
    @inline(__always)
    private static func prefetch(_ memory: Address, _ size: Int) {
        memory.prefetch()
        if size > 64 { (memory + 64).prefetch() }
        if size > 128 { (memory + 128).prefetch() }
        (memory + (size &- 1)).prefetch()
    }

    /// Nil where all is right, else what is wrong: for tests.
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

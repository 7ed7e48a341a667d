/// The memory of a class's baselines: blocks of one size, given out and taken back in any order.
///
/// Blocks stand in slabs. The first slab is small, since most sessions have a few objects of a class; each other one
/// begins at a multiple of its size, so that a block's address tells its slab. When more than half of the slabs are
/// empty they go back, so a session does not keep the memory of the most objects that it ever had.
///
/// Only `IdentityMap` uses it, under its lock, which it takes anyway.
struct BlockPool: ~Copyable {
    /// Stands at the beginning of each slab.
    private struct Slab {
        /// The first block that was given back; each holds the address of the next.
        var free: Address?
        var used = 0
        /// How many blocks were ever given out: those behind them were not touched yet.
        var touched = 0
        let count: Int
        /// The neighbours among the slabs that have room.
        var next: Address?
        var previous: Address?

        var isFull: Bool { free == nil && touched == count }
    }

    private struct State {
        /// The small one; nil before the first block.
        var first: Address?
        /// The slabs that have room and are in use, the one used last first; the small one too where it is not.
        var room: Address?
        /// Those of which no block is in use.
        var empty: Address?
        /// How many there are, without the small one.
        var count = 0
        var emptyCount = 0
    }

    /// The distance between blocks. They keep every alignment up to 16, as slots do.
    private let stride: Int
    /// A slab's size: a power of two, in which are some blocks at least.
    private let slabSize: Int
    /// By address: the run time would watch each access to a variable of the class that has the pool.
    private let state: UnsafeMutablePointer<State>

    private static var headerSize: Int { (MemoryLayout<Slab>.size + 15) & ~15 }
    private static var firstCount: Int { 64 }

    init(blockSize: Int) {
        stride = (Swift.max(blockSize, MemoryLayout<Address>.size) + 15) & ~15
        // glibc would map greater ones each by itself, with a page for its own use.
        var size = 32_768
        while size < BlockPool.headerSize + 16 * stride { size *= 2 }
        slabSize = size
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    deinit {
        // Its objects have ended, and given their blocks back: every slab has room.
        for list in [state.pointee.room, state.pointee.empty] {
            var next = list
            while let slab = next {
                next = slab[as: Slab.self].next
                slab.deallocate()
            }
        }
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// How many bytes it has from the system.
    var byteCount: Int { (state.pointee.first == nil ? 0 : firstSize) + state.pointee.count * slabSize }

    /// Memory for one baseline.
    func take() -> Address {
        let slab = state.pointee.room ?? slabWithRoom()
        let block: Address
        if let free = slab[as: Slab.self].free {
            block = free
            slab[as: Slab.self].free = free.load(as: Address?.self)
        } else {
            // In the order of their addresses: objects fetched together are scanned together.
            block = slab + BlockPool.headerSize + slab[as: Slab.self].touched * stride
            slab[as: Slab.self].touched += 1
        }
        slab[as: Slab.self].used += 1
        if slab[as: Slab.self].isFull { unlink(slab, from: &state.pointee.room) }
        return block
    }

    /// Takes the memory of a baseline that has been destroyed.
    func put(_ block: Address) {
        let slab = slab(of: block)
        if slab[as: Slab.self].isFull { link(slab, into: &state.pointee.room) }
        block.storeBytes(of: slab[as: Slab.self].free, as: Address?.self)
        slab[as: Slab.self].free = block
        slab[as: Slab.self].used -= 1
        if slab[as: Slab.self].used == 0, slab != state.pointee.first { setAside(slab) }
    }

    /// Keeps an empty slab, and gives back as many as are more than those in use: who makes as many objects again asks
    /// the system for little.
    private func setAside(_ slab: Address) {
        unlink(slab, from: &state.pointee.room)
        link(slab, into: &state.pointee.empty)
        state.pointee.emptyCount += 1
        while 2 * state.pointee.emptyCount > state.pointee.count + 1, let spare = state.pointee.empty {
            unlink(spare, from: &state.pointee.empty)
            spare.deallocate()
            state.pointee.emptyCount -= 1
            state.pointee.count -= 1
        }
    }

    private func slabWithRoom() -> Address {
        let slab: Address
        if let spare = state.pointee.empty {
            slab = spare
            unlink(slab, from: &state.pointee.empty)
            state.pointee.emptyCount -= 1
        } else if state.pointee.first == nil {
            slab = Address.allocate(byteCount: firstSize, alignment: 16)
            slab.initialize(as: Slab.self, to: Slab(count: BlockPool.firstCount))
            state.pointee.first = slab
        } else {
            slab = Address.allocate(byteCount: slabSize, alignment: slabSize)
            slab.initialize(as: Slab.self, to: Slab(count: (slabSize - BlockPool.headerSize) / stride))
            state.pointee.count += 1
        }
        link(slab, into: &state.pointee.room)
        return slab
    }

    private var firstSize: Int { BlockPool.headerSize + BlockPool.firstCount * stride }

    @inline(__always)
    private func slab(of block: Address) -> Address {
        if let first = state.pointee.first, block.pointer > first.pointer,
            block.pointer < first.pointer + firstSize
        {
            return first
        }
        let bits = UInt(bitPattern: block.pointer) & UInt(slabSize - 1)
        return block + -Int(bits)
    }

    private func link(_ slab: Address, into list: inout Address?) {
        slab[as: Slab.self].next = list
        if let next = list { next[as: Slab.self].previous = slab }
        list = slab
    }

    private func unlink(_ slab: Address, from list: inout Address?) {
        let (previous, next) = (slab[as: Slab.self].previous, slab[as: Slab.self].next)
        if let previous { previous[as: Slab.self].next = next } else { list = next }
        if let next { next[as: Slab.self].previous = previous }
        (slab[as: Slab.self].previous, slab[as: Slab.self].next) = (nil, nil)
    }
}

/// The memory of a class's baselines: blocks of one size, allocated and freed in any order.
///
/// Blocks are in slabs. The first slab is small, because most sessions have few objects of a class. Each other slab
/// starts at a multiple of its size, so that a block's address identifies its slab. When more than half of the slabs
/// are empty they are freed, so a session does not keep the memory of its largest number of objects.
///
/// Only `IdentityMap` uses it, under its lock, which it holds anyway.
struct BlockPool: ~Copyable {
    /// The header at the start of each slab.
    private struct Slab {
        /// The first free block; each free block holds the address of the next.
        var free: Address?
        var used = 0
        /// The number of blocks that were ever allocated; the blocks after them are untouched.
        var touched = 0
        let count: Int
        /// The adjacent slabs in the list of slabs with free blocks.
        var next: Address?
        var previous: Address?

        var isFull: Bool { free == nil && touched == count }
    }

    private struct State {
        /// The small slab; nil before the first block.
        var first: Address?
        /// The slabs in use that have free blocks, the most recently used first; includes the small slab if it is not
        /// full.
        var room: Address?
        /// The slabs without a used block.
        var empty: Address?
        /// The number of slabs, without the small slab.
        var count = 0
        var emptyCount = 0
    }

    /// The distance between blocks, which keeps every alignment up to 16, as slots do.
    private let stride: Int
    /// The size of a slab: a power of two that holds several blocks.
    private let slabSize: Int
    /// The state is accessed by address, because the runtime would check each access to a variable of the class that
    /// contains the pool.
    private let state: UnsafeMutablePointer<State>

    private static var headerSize: Int { (MemoryLayout<Slab>.size + 15) & ~15 }
    private static var firstCount: Int { 64 }

    init(blockSize: Int) {
        stride = (Swift.max(blockSize, MemoryLayout<Address>.size) + 15) & ~15
        // glibc would map larger slabs individually, with a page for its own use.
        var size = 32_768
        while size < BlockPool.headerSize + 16 * stride { size *= 2 }
        slabSize = size
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    deinit {
        // All objects have ended and freed their blocks, so every slab is in one of these lists.
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

    /// The number of bytes allocated from the system.
    var byteCount: Int { (state.pointee.first == nil ? 0 : firstSize) + state.pointee.count * slabSize }

    /// Allocates memory for one baseline.
    func take() -> Address {
        let slab = state.pointee.room ?? slabWithRoom()
        let block: Address
        if let free = slab[as: Slab.self].free {
            block = free
            slab[as: Slab.self].free = free.load(as: Address?.self)
        } else {
            // Blocks are allocated in address order, because objects that are fetched together are scanned together.
            block = slab + BlockPool.headerSize + slab[as: Slab.self].touched * stride
            slab[as: Slab.self].touched += 1
        }
        slab[as: Slab.self].used += 1
        if slab[as: Slab.self].isFull { unlink(slab, from: &state.pointee.room) }
        return block
    }

    /// Frees the memory of a destroyed baseline.
    func put(_ block: Address) {
        let slab = slab(of: block)
        if slab[as: Slab.self].isFull { link(slab, into: &state.pointee.room) }
        block.storeBytes(of: slab[as: Slab.self].free, as: Address?.self)
        slab[as: Slab.self].free = block
        slab[as: Slab.self].used -= 1
        if slab[as: Slab.self].used == 0, slab != state.pointee.first { setAside(slab) }
    }

    /// Keeps an empty slab, and frees empty slabs in excess of the slabs in use, so that creating the same number of
    /// objects again allocates little.
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

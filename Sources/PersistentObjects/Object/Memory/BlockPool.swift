/// The memory of a class's baselines: blocks of one size, 64 at a time, given out and taken back in any order.
///
/// Only `IdentityMap` uses it, under its lock, which it takes anyway.
struct BlockPool: ~Copyable {
    private struct State {
        var slabs: [Address] = []
        /// The first free block; each holds the address of the next.
        var free: Address?
    }

    private let size: Int
    /// By address: the run time would watch each access to a variable of the class that has the pool.
    private let state: UnsafeMutablePointer<State>

    private static var blocksPerSlab: Int { 64 }

    init(blockSize: Int) {
        size = Swift.max(blockSize, MemoryLayout<Address>.size)
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    deinit {
        for slab in state.pointee.slabs { slab.deallocate() }
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Memory for one baseline.
    func take() -> Address {
        guard let block = state.pointee.free else { return takeFromNewSlab() }
        state.pointee.free = block.load(as: Address?.self)
        return block
    }

    /// Takes the memory of a baseline that has been destroyed.
    func put(_ block: Address) {
        block.storeBytes(of: state.pointee.free, as: Address?.self)
        state.pointee.free = block
    }

    private func takeFromNewSlab() -> Address {
        // Blocks stand a multiple of 16 apart only where their size is one; slots keep their place modulo 16, so
        // the distance is rounded up.
        let stride = (size + 15) & ~15
        let slab = Address.allocate(byteCount: stride * BlockPool.blocksPerSlab, alignment: 16)
        state.pointee.slabs.append(slab)
        // In the order of their addresses: objects fetched together are scanned together.
        for index in (1..<BlockPool.blocksPerSlab).reversed() { put(slab + index * stride) }
        return slab
    }
}

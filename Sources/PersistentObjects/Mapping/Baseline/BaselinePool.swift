/// The memory of a class's baselines: blocks of one size, 64 at a time, given out and taken back in any order.
///
/// Only `IdentityMap` uses it, under its lock, which it takes anyway.
struct BaselinePool: ~Copyable {
    private struct State {
        var slabs: [UnsafeMutableRawPointer] = []
        /// The first free block; each holds the address of the next.
        var free: UnsafeMutableRawPointer?
    }

    private let blockSize: Int
    /// By address: the run time would watch each access to a variable of the class that has the pool.
    private let state: UnsafeMutablePointer<State>

    private static var blocksPerSlab: Int { 64 }

    init(blockSize: Int) {
        self.blockSize = Swift.max(blockSize, MemoryLayout<UnsafeRawPointer>.size)
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    deinit {
        for slab in state.pointee.slabs { slab.deallocate() }
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Memory for one baseline.
    func take() -> UnsafeMutableRawPointer {
        guard let block = state.pointee.free else { return takeFromNewSlab() }
        state.pointee.free = block.load(as: UnsafeMutableRawPointer?.self)
        return block
    }

    /// Takes the memory of a baseline that has been destroyed.
    func put(_ block: UnsafeMutableRawPointer) {
        block.storeBytes(of: state.pointee.free, as: UnsafeMutableRawPointer?.self)
        state.pointee.free = block
    }

    private func takeFromNewSlab() -> UnsafeMutableRawPointer {
        // Blocks stand a multiple of 16 apart only where their size is one; slots keep their place modulo 16, so
        // the distance is rounded up.
        let stride = (blockSize + 15) & ~15
        let slab = UnsafeMutableRawPointer.allocate(byteCount: stride * BaselinePool.blocksPerSlab, alignment: 16)
        state.pointee.slabs.append(slab)
        // In the order of their addresses: objects fetched together are scanned together.
        for index in (1..<BaselinePool.blocksPerSlab).reversed() { put(slab + index * stride) }
        return slab
    }
}

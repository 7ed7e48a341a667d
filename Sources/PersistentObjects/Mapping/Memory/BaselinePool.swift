/// The memory of a class's baselines: blocks of one size, 64 at a time, given out and taken back in any order.
///
/// Only `IdentityMap` uses it, under its lock, which it takes anyway.
struct BaselinePool: ~Copyable {
    private let blockSize: Int
    private var slabs: [UnsafeMutableRawPointer] = []
    /// The first free block; each holds the address of the next.
    private var free: UnsafeMutableRawPointer?

    private static var blocksPerSlab: Int { 64 }

    init(blockSize: Int) { self.blockSize = Swift.max(blockSize, MemoryLayout<UnsafeRawPointer>.size) }

    deinit { for slab in slabs { slab.deallocate() } }

    /// Memory for one baseline.
    mutating func take() -> UnsafeMutableRawPointer {
        guard let block = free else { return takeFromNewSlab() }
        free = block.load(as: UnsafeMutableRawPointer?.self)
        return block
    }

    /// Takes the memory of a baseline that has been destroyed.
    mutating func put(_ block: UnsafeMutableRawPointer) {
        block.storeBytes(of: free, as: UnsafeMutableRawPointer?.self)
        free = block
    }

    private mutating func takeFromNewSlab() -> UnsafeMutableRawPointer {
        // Blocks stand a multiple of 16 apart only where their size is one; slots keep their place modulo 16, so
        // the distance is rounded up.
        let stride = (blockSize + 15) & ~15
        let slab = UnsafeMutableRawPointer.allocate(byteCount: stride * BaselinePool.blocksPerSlab, alignment: 16)
        slabs.append(slab)
        // In the order of their addresses: objects fetched together are scanned together.
        for index in (1..<BaselinePool.blocksPerSlab).reversed() { put(slab + index * stride) }
        return slab
    }
}

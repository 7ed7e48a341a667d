import TestSupport
import Testing

@testable import PersistentObjects

/// The memory pool of baselines: no block is used twice at the same time, and unused memory is released.
struct BlockPoolTests {
    @Test(arguments: [8, 16, 40, 112, 1_000, 9_000])
    func `blocks in use do not overlap, in any order of taking and returning`(size: Int) {
        var random = SeededGenerator(seed: UInt64(size))
        let pool = BlockPool(blockSize: size)
        var taken: [Address: UInt64] = [:]
        for step in 0..<6_000 {
            // The pool grows first and then shrinks.
            let wantsMore = Int.random(in: 0..<10, using: &random) < (step < 4_000 ? 7 : 2)
            if wantsMore || taken.isEmpty {
                let block = pool.take()
                let mark = UInt64(step)
                #expect(taken.updateValue(mark, forKey: block) == nil, "given out twice")
                expect(UInt(bitPattern: block.pointer) % 16, 0)
                for offset in stride(from: 0, through: size - 8, by: 8) {
                    (block + offset).storeBytes(of: mark, as: UInt64.self)
                }
            } else if let (block, mark) = taken.randomElement(using: &random) {
                for offset in stride(from: 0, through: size - 8, by: 8) {
                    expect((block + offset).load(as: UInt64.self), mark, "another block has written into it")
                }
                taken[block] = nil
                pool.put(block)
            }
        }
        for block in taken.keys { pool.put(block) }
    }

    @Test func `memory is released when its blocks are returned`() {
        let pool = BlockPool(blockSize: 112)
        let small = { (pool.take(), pool.byteCount) }()
        #expect(small.1 < 16_384, "a few objects take little")
        var blocks = (0..<100_000).map { _ in pool.take() }
        let most = pool.byteCount
        #expect(most < 100_000 * 112 * 11 / 10)
        // After returning half of the blocks, at most half of the slabs are empty.
        while blocks.count > 50_000 { pool.put(blocks.removeLast()) }
        #expect(pool.byteCount <= most)
        while let block = blocks.popLast() { pool.put(block) }
        #expect(pool.byteCount < 250_000, "\(pool.byteCount) of \(most)")
        // New blocks can be taken afterwards.
        blocks = (0..<1_000).map { _ in pool.take() }
        expect(Set(blocks).count, 1_000)
        for block in blocks + [small.0] { pool.put(block) }
    }

    @Test func `taking and returning one block at the edge of a slab allocates no memory`() {
        let pool = BlockPool(blockSize: 112)
        let held = (0..<64).map { _ in pool.take() }
        pool.put(pool.take())
        let size = pool.byteCount
        for _ in 0..<100 {
            pool.put(pool.take())
            expect(pool.byteCount, size)
        }
        for block in held { pool.put(block) }
    }
}

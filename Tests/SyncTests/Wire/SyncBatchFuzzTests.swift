#if Sync
    import FuzzTargets
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// A short run of the fuzz target with a fixed seed. `Tests/Fuzz/run sync-batch 600` is a long one.
    @Suite struct SyncBatchFuzzTests {
        @Test func `changed contents of batches are rejected, or joined in any order, shown and sent on`() throws {
            let runner = try FuzzRunner(.syncBatch)
            for seed in SeededGenerator.seeds(3000) {
                var random = SeededGenerator(seed: seed)
                var any = AnyState(random: SeededGenerator(seed: seed))
                var bytes = [2] + SealedBatch.content(of: any.batch(objects: 3))
                for _ in 0..<Int.random(in: 0...4, using: &random) where bytes.count > 1 {
                    let index = Int.random(in: 1..<bytes.count, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: bytes[index] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
                    case 1: bytes.remove(at: index)
                    default: bytes.insert(UInt8.random(in: 0...3, using: &random), at: index)
                    }
                }
                #expect(throws: Never.self, "SEED=\(seed)") { try runner.run(bytes) }
            }
        }
    }
#endif

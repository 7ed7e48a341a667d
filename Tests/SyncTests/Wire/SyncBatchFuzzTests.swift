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

        @Test func `changed beginnings of batches with pieces are rejected, or read as they are written`() throws {
            let runner = try FuzzRunner(.syncBatch)
            for seed in SeededGenerator.seeds(3000) {
                var random = SeededGenerator(seed: seed)
                let count = Int.random(in: 0...3, using: &random)
                var bytes: [UInt8] = [3, UInt8.random(in: 0...1, using: &random), UInt8(count)]
                for _ in 0..<(24 + 16 * count) { bytes.append(UInt8.random(in: .min ... .max, using: &random)) }
                for _ in 0...1 {
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: bytes[Int.random(in: 1..<3, using: &random)] = .random(in: .min ... .max, using: &random)
                    case 1: bytes.removeLast(Int.random(in: 0..<3, using: &random))
                    default: bytes.append(7)
                    }
                }
                #expect(throws: Never.self, "SEED=\(seed)") { try runner.run(bytes) }
            }
        }
    }
#endif

import ModelRuns
import TestSupport
import Testing

/// Random operations of up to three sessions, with transactions, undo, conflicts and new versions of the classes.
///
/// A failure reports its seed and a minimized list of operations; `SEED=17 swift test --filter ModelRunTests` replays
/// it.
struct ModelRunTests {
    @Test(arguments: SeededGenerator.seeds(100))
    func `memory, file and model agree after each operation`(seed: UInt64) {
        #expect(throws: Never.self) { try ModelRuns.run(seeds: seed..<seed + 1, operations: Scale.isFull ? 300 : 80) }
    }

    @Test func `threads that fetch and release the same rows have one object per row`() {
        #expect(throws: Never.self) { try ModelRuns.churn(operations: Scale.of(100_000)) }
    }
}

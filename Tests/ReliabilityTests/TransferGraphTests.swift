import ModelRuns
import TestSupport
import Testing

/// Random graphs of every kind of property and every identity, out of a store and into others; `endurance transfers` does
/// ten thousand.
struct TransferGraphTests {
    /// A finding begins with its seed: `SEED=17 swift test --filter TransferGraphTests` replays it.
    @Test(arguments: SeededGenerator.seeds(20))
    func `a graph comes back bit for bit from every format`(seed: UInt64) throws {
        let run = try TransferRun()
        try run.run(seed: seed)
        #expect(run.figures.findings.isEmpty, "\(run.figures.findings.joined(separator: "\n"))")
    }
}

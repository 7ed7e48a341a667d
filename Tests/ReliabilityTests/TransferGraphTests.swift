import ModelRuns
import TestSupport
import Testing

/// Exports random graphs with every kind of property and identity, and imports them into other stores. `endurance
/// transfers` tries ten thousand.
struct TransferGraphTests {
    /// A finding starts with its seed: `SEED=17 swift test --filter TransferGraphTests` replays it.
    @Test(arguments: SeededGenerator.seeds(20))
    func `a graph is exported and imported bit for bit in every format`(seed: UInt64) throws {
        let run = try TransferRun()
        try run.run(seed: seed)
        #expect(run.figures.findings.isEmpty, "\(run.figures.findings.joined(separator: "\n"))")
    }
}

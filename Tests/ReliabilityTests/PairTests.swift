import ModelRuns
import TestSupport
import Testing

/// A property whose type changes, between two of 118 shapes; `endurance pairs` does all pairs.
struct PairTests {
    /// A finding begins with the number of its pair: `endurance pairs --seed S --first NUMBER --rounds 1` replays it.
    @Test(arguments: SeededGenerator.seeds(20))
    func `a value is kept when the type of its property changes, or the file stays as it is`(seed: UInt64) throws {
        let run = try PairRun(seed: seed)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<25 { try run.run(Int.random(in: 0..<PairRun.count, using: &random)) }
        #expect(run.figures.findings.isEmpty, "\(run.figures.findings.joined(separator: "\n"))")
        #expect(run.figures.converted > 0 && run.figures.refused > 0)
    }
}

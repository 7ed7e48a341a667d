import ModelRuns
import TestSupport
import Testing

/// Changes the type of a property between two of 118 shapes. `endurance pairs` tries all pairs.
struct PairTests {
    /// A finding starts with the number of its pair: `endurance pairs --seed S --first NUMBER --rounds 1` replays it.
    @Test(arguments: SeededGenerator.seeds(20))
    func `a change of a property's type keeps the value or leaves the file unchanged`(seed: UInt64) throws {
        let run = try PairRun(seed: seed)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<25 { try run.run(Int.random(in: 0..<PairRun.count, using: &random)) }
        #expect(run.figures.findings.isEmpty, "\(run.figures.findings.joined(separator: "\n"))")
        #expect(run.figures.converted > 0 && run.figures.refused > 0)
    }
}

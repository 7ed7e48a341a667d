import Foundation

/// The `power` run: `rounds` simulated power cuts for each combination of durability and journal.
func runPower(_ options: Options) throws -> String {
    let rounds = options.rounds ?? (options.seconds == nil ? 5_000 : Int.max)
    var lines: [String] = []
    for mode in PowerRun.Mode.all {
        let start = ContinuousClock.now
        var run = PowerRun(seed: options.seed, mode: mode)
        // The time limit is for all combinations together.
        let time = options.seconds.map { Duration.seconds($0 / Double(PowerRun.Mode.all.count)) }
        try run.run(cuts: rounds, first: options.first) { time.map { ContinuousClock.now - start >= $0 } ?? false }
        let figures = run.figures
        let losses =
            figures.cutsWithLosses == 0
            ? "0 acknowledged steps lost"
            : "the last steps were lost in \(figures.cutsWithLosses), \(figures.mostLost) at most"
        lines.append(
            "\(mode.name): \(figures.cuts) power cuts, 0 damaged or in part, \(losses)")
    }
    return lines.joined(separator: "; ")
}

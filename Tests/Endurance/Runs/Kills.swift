import Foundation

/// The `kills` run: kill -9 while a program saves object graphs.
func runKills(_ options: Options) throws -> String {
    let start = ContinuousClock.now
    let rounds = options.rounds ?? (options.seconds == nil ? 10_000 : Int.max)
    var run = try KillRun(seed: options.seed, journal: options.journal)
    try run.run(first: options.first) { figures in
        figures.rounds >= rounds || options.seconds.map { ContinuousClock.now - start >= .seconds($0) } ?? false
    }
    let figures = run.figures
    return """
        \(figures.rounds) rounds of kill -9 on \(figures.files) files, \(figures.killed) killed at work and \
        \(figures.checksKilled) while opening after a kill, \(figures.steps) steps, \(figures.changes) changes of classes: \
        0 acknowledged steps lost, 0 in part, \(figures.ahead) done and not acknowledged
        """
}

import Foundation

/// The `isolation` run: two processes append to lists and read them, in rounds of 2 s. Checks the histories as Jepsen
/// does.
func runIsolation(_ options: Options) throws -> String {
    let start = ContinuousClock.now
    let rounds = options.rounds ?? (options.seconds == nil ? 120 : Int.max)
    var run = try IsolationRun(seed: options.seed)
    try run.run(first: options.first) { figures in
        figures.rounds >= rounds || options.seconds.map { ContinuousClock.now - start >= .seconds($0) } ?? false
    }
    let figures = run.figures
    return """
        \(figures.rounds) rounds of 2 processes with 4 sessions each, \(figures.kills) kill -9, \(figures.stops) pauses: \
        \(figures.done) operations with \(figures.appends) appends and \(figures.reads) reads of lists, \
        \(figures.undone) undone, \(figures.failed) refused, ended or rolled back, \(figures.unknown) cut off by a kill: \
        0 lost, 0 twice, 0 that failed and came, no anomaly of isolation
        """
}

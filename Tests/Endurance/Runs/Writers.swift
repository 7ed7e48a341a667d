import Foundation

/// The `writers` run: two processes with two writers each, and `rounds` saves of each writer.
func runWriters(_ options: Options) throws -> String {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let run = WriterRun(saves: options.rounds ?? 1_000, path: scratch.path + "/writers.sqlite")
    try run.prepare()
    let figures = try run.run(2, 2)
    // Long timeouts are for long runs only.
    let timeouts = run.saves < 1_000 ? [500.0] : [500, 1000, 2000, 5000]
    let waits = try timeouts.map { timeout in
        let waited = try run.timeout(.milliseconds(timeout))
        try require(waited >= 0.9 * timeout, "a timeout of \(timeout) ms took \(waited) ms")
        return "\(rounded(timeout)) ms took \(rounded(waited)) ms"
    }
    func rounded(_ number: Double) -> String { String(format: "%.0f", number) }
    return """
        2 processes with 2 writers and \(run.saves) saves each: 0 updates lost, 0 errors, \(figures.conflicts) conflicts \
        tried again, the longest save \(rounded(figures.longestSave)) ms; \(figures.reads) reads beside them, none \
        refused, the longest \(rounded(figures.longestRead)) ms; timeouts: \(waits.joined(separator: ", "))
        """
}

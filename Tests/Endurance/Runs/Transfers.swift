import Foundation
import ModelRuns

/// The `transfers` run: exports random graphs with every kind of property and identity in each format, and imports them
/// into other stores.
func runTransfers(_ options: Options) throws -> String {
    let count = options.rounds ?? 10_000
    let scratch = try Scratch()
    defer { scratch.remove() }
    var total = TransferRun.Figures()
    // Objects of a graph that refer to each other stay in memory, so each process ends after some graphs.
    for start in stride(from: 0, to: count, by: graphsAtOnce) {
        total.add(try transfer(start..<min(start + graphsAtOnce, count), options, scratch))
    }
    try require(
        total.findings.isEmpty,
        "\(total.findings.count) findings; replay one with --seed NUMBER --rounds 1\n"
            + total.findings.joined(separator: "\n"))
    return """
        \(total.graphs) graphs with \(total.objects) objects of every identity in \(total.files) files of JSON Lines, JSON \
        and CSV: all came back bit for bit
        """
}

private let graphsAtOnce = 1000

/// Runs some graphs in copies of this process, one for each core.
private func transfer(_ rounds: Range<Int>, _ options: Options, _ scratch: Scratch) throws -> TransferRun.Figures {
    let parts = max(1, min(ProcessInfo.processInfo.activeProcessorCount, rounds.count))
    func file(_ part: Int) -> URL { URL(filePath: scratch.path + "/\(part)") }
    let children = try (0..<parts).map { part in
        try ChildProcess {
            let run = try TransferRun()
            let first = rounds.lowerBound
            for round in first + rounds.count * part / parts..<first + rounds.count * (part + 1) / parts {
                let seed = options.seed &+ UInt64(options.first + round)
                do { try run.run(seed: seed) } catch { throw Failure("graph \(seed): \(error)") }
            }
            try JSONEncoder().encode(run.figures).write(to: file(part))
        }
    }
    var total = TransferRun.Figures()
    for (part, child) in children.enumerated() {
        let end = child.wait()
        try require(end == .finished, "\(end)")
        total.add(try JSONDecoder().decode(TransferRun.Figures.self, from: Data(contentsOf: file(part))))
    }
    return total
}

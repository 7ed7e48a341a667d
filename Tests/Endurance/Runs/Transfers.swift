import Foundation
import ModelRuns

/// The `transfers` run: exports random graphs with every kind of property and identity in each format, and imports them
/// into other stores.
func runTransfers(_ options: Options) throws -> String {
    let count = options.rounds ?? 10_000
    let scratch = try Scratch()
    defer { scratch.remove() }
    let parts = max(1, min(ProcessInfo.processInfo.activeProcessorCount, count))
    func file(_ part: Int) -> URL { URL(filePath: scratch.path + "/\(part)") }
    let children = try (0..<parts).map { part in
        try ChildProcess {
            let run = try TransferRun()
            for round in count * part / parts..<count * (part + 1) / parts {
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
    try require(
        total.findings.isEmpty,
        "\(total.findings.count) findings; replay one with --seed NUMBER --rounds 1\n"
            + total.findings.joined(separator: "\n"))
    return """
        \(total.graphs) graphs with \(total.objects) objects of every identity in \(total.files) files of JSON Lines, JSON \
        and CSV: all came back bit for bit
        """
}

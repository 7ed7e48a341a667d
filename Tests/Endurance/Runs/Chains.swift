import Foundation
import ModelRuns

/// The `chains` run: random versions of a program in succession on one file, with kill -9 in every tenth change.
func runChains(_ options: Options) throws -> String {
    let count = options.rounds ?? 10_000
    let scratch = try Scratch()
    defer { scratch.remove() }
    let parts = max(1, min(ProcessInfo.processInfo.activeProcessorCount, count))
    func file(_ part: Int) -> URL { URL(filePath: scratch.path + "/figures \(part)") }
    let children = try (0..<parts).map { part in
        try ChildProcess {
            var run = ChainProcess(folder: try scratch.folder("\(part)"))
            for round in count * part / parts..<count * (part + 1) / parts {
                try run.run(options.seed &+ UInt64(options.first + round))
            }
            try JSONEncoder().encode(run.figures).write(to: file(part))
        }
    }
    var total = ChainProcess.Figures()
    for (part, child) in children.enumerated() {
        let end = child.wait()
        try require(end == .finished, "\(end)")
        total.add(try JSONDecoder().decode(ChainProcess.Figures.self, from: Data(contentsOf: file(part))))
    }
    let figures = """
        \(total.chains) chains of versions with \(total.changes) changes and \(total.refused) that were refused, \
        \(total.killed) killed with kill -9, an older program after \(total.older)
        """
    try require(
        total.findings.isEmpty,
        "\(figures): \(total.findings.count) findings; replay one with --seed NUMBER --rounds 1\n"
            + total.findings.joined(separator: "\n"))
    return "\(figures): 0 differences"
}

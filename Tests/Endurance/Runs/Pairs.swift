import Foundation
import ModelRuns

/// `pairs`: one property whose type changes, between each two of 118 shapes; `rounds` pairs, spread over all, or all of
/// them. `--first 4711 --rounds 1` is one pair.
func runPairs(_ options: Options) throws -> String {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let run = PairProcesses(folder: scratch.path, seed: options.seed)
    let count = options.rounds ?? PairRun.count
    let stride = max(1, (PairRun.count - options.first) / count)
    let figures = try run.run((0..<count).map { options.first + $0 * stride }.filter { $0 < PairRun.count })
    let text = """
        \(figures.pairs) pairs of property types with \(figures.converted + figures.refused) kinds of rows: \
        \(figures.converted) converted, \(figures.backAgain) of them back again, \(figures.refused) refused
        """
    try require(
        figures.findings.isEmpty,
        "\(text): \(figures.findings.count) findings; replay one with --seed \(options.seed) --first NUMBER --rounds 1\n"
            + figures.findings.joined(separator: "\n"))
    return "\(text): no value changed without a loss, every plan empty afterwards"
}

/// Does pairs in copies of this process, as many at a time as the machine has cores: a trap ends one of them.
private struct PairProcesses {
    let folder: String
    let seed: UInt64

    func run(_ numbers: [Int]) throws -> PairRun.Figures {
        let count = max(1, min(ProcessInfo.processInfo.activeProcessorCount, numbers.count))
        let children = try (0..<count).map { part in
            // One after the other, so that the files of one shape are used again.
            let own = Array(numbers[numbers.count * part / count..<numbers.count * (part + 1) / count])
            return try ChildProcess { try work(part, own) }
        }
        var total = PairRun.Figures()
        for (part, child) in children.enumerated() {
            let end = child.wait()
            try require(end == .finished, "\(end)")
            total.add(try figures(file(part)))
        }
        return total
    }

    private func file(_ part: Int) -> String { folder + "/part \(part)" }

    private func figures(_ path: String) throws -> PairRun.Figures {
        try JSONDecoder().decode(PairRun.Figures.self, from: Data(contentsOf: URL(filePath: path)))
    }

    /// A copy for as many pairs as go well; another one for those behind a trap.
    private func work(_ part: Int, _ numbers: [Int]) throws {
        var (rest, total) = (numbers[...], PairRun.Figures())
        while !rest.isEmpty {
            let result = file(part) + " result"
            let end = try ChildProcess { try attempt(rest, result) }.wait()
            let done = try figures(result)
            total.add(done)
            if case .failed(let problem) = end {
                let number = rest[rest.startIndex + done.pairs]
                total.findings.append("\(number): \(problem)")
                total.pairs += 1
                rest = rest.dropFirst(done.pairs + 1)
            } else {
                rest = []
            }
        }
        try JSONEncoder().encode(total).write(to: URL(filePath: file(part)))
    }

    /// Writes down what was found after each pair.
    private func attempt(_ numbers: ArraySlice<Int>, _ result: String) throws {
        let own = folder + "/\(getpid())"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: own) }
        let run = try PairRun(seed: seed, folder: own)
        func write() throws { try JSONEncoder().encode(run.figures).write(to: URL(filePath: result)) }
        try write()
        for number in numbers {
            try run.run(number)
            try write()
        }
    }
}

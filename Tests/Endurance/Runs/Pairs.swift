import Foundation
import ModelRuns

/// The `pairs` run: changes the type of a property between each pair of 118 shapes. `rounds` limits the number of
/// pairs, which are spread evenly. `--first 4711 --rounds 1` runs one pair.
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

/// Runs pairs in copies of this process, one for each core. A trap ends only one copy.
private struct PairProcesses {
    let folder: String
    let seed: UInt64

    func run(_ numbers: [Int]) throws -> PairRun.Figures {
        let count = max(1, min(ProcessInfo.processInfo.activeProcessorCount, numbers.count))
        let children = try (0..<count).map { part in
            // The pairs of a copy are consecutive, so that it can use the files of a shape again.
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

    /// Runs pairs in a copy of this process. After a trap, a new copy runs the remaining pairs.
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

    /// Runs pairs, and writes the figures to a file after each pair.
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

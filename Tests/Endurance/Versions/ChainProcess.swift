import Foundation
import ModelRuns

/// Runs chains of versions, each step in a separate process.
struct ChainProcess {
    struct Figures: Codable {
        var chains = 0
        var changes = 0
        var refused = 0
        var killed = 0
        var older = 0
        var findings: [String] = []

        mutating func add(_ other: Figures) {
            chains += other.chains
            changes += other.changes
            refused += other.refused
            killed += other.killed
            older += other.older
            findings += other.findings
        }
    }

    private struct Result: Codable {
        var outcome: ChainRun.Outcome
        var state: ChainState
    }

    let folder: String
    private(set) var figures = Figures()
    private var changes = 0

    init(folder: String) { self.folder = folder }

    /// Runs the chain of a seed, up to the first problem.
    mutating func run(_ seed: UInt64) throws {
        let path = folder + "/chain.sqlite"
        for end in ["", "-journal", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
        // In half of the chains, the older programs also write.
        let chain = ChainRun(path: path, seed: seed, isOlderExact: seed.isMultiple(of: 2))
        var random = Randomness(seed)
        figures.chains += 1
        var (accepted, state): ([Int], ChainState) = ([], ChainState())
        var trail: [String] = []
        func report(_ problem: String) -> String { "\(seed): \(trail.joined(separator: " | ")) | \(problem)" }
        for step in 0..<chain.count {
            changes += 1
            if step > 0, changes.isMultiple(of: 10) {
                let child = try ChildProcess { try chain.change(step, after: accepted) }
                // A change takes some milliseconds. The kill should come at a random moment in it.
                usleep(UInt32(random.below(12_000)))
                child.kill()
                if child.wait() == .killed { figures.killed += 1 }
            }
            let result = folder + "/result"
            let end = try ChildProcess { [accepted, state] in
                let (outcome, state) = try chain.step(step, after: accepted, state)
                try JSONEncoder().encode(Result(outcome: outcome, state: state)).write(to: URL(filePath: result))
            }.wait()
            guard end == .finished else {
                figures.findings.append(report("\(end) \(chain.text(step, after: accepted))"))
                return
            }
            let done = try JSONDecoder().decode(Result.self, from: Data(contentsOf: URL(filePath: result)))
            state = done.state
            if done.outcome == .refused {
                figures.refused += 1
                continue
            }
            figures.changes += 1
            trail.append(chain.text(step, after: accepted))
            let before = accepted.last
            accepted.append(step)
            if let before, random.chance(0.3) {
                figures.older += 1
                let end = try ChildProcess { [accepted, state] in
                    let state = try chain.older(before, after: accepted, state)
                    try JSONEncoder().encode(state).write(to: URL(filePath: result))
                }.wait()
                if end != .finished {
                    figures.findings.append(report("\(end)"))
                    return
                }
                state = try JSONDecoder().decode(ChainState.self, from: Data(contentsOf: URL(filePath: result)))
            }
        }
    }
}

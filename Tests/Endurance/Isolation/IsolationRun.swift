import Foundation
import ModelRuns
import PersistentObjects

/// Selects the lists of the current turn, which are the same in all processes. So lists stay short, and many sessions
/// use each of them.
struct IsolationClock: Sendable {
    /// The start of the first turn, on the clock of the histories.
    let start: Int
    let turns: Int

    static let nanosecondsOfATurn = 250_000_000
    static let listsOfATurn = 6

    var count: Int { turns * IsolationClock.listsOfATurn }

    var lists: Range<Int> {
        let turn = min(max((IsolationLog.now - start) / IsolationClock.nanosecondsOfATurn, 0), turns - 1)
        return turn * IsolationClock.listsOfATurn..<(turn + 1) * IsolationClock.listsOfATurn
    }
}

/// Two processes with four sessions each append to lists and read them. They are killed and paused at random, and
/// `History` checks the histories that they write.
struct IsolationRun {
    let seed: UInt64
    private let scratch: Scratch
    private(set) var figures = Figures()

    struct Figures {
        var rounds = 0, done = 0, failed = 0, unknown = 0
        var appends = 0, reads = 0, undone = 0, kills = 0, stops = 0
    }

    private static let turns = 8
    private static let processes = 2
    private static let workers = 4

    init(seed: UInt64) throws {
        self.seed = seed
        scratch = try Scratch()
    }

    mutating func run(first: Int, until isOver: (Figures) -> Bool) throws {
        var number = first
        while !isOver(figures) {
            var random = Randomness(seed, number)
            let folder = try scratch.folder("round-\(number)")
            do { try round(folder, &random) } catch {
                throw Failure(
                    "isolation --seed \(seed) --first \(number): \(error); the histories are in \(folder)")
            }
            try FileManager.default.removeItem(atPath: folder)
            number += 1
            figures.rounds += 1
        }
        scratch.remove()
    }

    private mutating func round(_ folder: String, _ random: inout Randomness) throws {
        var configuration = Store.Configuration(onNote: { _ in })
        configuration.durability = random.chance(0.5) ? .full : .relaxed
        configuration.journal = random.chance(0.2) ? .rollback : .wal
        let path = folder + "/lists.sqlite", settings = configuration
        func open<R>(_ body: (Store) throws -> R) throws -> R {
            let store = try Store(path, configuration: settings)
            defer { store.close() }
            return try body(store)
        }
        try ChildProcess.run {
            try open { store in
                try store.prepare(Leaf.self)
                try store.withSession { session in
                    let count = IsolationRun.turns * IsolationClock.listsOfATurn
                    try session.save(Lists.make(0..<count))
                }
            }
        }

        let clock = IsolationClock(start: IsolationLog.now, turns: IsolationRun.turns)
        let seed = random.next(), over = folder + "/over"
        var starts = 0
        func start() throws -> ChildProcess {
            let process = starts
            starts += 1
            return try ChildProcess {
                let log = try IsolationLog("\(folder)/\(process).history")
                try open { store in
                    _ = try inThreads(IsolationRun.workers) { worker in
                        let worker = IsolationWorker(
                            store: store, log: log, number: process * IsolationRun.workers + worker, seed: seed,
                            clock: clock)
                        try worker.work { access(over, F_OK) == 0 }
                    }
                }
            }
        }
        var processes = try (0..<IsolationRun.processes).map { _ in try start() }
        let end = clock.start + IsolationRun.turns * IsolationClock.nanosecondsOfATurn
        while IsolationLog.now < end {
            // The intervals between disturbances range from microseconds to fractions of a second.
            usleep(UInt32(random.logarithmic(300_000)))
            let place = random.below(processes.count)
            if random.chance(0.4) {
                processes[place].kill()
                if case .failed(let problem) = processes[place].wait() { throw Failure(problem) }
                processes[place] = try start()
                figures.kills += 1
            } else if random.chance(0.6) {
                processes[place].pause()
                // The paused process keeps its locks.
                usleep(UInt32(random.logarithmic(300_000)))
                processes[place].resume()
                figures.stops += 1
            }
        }
        try Data().write(to: URL(filePath: over))
        for process in processes {
            let end = process.wait()
            try require(end == .finished, "\(end)")
        }
        let last = folder + "/end.history"
        try ChildProcess.run {
            try open { store in
                let report = try store.checkIntegrity()
                try require(report.problems.isEmpty, "\(report)")
                let lists = try store.withSession { _ in try Lists.all() }
                let text = lists.map { History.line(list: $0, $1) }.joined()
                try Data(text.utf8).write(to: URL(filePath: last))
            }
        }
        let files = (0..<starts).map { "\(folder)/\($0).history" }.filter { access($0 as String, F_OK) == 0 }
        try judge(History(try (files + [last]).map { try String(contentsOfFile: $0, encoding: .utf8) }))
    }

    private mutating func judge(_ history: History) throws {
        let anomalies = history.anomalies
        let list = anomalies.prefix(20).map { "\n  \($0)" }.joined()
        try require(anomalies.isEmpty, "\(anomalies.count) anomalies:\(list)")
        for operation in history.operations {
            switch operation.outcome {
            case .done: figures.done += 1
            case .failed: figures.failed += 1
            case .unknown: figures.unknown += 1
            }
            guard operation.outcome == .done else { continue }
            if case .undo = operation.kind { figures.undone += 1 }
            for step in operation.steps {
                switch step {
                case .read: figures.reads += 1
                case .append: figures.appends += 1
                case .begin, .commit, .rollback: break
                }
            }
        }
    }
}

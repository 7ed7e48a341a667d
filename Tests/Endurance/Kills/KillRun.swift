import CFaultVFS
import Foundation
import PersistentObjects

/// Kills a program repeatedly while it changes a file. No acknowledged step may be lost, and no step may be there in
/// part.
struct KillRun {
    let seed: UInt64
    /// The journal of all files; nil for either.
    let journal: JournalMode?
    private let scratch: Scratch
    private(set) var figures = Figures()

    struct Figures {
        var rounds = 0, files = 0, killed = 0, steps = 0, checksKilled = 0, ahead = 0, changes = 0
    }

    /// A file and its state over several rounds.
    private struct Life {
        let folder: String
        let file: BankFile
        var version = BankVersion.first
        var roundsLeft: Int
        /// The number of steps in the file.
        var steps = 0
    }

    init(seed: UInt64, journal: JournalMode?) throws {
        (self.seed, self.journal) = (seed, journal)
        scratch = try Scratch()
    }

    /// Runs files with the numbers from `first`. Each file is independent and can be replayed.
    mutating func run(first: Int, until isOver: (Figures) -> Bool) throws {
        defer { scratch.remove() }
        var number = first
        while !isOver(figures) {
            var random = Randomness(seed, number)
            do { try live(number, &random, isOver) } catch {
                let option = journal.map { " --journal \($0.rawValue)" } ?? ""
                throw Failure("kills --seed \(seed) --first \(number) --rounds 20\(option): \(error)")
            }
            number += 1
            figures.files += 1
        }
    }

    private mutating func live(_ number: Int, _ random: inout Randomness, _ isOver: (Figures) -> Bool) throws {
        let folder = try scratch.folder("file-\(number)")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var file = BankFile(
            folder + "/bank.sqlite", seed: random.next(), durability: random.chance(0.5) ? .full : .relaxed,
            journal: random.chance(0.2) ? .rollback : .wal)
        if let journal { file.configuration.journal = journal }
        var life = Life(folder: folder, file: file, roundsLeft: 4 + random.below(8))
        while life.roundsLeft > 0 && !isOver(figures) {
            if life.version == .first && random.chance(0.2) {
                life.version = .second
                figures.changes += 1
            }
            try round(&life, &random)
            life.roundsLeft -= 1
            figures.rounds += 1
        }
    }

    private mutating func round(_ life: inout Life, _ random: inout Randomness) throws {
        let acknowledged = try work(life, &random)
        // Sometimes, the next process that opens the file is killed too, during recovery.
        if random.chance(0.2) {
            let kill = Kill(at: 1 + random.below(40), isTorn: random.chance(0.5))
            let (file, version, folder) = (life.file, life.version, life.folder)
            let end = try ChildProcess {
                kill.arm(folder)
                _ = try file.check(version, thoroughly: false)
            }.wait()
            if case .failed(let problem) = end { throw Failure("the first look after a kill: \(problem)") }
            if end == .killed { figures.checksKilled += 1 }
        }
        let (file, version, result) = (life.file, life.version, life.folder + "/result")
        try ChildProcess.run {
            let steps = try file.check(version)
            try Data("\(steps)".utf8).write(to: URL(filePath: result))
        }
        guard let steps = Int(try String(contentsOfFile: result, encoding: .utf8)) else { throw Failure("no result") }
        try require(
            steps == acknowledged || steps == acknowledged + 1,
            "the file holds \(steps) steps, and \(acknowledged) were acknowledged")
        if steps > acknowledged { figures.ahead += 1 }
        figures.steps += steps - life.steps
        life.steps = steps
    }

    /// Runs steps until the process is killed.
    ///
    /// - Returns: The last acknowledged step.
    private mutating func work(_ life: Life, _ random: inout Randomness) throws -> Int {
        let acknowledgements = life.folder + "/acknowledged"
        unlink(acknowledgements)
        let isTimed = random.chance(0.4)
        let kill = Kill(at: random.logarithmic(1500), isTorn: random.chance(0.5))
        let (file, version, folder) = (life.file, life.version, life.folder)
        let child = try ChildProcess {
            if !isTimed { kill.arm(folder) }
            let log = open(acknowledgements, O_WRONLY | O_CREAT | O_APPEND, 0o600)
            try file.work(version, steps: isTimed ? 10_000 : 60) { step in
                var step = Int64(step)
                write(log, &step, 8)
            }
        }
        if isTimed {
            usleep(UInt32(random.logarithmic(60_000)))
            child.kill()
        }
        switch child.wait() {
        case .failed(let problem): throw Failure(problem)
        case .killed: figures.killed += 1
        case .finished: break
        }
        let log = (try? Data(contentsOf: URL(filePath: acknowledgements))) ?? Data()
        return log.suffix(8).count < 8
            ? life.steps : Int(log.suffix(8).withUnsafeBytes { $0.loadUnaligned(as: Int64.self) })
    }
}

/// A kill at one of SQLite's system calls that open or change files.
struct Kill {
    let at: Int
    let isTorn: Bool

    func arm(_ folder: String) {
        let calls = PO_CHANGES.rawValue | PO_OPEN.rawValue | PO_SHARED_MEMORY.rawValue
        po_arm(po_watch_folder(folder), calls, at, isTorn ? PO_TEAR : PO_KILL, false)
    }
}

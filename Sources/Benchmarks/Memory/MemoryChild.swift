import Foundation
import PersistentObjects

/// The same executable, started again to load all objects once and report the growth of its memory.
struct MemoryChild {
    let side: Side
    let trial: Trial
    /// The shape of the objects; nil for players.
    let shape: MemoryShape?

    init(side: Side, trial: Trial, shape: MemoryShape? = nil) {
        (self.side, self.trial, self.shape) = (side, trial, shape)
    }

    /// In the child: creates it from the parent's options.
    init(side: Side, options: Options) throws {
        guard !options.database.isEmpty else { throw OptionError("--memory-child needs --database") }
        self.init(
            side: side, trial: Trial(path: options.database, options: options), shape: options.memoryShape)
    }

    /// In the child: loads all objects and measures the growth.
    func run() throws -> Growth {
        if let shape { return try shape.measure(side, trial) }
        switch side {
        case .ours:
            return try trial.inSession { _ in
                _ = try Player.countByCriteria("WHERE \(Self.neverTrue)")
                return try Growth.measure { try Player.all() }
            }
        case .floor:
            return try trial.onFloor { table in
                _ = try table.database.text("SELECT count(*) FROM player WHERE \(Self.neverTrue)")
                return try Growth.measure { try table.all() }
            }
        }
    }

    /// A condition on a column without an index. It reads every page of the table, so that SQLite's page cache grows
    /// before objects are measured.
    private static let neverTrue = "score < -1"

    /// In the parent: starts the child and reads its result.
    func spawn() throws -> Measurement {
        let process = Process()
        process.executableURL = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["--memory-child", side.rawValue, "--rows", "\(trial.rows)", "--database", trial.path]
        if let shape { process.arguments? += ["--memory-shape", "\(shape.rawValue)"] }
        if trial.options.floorNoMutex { process.arguments?.append("--floor-nomutex") }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0, let growth = Growth(line: text) else {
            throw ChildFailed(status: process.terminationStatus, output: text)
        }
        return Measurement(amount: Double(growth.bytes), tally: growth.tally)
    }
}

/// The growth of memory, and the tally of the loaded objects.
struct Growth {
    let bytes: Int
    let tally: Tally

    /// Measures memory before and after `load`, while its objects are held.
    static func measure(_ load: () throws -> [some PlayerValues]) throws -> Growth {
        let before = try ResidentMemory.bytes()
        let players = try load()
        let after = try ResidentMemory.bytes()
        return Growth(bytes: after - before, tally: Tally(touching: players))
    }

    /// Measures memory before and after `load`, and sums a number of each object as their ages.
    static func measure<T>(_ load: () throws -> [T], _ number: (T) -> Int) throws -> Growth {
        let before = try ResidentMemory.bytes()
        let objects = try load()
        let after = try ResidentMemory.bytes()
        var tally = Tally()
        (tally.count, tally.ages) = (objects.count, objects.reduce(0) { $0 &+ number($1) })
        return Growth(bytes: after - before, tally: tally)
    }

    /// The line that the child prints: bytes, number of objects, sum of their ages.
    var line: String { "\(bytes) \(tally.count) \(tally.ages)" }

    private init(bytes: Int, tally: Tally) {
        self.bytes = bytes
        self.tally = tally
    }

    /// Parses the line that a child printed.
    init?(line: String) {
        let numbers = line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard numbers.count == 3 else { return nil }
        var tally = Tally()
        tally.count = numbers[1]
        tally.ages = numbers[2]
        self.init(bytes: numbers[0], tally: tally)
    }
}

/// The error if a child returned no result.
struct ChildFailed: Error, CustomStringConvertible {
    let status: Int32
    let output: String

    var description: String { "the memory child ended with status \(status) and said \"\(output)\"" }
}

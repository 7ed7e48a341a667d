import Foundation
import PersistentObjects

/// Simulates power cuts. A program runs once, and its disk operations are replayed repeatedly, each time up to a random
/// position. The library must then find the acknowledged steps, each complete.
struct PowerRun {
    let seed: UInt64
    let mode: Mode
    private(set) var figures = Figures()

    /// The durability and the journal, which determine the guarantee.
    struct Mode {
        let name: String
        let durability: Store.Configuration.Durability
        let journal: JournalMode

        static let all = [
            Mode(name: ".full", durability: .full, journal: .wal),
            Mode(name: ".full with a rollback journal", durability: .full, journal: .rollback),
            Mode(name: ".relaxed", durability: .relaxed, journal: .wal),
            Mode(name: ".relaxed with a rollback journal", durability: .relaxed, journal: .rollback),
        ]

        var losesNothing: Bool { if case .full = durability { true } else { false } }
    }

    struct Figures: Codable {
        var cuts = 0, cutsWithLosses = 0, mostLost = 0, operations = 0, records = 0

        mutating func add(_ other: Figures) {
            cuts += other.cuts
            cutsWithLosses += other.cutsWithLosses
            mostLost = max(mostLost, other.mostLost)
            operations += other.operations
            records += 1
        }
    }

    init(seed: UInt64, mode: Mode) { (self.seed, self.mode) = (seed, mode) }

    /// Simulates `cuts` power cuts. Each record has up to 200 cuts, and is made and replayed in a separate process.
    mutating func run(cuts: Int, first: Int, until isOver: () -> Bool) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        var number = first
        while figures.cuts < cuts && !isOver() {
            let (folder, count) = (try scratch.folder("record"), min(200, cuts - figures.cuts))
            let result = folder + "/figures"
            do {
                try ChildProcess.run {
                    let found = try replay(number, count, folder)
                    try JSONEncoder().encode(found).write(to: URL(filePath: result))
                }
            } catch { throw Failure("\(mode.name), --seed \(seed) --first \(number): \(error)") }
            figures.add(try JSONDecoder().decode(Figures.self, from: Data(contentsOf: URL(filePath: result))))
            number += 1
        }
    }

    private func replay(_ number: Int, _ cuts: Int, _ folder: String) throws -> Figures {
        var random = Randomness(seed, number)
        let bankSeed = random.next()
        let operations = try record(folder, bankSeed, &random)
        var figures = Figures(operations: operations.count)
        var disk = Disk(), done = 0
        // The positions are in ascending order, so one disk is enough.
        for place in (0..<cuts).map({ _ in random.below(operations.count + 1) }).sorted() {
            for operation in operations[done..<place] { disk.apply(operation) }
            done = place
            do {
                let lost = disk.acknowledged - (try check(disk, folder + "/disk", bankSeed, &random))
                if lost > 0 { figures.cutsWithLosses += 1 }
                figures.mostLost = max(figures.mostLost, lost)
            } catch { throw Failure("cut at \(place) of \(operations.count): \(error)") }
            figures.cuts += 1
        }
        return figures
    }

    /// The number of steps that the library finds after a power cut.
    private func check(_ disk: Disk, _ folder: String, _ bankSeed: UInt64, _ random: inout Randomness) throws -> Int {
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        for (name, bytes) in disk.cut(&random) { try Data(bytes).write(to: URL(filePath: folder + "/" + name)) }
        let version: BankVersion = disk.isSecondVersion || random.chance(0.2) ? .second : .first
        let steps = try bank(folder, bankSeed).check(version)
        try require(
            steps <= disk.acknowledged + 1, "it holds \(steps) steps, but only \(disk.acknowledged) were acknowledged")
        try require(
            steps >= disk.acknowledged || !mode.losesNothing,
            "it holds \(steps) steps, and \(disk.acknowledged) were acknowledged")
        return steps
    }

    private func bank(_ folder: String, _ seed: UInt64) -> BankFile {
        BankFile(folder + "/bank.sqlite", seed: seed, durability: mode.durability, journal: mode.journal)
    }

    /// Records the disk operations of both versions of the program, which open the file several times.
    private func record(
        _ folder: String, _ bankSeed: UInt64, _ random: inout Randomness
    ) throws -> [DiskRecord.Operation] {
        let record = DiskRecord()
        try record.observe(folder) {
            for opening in 0..<4 {
                if opening == 2 { record.note(.secondVersion) }
                let steps = 5 + random.below(25)
                try bank(folder, bankSeed).work(opening < 2 ? .first : .second, steps: steps) {
                    record.note(.acknowledge($0))
                }
            }
        }
        return record.operations
    }
}

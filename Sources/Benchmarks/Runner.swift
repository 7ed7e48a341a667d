import Foundation

/// Runs works, both sides in turn, with each trial on a new copy of a database in a temporary directory.
final class Runner {
    let options: Options
    private let directory: URL
    private var templates: [Template: URL] = [:]

    private struct Template: Hashable {
        let side: Side
        let fixture: Fixture
    }

    init(_ options: Options) throws {
        self.options = options
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("PersistentObjects-Benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    /// Removes all files.
    func cleanUp() {
        try? FileManager.default.removeItem(at: directory)
    }

    /// Runs all rounds of a work: ours, floor, floor, ours, ours, …
    ///
    /// - Throws: ``WrongResult`` if a side did not do the required work.
    func run(_ work: any Work) throws -> WorkResult {
        var rounds: [(ours: Double, floor: Double)] = []
        var expected = work.expected(rows: options.rows)
        for round in 0..<options.rounds {
            var amounts: [Side: Double] = [:]
            for side in round.isMultiple(of: 2) ? [Side.ours, .floor] : [.floor, .ours] {
                let measurement = try measure(work, side)
                if let expected, measurement.tally != expected {
                    throw WrongResult(work: work.name, side: side, expected: expected, found: measurement.tally)
                }
                expected = measurement.tally
                amounts[side] = measurement.amount
            }
            rounds.append((amounts[.ours, default: 0], amounts[.floor, default: 0]))
        }
        return WorkResult(
            name: work.name, group: work.group, budget: work.budget, operations: work.operations(rows: options.rows),
            rounds: rounds,
            statements: try countStatements(work))
    }

    /// Runs an additional round, which is traced and not timed.
    private func countStatements(_ work: any Work) throws -> (ours: Int, floor: Int)? {
        guard !work.budget.measuresBytes else { return nil }
        return (
            try StatementCount.measure { _ = try measure(work, .ours) },
            try StatementCount.measure { _ = try measure(work, .floor) }
        )
    }

    /// A line for each difference between the two sides' files and connections.
    ///
    /// The comparison is fair only if there are none.
    func differences(_ fixtures: Set<Fixture>) throws -> [String] {
        try Fixture.allCases.filter { fixtures.contains($0) && !$0.tables.isEmpty }.flatMap { fixture in
            let ours = try template(.ours, fixture), floor = try template(.floor, fixture)
            let copies = try (ours: copy(ours), floor: copy(floor))
            defer { for copy in [copies.ours, copies.floor] { discard(copy) } }
            return try Likeness.differences(fixture, ours: trial(copies.ours), floor: trial(copies.floor))
        }
    }

    private func measure(_ work: any Work, _ side: Side) throws -> Measurement {
        let actual = options.floorTwice ? .floor : side
        let file = work.fixture == .nothing ? try newFile() : try copy(template(actual, work.fixture))
        defer { discard(file) }
        return switch actual {
        case .ours: try work.ours(trial(file))
        case .floor: try work.floor(trial(file))
        }
    }

    private func trial(_ file: URL) -> Trial {
        Trial(path: file.path, options: options)
    }

    /// A closed file with all rows, which the side has written once.
    private func template(_ side: Side, _ fixture: Fixture) throws -> URL {
        let key = Template(side: fixture.tables.isEmpty ? .ours : side, fixture: fixture)
        if let file = templates[key] { return file }
        let file = try newFile()
        try trial(file).fill(fixture, by: key.side)
        templates[key] = file
        return file
    }

    /// A path for a database, in a new directory that also contains SQLite's additional files.
    private func newFile() throws -> URL {
        let home = directory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false)
        return home.appendingPathComponent("players.sqlite")
    }

    private func copy(_ file: URL) throws -> URL {
        let home = directory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.copyItem(at: file.deletingLastPathComponent(), to: home)
        return home.appendingPathComponent(file.lastPathComponent)
    }

    private func discard(_ file: URL) {
        try? FileManager.default.removeItem(at: file.deletingLastPathComponent())
    }
}

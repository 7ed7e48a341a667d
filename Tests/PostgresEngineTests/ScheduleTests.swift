#if PostgreSQL
    import Foundation
    import PersistentObjects
    import StoreEngine
    import TestSupport
    import Testing

    private final class Seat: PersistentObject {
        override class var tableName: String { "seat" }
        var a = 0
        var b = 0
        var tags: [String] = []
    }

    /// Two sessions write the same rows in random order. What each session reads, and the errors it gets, must be the
    /// same in both engines.
    @Suite(.onPostgres("it compares a server with a file")) struct ScheduleTests {
        private enum Step {
            case editA(Int), editB(Int), editTags(Int), save(Int, policy: Int), saveAll(policy: Int), reload(Int),
                refetch
            case revert(Int), transaction(Int, fails: Bool), nested(Int, fails: Bool)

            init(_ random: inout SeededGenerator) {
                let place = Int.random(in: 0..<3, using: &random)
                let policy = Int.random(in: 0..<5, using: &random)
                switch Int.random(in: 0..<16, using: &random) {
                case 0..<3: self = .editA(place)
                case 3..<5: self = .editB(place)
                case 5: self = .editTags(place)
                case 6..<9: self = .save(place, policy: policy)
                case 9..<11: self = .saveAll(policy: policy)
                case 11: self = .reload(place)
                case 12: self = .refetch
                case 13: self = .revert(place)
                case 14: self = .transaction(place, fails: policy == 0)
                default: self = .nested(place, fails: policy < 2)
                }
            }
        }

        private struct Stop: Error {}

        private static func policy(_ number: Int) -> ConflictPolicy {
            switch number {
            case 0: .merge
            case 1: .fail
            case 2: .mine
            case 3: .theirs
            default: .resolve { conflict in conflict.property == "a" ? .mine : .theirs }
            }
        }

        private static func run(_ step: Step, _ number: Int, _ seats: [Seat], _ session: Session) throws {
            switch step {
            case .editA(let place): seats[place].a = number
            case .editB(let place): seats[place].b = number % 3
            case .editTags(let place): seats[place].tags.append("\(number)")
            case .save(let place, let policy): try seats[place].save(.onConflict(Self.policy(policy)))
            case .saveAll(let policy): try session.save(seats, .onConflict(Self.policy(policy)))
            case .reload(let place): try seats[place].reload()
            case .refetch: _ = try Seat.all()
            case .revert(let place): seats[place].revert()
            case .transaction(let place, let fails):
                try session.transaction {
                    seats[place].a += 1000
                    try seats[place].save()
                    if fails { throw Stop() }
                }
            case .nested(let place, let fails):
                try session.transaction {
                    seats[(place + 1) % 3].b += 1000
                    try? session.transaction {
                        try seats[place].save()
                        if fails { throw Stop() }
                    }
                    try seats[(place + 1) % 3].save()
                }
            }
        }

        /// Runs a schedule with two sessions of an engine. Returns a line with the outcome of each step.
        private static func log(_ seed: UInt64, _ stores: [Store]) throws -> [String] {
            var random = SeededGenerator(seed: seed)
            var lines: [String] = []
            try stores[0].withSession { first in
                try first.execute("DELETE FROM seat")
                try first.execute("DELETE FROM seat_tags")
                for id in 1...3 { try first.execute("INSERT INTO seat (id, a, b) VALUES (?, 0, 0)", id) }
            }
            try stores[0].withSession { first in
                try stores[1].withSession { second in
                    let sessions = [first, second]
                    let seats = try sessions.map { session in try CurrentSession.with(session) { try Seat.all() } }
                    for number in 1...24 {
                        let who = Int.random(in: 0..<2, using: &random)
                        let step = Step(&random)
                        var told = ""
                        do {
                            try CurrentSession.with(sessions[who]) {
                                try run(step, number, seats[who], sessions[who])
                            }
                        } catch let error as StoreError {
                            told = "\(error.code) \(error.conflicts.map(\.property)) \(error.rowID ?? 0)"
                            if error.code == .busy { told += " \(error.message)" }
                        } catch { told = "\(type(of: error))" }
                        let seen = seats[who].map { "\($0.a) \($0.b) \($0.tags) \($0.hasChanges)" }
                        lines.append("\(number): session \(who) \(step): \(told) \(seen)")
                    }
                    for (session, seats) in zip(sessions, seats) {
                        CurrentSession.with(session) { for seat in seats { seat.revert() } }
                    }
                    lines.append("\(try first.rows("SELECT a, b FROM seat ORDER BY id").map { [$0[0], $0[1]] })")
                }
            }
            return lines
        }

        @Test("1,000 random schedules of two sessions have the same outcome as in a file")
        func schedules() throws {
            let (server, file) = (try TemporaryStore(), try TemporaryStore())
            // On a busy machine a lock can take longer than usual.
            let configuration = Store.Configuration(busyTimeout: .seconds(60), lostEdits: .ignore, onNote: { _ in })
            let onServer = try (0..<2).map { _ in try server.open(configuration: configuration) }
            let inFile = try (0..<2).map { _ in
                try Store(file.path, configuration: configuration, engine: SQLiteEngine())
            }
            defer { for store in onServer + inFile { store.close() } }
            for store in onServer + inFile { try store.prepare(Seat.self) }
            for seed in SeededGenerator.seeds(1000) {
                let (wanted, got) = (try Self.log(seed, inFile), try Self.log(seed, onServer))
                guard wanted != got else { continue }
                let first = zip(wanted, got).enumerated().first { $1.0 != $1.1 }
                Issue.record(
                    "SEED=\(seed): \(first.map { "\($1.0)\nbut \($1.1)" } ?? "")\n\(got.joined(separator: "\n"))")
                return
            }
        }
    }
#endif

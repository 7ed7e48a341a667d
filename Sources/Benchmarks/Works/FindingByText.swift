import PersistentObjects

/// Finds each last name once, in random order, outside a transaction. Each has five rows, whose objects are released
/// immediately.
struct FindByText: Work {
    /// The spelling of the finder.
    enum Spelling: String {
        case dynamic, typed, criteria, query
    }

    let spelling: Spelling
    let budget = Budget.ratio(1.10)

    init(_ spelling: Spelling) { self.spelling = spelling }

    var name: String { "finder on an indexed text, \(spelling.rawValue)" }

    func operations(rows: Int) -> Int { PlayerData.lastNames(rows: rows) }

    func expected(rows: Int) -> Tally? { Tally(touching: PlayerData.numbers(rows)) }

    func ours(_ trial: Trial) throws -> Measurement {
        switch spelling {
        case .dynamic: try ours(trial) { try Player.findByLastName($0) }
        case .typed: try ours(trial) { try Player.findBy.lastName($0) }
        case .query: try ours(trial) { name in try Player.where { $0.lastName == name }.all() }
        case .criteria: try ours(trial) { try Player.findByCriteria("WHERE last_name = ?", $0) }
        }
    }

    @inline(__always)
    private func ours(_ trial: Trial, _ find: (String) throws -> [Player]) throws -> Measurement {
        let names = trial.shuffledLastNames()
        return try trial.inSession { _ in
            var tally = Tally()
            let time = try Stopwatch.time {
                for name in names {
                    for player in try find(name) { tally.touch(player) }
                }
            }.nanoseconds
            return Measurement(amount: time, tally: tally)
        }
    }

    func floor(_ trial: Trial) throws -> Measurement {
        let names = trial.shuffledLastNames()
        return try trial.onFloor { table in
            var tally = Tally()
            let time = try Stopwatch.time {
                for name in names {
                    for player in try table.find(lastName: name) { tally.touch(player) }
                }
            }.nanoseconds
            return Measurement(amount: time, tally: tally)
        }
    }
}

import PersistentObjects

/// Finds each id once, in random order, outside a transaction. Each object is released immediately, so that every call
/// reads the file.
struct FindInFile: Work {
    let name = "find by id, from the file"
    let budget = Budget.ratio(1.10)

    func expected(rows: Int) -> Tally? { Tally(touching: PlayerData.numbers(rows)) }

    func ours(_ trial: Trial) throws -> Measurement {
        let ids = trial.shuffledIDs()
        return try trial.inSession { _ in
            var tally = Tally()
            let time = try Stopwatch.time {
                for id in ids {
                    if let player = try Player.find(id) { tally.touch(player) }
                }
            }.nanoseconds
            return Measurement(amount: time, tally: tally)
        }
    }

    func floor(_ trial: Trial) throws -> Measurement {
        let ids = trial.shuffledIDs()
        return try trial.onFloor { table in
            var tally = Tally()
            let time = try Stopwatch.time {
                for id in ids {
                    if let player = try table.find(id) { tally.touch(player) }
                }
            }.nanoseconds
            return Measurement(amount: time, tally: tally)
        }
    }
}

/// Finds each id once, in random order, while all objects are held. The floor is a plain dictionary of strong
/// references.
struct FindInMap: Work {
    let name = "find by id, in the map"
    let budget = Budget.nanosecondsEach(100)

    func expected(rows: Int) -> Tally? { Tally(touching: PlayerData.numbers(rows)) }

    func ours(_ trial: Trial) throws -> Measurement {
        let ids = trial.shuffledIDs()
        return try trial.inSession { _ in
            let held = try Player.all()
            var tally = Tally()
            let time = try Stopwatch.time {
                for id in ids {
                    if let player = try Player.find(id) { tally.touch(player) }
                }
            }.nanoseconds
            return withExtendedLifetime(held) { Measurement(amount: time, tally: tally) }
        }
    }

    func floor(_ trial: Trial) throws -> Measurement {
        let ids = trial.shuffledIDs()
        return try trial.onFloor { table in
            let held = Dictionary(uniqueKeysWithValues: try table.all().map { ($0.id, $0) })
            var tally = Tally()
            let time = Stopwatch.time {
                for id in ids {
                    if let player = held[id] { tally.touch(player) }
                }
            }.nanoseconds
            return withExtendedLifetime(held) { Measurement(amount: time, tally: tally) }
        }
    }
}

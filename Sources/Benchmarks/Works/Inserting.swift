import PersistentObjects

/// Inserts existing unsaved objects in one transaction.
struct InsertTogether: Work {
    let name = "insert, one transaction"
    let budget = Budget.ratio(1.10)
    let fixture = Fixture.nothing

    func ours(_ trial: Trial) throws -> Measurement {
        let time = try trial.inSession { session in
            let players = PlayerData.numbers(trial.rows).map(Player.init)
            return try Stopwatch.time { try session.save(players) }.nanoseconds
        }
        return Measurement(amount: time, tally: try trial.tallyOfFile())
    }

    func floor(_ trial: Trial) throws -> Measurement {
        let time = try trial.onFloor { table in
            let players = PlayerData.numbers(trial.rows).map(FloorPlayer.init)
            return try Stopwatch.time { try table.insert(players) }.nanoseconds
        }
        return Measurement(amount: time, tally: try trial.tallyOfFile())
    }
}

/// Inserts existing unsaved objects, each in a separate transaction: 1,000, or all rows if there are fewer.
struct InsertOneByOne: Work {
    let name = "insert, 1,000 transactions"
    let budget = Budget.ratio(1.02)
    let fixture = Fixture.nothing

    func operations(rows: Int) -> Int { min(rows, 1_000) }

    func expected(rows: Int) -> Tally? {
        Tally(of: PlayerData.numbers(rows, count: operations(rows: rows)))
    }

    func ours(_ trial: Trial) throws -> Measurement {
        let count = operations(rows: trial.rows)
        let time = try trial.inSession { _ in
            let players = PlayerData.numbers(trial.rows, count: count).map(Player.init)
            return try Stopwatch.time { for player in players { try player.save() } }.nanoseconds
        }
        return Measurement(amount: time, tally: try trial.tallyOfFile())
    }

    func floor(_ trial: Trial) throws -> Measurement {
        let count = operations(rows: trial.rows)
        let time = try trial.onFloor { table in
            let players = PlayerData.numbers(trial.rows, count: count).map(FloorPlayer.init)
            return try Stopwatch.time { for player in players { try table.insert(player) } }.nanoseconds
        }
        return Measurement(amount: time, tally: try trial.tallyOfFile())
    }
}

import PersistentObjects

/// Changes a property of each object, and saves all objects in one transaction.
struct ChangeAndSave: Work {
    let name = "change one property of each, save all"
    let budget = Budget.ratio(1.20)

    func expected(rows: Int) -> Tally? {
        var tally = Tally(of: PlayerData.numbers(rows))
        tally.scores += Double(rows)
        return tally
    }

    func ours(_ trial: Trial) throws -> Measurement {
        let time = try trial.inSession { session in
            let players = try Player.all()
            return try Stopwatch.time {
                for player in players { player.score += 1 }
                try session.save(players)
            }.nanoseconds
        }
        return Measurement(amount: time, tally: try trial.tallyOfFile())
    }

    func floor(_ trial: Trial) throws -> Measurement {
        let time = try trial.onFloor { table in
            let players = try table.all()
            return try Stopwatch.time {
                for player in players { player.score += 1 }
                try table.updateScores(players)
            }.nanoseconds
        }
        return Measurement(amount: time, tally: try trial.tallyOfFile())
    }
}

/// Deletes each object, in one transaction.
struct DeleteEach: Work {
    let name = "delete each, one transaction"
    let budget = Budget.ratio(1.03)

    func expected(rows: Int) -> Tally? { Tally() }

    func ours(_ trial: Trial) throws -> Measurement {
        let time = try trial.inSession { session in
            let players = try Player.all()
            return try Stopwatch.time { try session.delete(players) }.nanoseconds
        }
        return Measurement(amount: time, tally: try trial.tallyOfFile())
    }

    func floor(_ trial: Trial) throws -> Measurement {
        let time = try trial.onFloor { table in
            let players = try table.all()
            return try Stopwatch.time { try table.delete(players) }.nanoseconds
        }
        return Measurement(amount: time, tally: try trial.tallyOfFile())
    }
}

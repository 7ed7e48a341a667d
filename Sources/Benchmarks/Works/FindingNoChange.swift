import PersistentObjects

/// Saves each object, none of which has changed. The floor checks a flag that all code that changes an object must set.
struct SaveUnchanged: Work {
    let name = "save with no change"
    let budget = Budget.nanosecondsEach(100)

    func expected(rows: Int) -> Tally? { Tally(touching: PlayerData.numbers(rows)) }

    func ours(_ trial: Trial) throws -> Measurement {
        try trial.inSession { _ in
            let players = try Player.all()
            let time = try Stopwatch.time { for player in players { try player.save() } }.nanoseconds
            return Measurement(amount: time, tally: Tally(touching: players))
        }
    }

    func floor(_ trial: Trial) throws -> Measurement {
        try trial.onFloor { table in
            let players = try table.all()
            let time = try Stopwatch.time {
                for player in players where player.isDirty { try table.updateScores([player]) }
            }.nanoseconds
            return Measurement(amount: time, tally: Tally(touching: players))
        }
    }
}

/// Checks all live objects for changes, of which there are none.
struct ScanUnchanged: Work {
    let name = "scan of clean objects"
    let budget = Budget.millisecondsFor100k(5)

    func expected(rows: Int) -> Tally? { Tally(touching: PlayerData.numbers(rows)) }

    func ours(_ trial: Trial) throws -> Measurement {
        try trial.inSession { session in
            let players = try Player.all()
            let time = try Stopwatch.time { try session.saveChanges() }.nanoseconds
            return Measurement(amount: time, tally: Tally(touching: players))
        }
    }

    func floor(_ trial: Trial) throws -> Measurement {
        try trial.onFloor { table in
            let players = try table.all()
            let time = try Stopwatch.time {
                let changed = players.filter { $0.isDirty }
                if !changed.isEmpty { try table.updateScores(changed) }
            }.nanoseconds
            return Measurement(amount: time, tally: Tally(touching: players))
        }
    }
}

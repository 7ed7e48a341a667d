import PersistentObjects

/// Fetches all rows as objects, none of which is in memory before.
struct FetchFresh: Work {
    let name = "fetch all, fresh"
    let budget = Budget.ratio(1.15)

    func ours(_ trial: Trial) throws -> Measurement {
        try trial.inSession { _ in
            let (players, time) = try Stopwatch.time { try Player.all() }
            return Measurement(amount: time, tally: Tally(of: players))
        }
    }

    func floor(_ trial: Trial) throws -> Measurement {
        try trial.onFloor { table in
            let (players, time) = try Stopwatch.time { try table.all() }
            return Measurement(amount: time, tally: Tally(of: players))
        }
    }
}

/// Fetches all rows again while all objects are held. The library returns the same objects; the floor creates new
/// objects.
struct FetchAgain: Work {
    let name = "fetch all again, all held"
    let budget = Budget.ratio(0.5)

    func ours(_ trial: Trial) throws -> Measurement {
        try trial.inSession { _ in
            let held = try Player.all()
            let (again, time) = try Stopwatch.time { try Player.all() }
            let same = zip(held, again).filter { $0 === $1 }
            return Measurement(amount: time, tally: Tally(of: same.map(\.1)))
        }
    }

    func floor(_ trial: Trial) throws -> Measurement {
        try trial.onFloor { table in
            let held = try table.all()
            let (again, time) = try Stopwatch.time { try table.all() }
            return withExtendedLifetime(held) { Measurement(amount: time, tally: Tally(of: again)) }
        }
    }
}

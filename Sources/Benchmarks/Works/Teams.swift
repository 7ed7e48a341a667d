import PersistentObjects

/// The kind of property with which a team refers to its players.
enum TeamForm: String, CaseIterable {
    case array = "array"
    case lazy = "@Lazy"
    case inverse = "@Inverse"

    var fixture: Fixture { self == .inverse ? .clubs : .teams }
}

/// Fetches all teams and touches each player. The floor reads the same tables with two queries and merges them by team.
struct LoadTeams: Work {
    let form: TeamForm
    let budget = Budget.ratio(0.95)

    init(_ form: TeamForm) { self.form = form }

    var name: String { "load teams of 20, \(form.rawValue)" }
    var fixture: Fixture { form.fixture }

    func operations(rows: Int) -> Int { TeamData.count(rows: rows) * TeamData.size }

    func expected(rows: Int) -> Tally? {
        var tally = Tally()
        for team in TeamData.all(rows: rows) { tally.touch(team) }
        return tally
    }

    func ours(_ trial: Trial) throws -> Measurement {
        switch form {
        case .array: try ours(trial, Team.self)
        case .lazy: try ours(trial, LazyTeam.self)
        case .inverse: try ours(trial, Club.self)
        }
    }

    @inline(__always)
    private func ours<T: OurTeam>(_ trial: Trial, _ type: T.Type) throws -> Measurement {
        try trial.inSession(using: T.self, T.Member.self) { _ in
            var tally = Tally()
            let (teams, time) = try Stopwatch.time {
                let teams = try T.all()
                for team in teams { tally.touch(team) }
                return teams
            }
            return withExtendedLifetime(teams) { Measurement(amount: time, tally: tally) }
        }
    }

    func floor(_ trial: Trial) throws -> Measurement {
        try trial.onDatabase { database in
            let table = try FloorTeams(database, fixture)
            var tally = Tally()
            let (teams, time) = try Stopwatch.time {
                let teams = try table.all()
                for team in teams { tally.touch(team) }
                return teams
            }
            return withExtendedLifetime(teams) { Measurement(amount: time, tally: tally) }
        }
    }
}

/// Inserts existing unsaved teams and players in one transaction. The library receives only the teams.
struct SaveTeams: Work {
    let form: TeamForm
    let budget = Budget.ratio(1.10)
    let fixture = Fixture.nothing

    init(_ form: TeamForm) { self.form = form }

    var name: String { "save teams of 20, \(form.rawValue)" }

    func operations(rows: Int) -> Int { TeamData.count(rows: rows) * TeamData.size }
    func expected(rows: Int) -> Tally? { Tally(of: TeamData.all(rows: rows)) }

    func ours(_ trial: Trial) throws -> Measurement {
        switch form {
        case .array: try ours(trial, Team.self)
        case .lazy: try ours(trial, LazyTeam.self)
        case .inverse: try ours(trial, Club.self)
        }
    }

    private func ours<T: OurTeam>(_ trial: Trial, _ type: T.Type) throws -> Measurement {
        let time = try trial.inSession(using: T.self, T.Member.self) { session in
            let teams = TeamData.all(rows: trial.rows).map(T.init)
            return try Stopwatch.time { try session.save(teams) }.nanoseconds
        }
        return Measurement(amount: time, tally: try tallyOfFile(trial))
    }

    func floor(_ trial: Trial) throws -> Measurement {
        let time = try trial.onDatabase { database in
            let table = try FloorTeams(database, form.fixture)
            let teams = TeamData.all(rows: trial.rows).map(FloorTeam.init)
            return try Stopwatch.time { try table.insert(teams) }.nanoseconds
        }
        return Measurement(amount: time, tally: try tallyOfFile(trial))
    }

    private func tallyOfFile(_ trial: Trial) throws -> Tally {
        let joined =
            form == .inverse
            ? "club JOIN club_member ON club_id = club.id"
            : "team JOIN team_members ON owner_id = team.id JOIN member ON value_id = member.id"
        return try trial.onDatabase { try $0.tally(from: joined, team: "number") }
    }
}

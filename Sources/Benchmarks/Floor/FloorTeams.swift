import Foundation

/// A hand-written team.
final class FloorTeam: TeamValues {
    /// 0 until inserted.
    var id: Int64
    var name: String
    var number: Int
    var members: [FloorPlayer]

    init(_ data: TeamData) {
        id = 0
        name = data.name
        number = data.number
        members = data.members.map(FloorPlayer.init)
    }

    @inline(__always)
    init(row: FloorStatement) {
        id = row.integer(0)
        name = row.text(1)
        number = Int(row.integer(2))
        members = []
    }
}

/// The tables of teams and players, with a join table or with the team in the player's row.
final class FloorTeams {
    private let database: FloorDatabase
    private let teamInsertion, memberInsertion, allTeams, allMembers: FloorStatement
    /// Nil if the team is in the player's row.
    private let linkInsertion: FloorStatement?

    /// Creates the tables if they do not exist, in the same form as the library.
    init(_ database: FloorDatabase, _ fixture: Fixture) throws {
        self.database = database
        let isLinked = fixture == .teams
        try database.execute(isLinked ? Self.teamSchema : Self.clubSchema)
        let (team, member) = isLinked ? ("team", "member") : ("club", "club_member")
        let columns = "first_name, last_name, email, age, score, created_at, active, nickname"
        teamInsertion = try database.prepare("INSERT INTO \(team) (name, number) VALUES (?, ?)")
        allTeams = try database.prepare("SELECT id, name, number FROM \(team)")
        if isLinked {
            memberInsertion = try database.prepare("INSERT INTO member (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
            linkInsertion = try database.prepare(
                "INSERT INTO team_members (owner_id, position, value_id) VALUES (?, ?, ?)")
            allMembers = try database.prepare(
                """
                SELECT member.id, \(columns), owner_id FROM team_members
                JOIN member ON member.id = value_id ORDER BY owner_id, position
                """)
        } else {
            memberInsertion = try database.prepare(
                "INSERT INTO \(member) (\(columns), club_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
            linkInsertion = nil
            allMembers = try database.prepare("SELECT id, \(columns), club_id FROM \(member) ORDER BY club_id")
        }
    }

    /// All teams with their players, from two queries that are merged by team.
    func all() throws -> [FloorTeam] {
        var teams: [FloorTeam] = []
        do {
            defer { allTeams.reset() }
            while try allTeams.step() { teams.append(FloorTeam(row: allTeams)) }
        }
        defer { allMembers.reset() }
        var next = 0
        while try allMembers.step() {
            let team = allMembers.integer(9)
            while next < teams.count, teams[next].id != team { next += 1 }
            guard next < teams.count else { break }
            teams[next].members.append(FloorPlayer(row: allMembers))
        }
        return teams
    }

    /// Inserts all teams in one transaction.
    func insert(_ teams: [FloorTeam]) throws {
        try database.inTransaction {
            for team in teams {
                try teamInsertion.bind(team.name, at: 1)
                try teamInsertion.bind(Int64(team.number), at: 2)
                try teamInsertion.run()
                team.id = database.lastInsertedID
                for (index, member) in team.members.enumerated() { try insert(member, at: index, of: team) }
            }
        }
    }

    private func insert(_ member: FloorPlayer, at index: Int, of team: FloorTeam) throws {
        try member.bind(to: memberInsertion)
        if linkInsertion == nil { try memberInsertion.bind(team.id, at: 9) }
        try memberInsertion.run()
        member.id = database.lastInsertedID
        guard let linkInsertion else { return }
        try linkInsertion.bind(team.id, at: 1)
        try linkInsertion.bind(Int64(ListData.position(index)), at: 2)
        try linkInsertion.bind(member.id, at: 3)
        try linkInsertion.run()
    }
}

extension FloorTeams {
    private static func players(_ table: String, _ team: String) -> String {
        """
        CREATE TABLE IF NOT EXISTS \(table) (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            first_name TEXT NOT NULL,
            last_name TEXT NOT NULL,
            email TEXT NOT NULL,
            age INTEGER NOT NULL,
            score REAL NOT NULL,
            created_at REAL NOT NULL,
            active INTEGER NOT NULL,
            nickname TEXT\(team)
        ) STRICT;

        """
    }

    private static func teams(_ table: String) -> String {
        """
        CREATE TABLE IF NOT EXISTS \(table) (
            id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, number INTEGER NOT NULL
        ) STRICT;

        """
    }

    private static let teamSchema =
        teams("team") + players("member", "") + """
            CREATE TABLE IF NOT EXISTS team_members (
                owner_id INTEGER NOT NULL REFERENCES team (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
                position INTEGER NOT NULL,
                value_id INTEGER NOT NULL REFERENCES member (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
                PRIMARY KEY (owner_id, position)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX IF NOT EXISTS team_members_value_id ON team_members (value_id);
            """

    private static let clubSchema =
        teams("club")
        + players(
            "club_member",
            ",\n    club_id INTEGER REFERENCES club (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED")
        + "CREATE INDEX IF NOT EXISTS club_member_club_id ON club_member (club_id);"
}

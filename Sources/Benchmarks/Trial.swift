import Foundation
import PersistentObjects

/// One side of a round, with a separate database file and a number of rows.
struct Trial {
    /// The path of the file, which exists only if the work starts with rows.
    let path: String
    let options: Options
    var rows: Int { options.rows }

    /// The ids of all rows, in a random order that is the same in every run.
    func shuffledIDs() -> [Int64] {
        var generator = SeededGenerator()
        return (1...Int64(rows)).shuffled(using: &generator)
    }

    /// Each last name once, in a random order that is the same in every run.
    func shuffledLastNames() -> [String] {
        var generator = SeededGenerator()
        return (0..<PlayerData.lastNames(rows: rows)).shuffled(using: &generator).map(PlayerData.lastName)
    }

    /// Opens a store on the file and runs `body` in a new session.
    ///
    /// The class is used once before, because mapping it and checking its table are not part of a work. The
    /// hand-written side also prepares its statements before.
    func inSession<Answer>(_ body: (Session) throws -> Answer) throws -> Answer {
        try inSession(using: Player.self, Player.self, body)
    }

    /// Opens a store on the file, uses the classes once, and runs `body` in a new session.
    func inSession<A: Persistent, B: Persistent, Answer>(
        using _: A.Type, _: B.Type, _ body: (Session) throws -> Answer
    ) throws -> Answer {
        let store = try Store(path)
        let answer = try store.withSession { session in
            _ = try A.count() + B.count()
            return try body(session)
        }
        store.close()
        return answer
    }

    /// Opens the file with hand-written code and runs `body` on the table, which is created if it does not exist.
    func onFloor<Answer>(_ body: (FloorPlayers) throws -> Answer) throws -> Answer {
        try onDatabase { database in
            let players = try FloorPlayers(database)
            _ = try players.count()
            return try body(players)
        }
    }

    /// Opens the file with hand-written code, whichever side created it.
    func onDatabase<Answer>(_ body: (FloorDatabase) throws -> Answer) throws -> Answer {
        let database = try FloorDatabase(path, noMutex: options.floorNoMutex)
        defer { database.close() }
        return try body(database)
    }

    /// The tally of the file, read with hand-written code after the side has closed it.
    func tallyOfFile() throws -> Tally {
        try onDatabase { try $0.tally() }
    }

    /// Writes all rows into an empty file with the side's own code.
    func fill(_ fixture: Fixture, by side: Side) throws {
        switch (fixture, side) {
        case (.nothing, _): break
        case (.shop, _):
            try Store(path).withSession { session in
                try ShopData.save(rows: rows, in: session)
                try PlaylistData.save(rows: rows, in: session)
            }
        case (.widths, _): try Store(path).withSession { try MemoryShape.save(rows: rows, in: $0) }
        case (.numbers, _): try Store(path).withSession { try NumberData.save(rows: rows, in: $0) }
        case (.flights, _): try Store(path).withSession { try FlightData.save(rows: rows, in: $0) }
        case (.shapes, _): try Store(path).withSession { try ShapeData.save(rows: rows, in: $0) }
        case (.players, .ours), (.ownPlayers, _):
            try inSession { try $0.save(PlayerData.numbers(rows).map(Player.init)) }
        case (.players, .floor): try onFloor { try $0.insert(PlayerData.numbers(rows).map(FloorPlayer.init)) }
        case (.teams, .ours): try save(Team.self)
        case (.clubs, .ours): try save(Club.self)
        case (.teams, .floor), (.clubs, .floor):
            try onDatabase { try FloorTeams($0, fixture).insert(TeamData.all(rows: rows).map(FloorTeam.init)) }
        case (.lists, .ours):
            try inSession(using: TextList.self, TextList.self) {
                try $0.save(ListData.all(rows: rows).map(TextList.init))
            }
        case (.lists, .floor):
            try onDatabase { try FloorLists($0).insert(ListData.all(rows: rows).map(FloorList.init)) }
        }
    }

    private func save<T: OurTeam>(_ type: T.Type) throws {
        try inSession(using: T.self, T.Member.self) { try $0.save(TeamData.all(rows: rows).map(T.init)) }
    }
}

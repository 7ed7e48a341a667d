import Foundation
import PersistentObjects

/// One side of one round: a database file of its own and the number of rows.
struct Trial {
    /// The file. It exists where the work starts filled.
    let path: String
    let options: Options
    var rows: Int { options.rows }

    /// The ids of all rows, in an order that is random but always the same.
    func shuffledIDs() -> [Int64] {
        var generator = SeededGenerator()
        return (1...Int64(rows)).shuffled(using: &generator)
    }

    /// Each last name once, in an order that is random but always the same.
    func shuffledLastNames() -> [String] {
        var generator = SeededGenerator()
        return (0..<PlayerData.lastNames(rows: rows)).shuffled(using: &generator).map(PlayerData.lastName)
    }

    /// Opens a store on the file and runs `body` in a new session.
    ///
    /// The class is used once before, as the hand-written side prepares its
    /// statements: mapping it and checking its table are not part of a work.
    func inSession<Answer>(_ body: (Session) throws -> Answer) throws -> Answer {
        let store = try Store(path)
        let answer = try store.withSession { session in
            _ = try Player.count()
            return try body(session)
        }
        store.close()
        return answer
    }

    /// Opens the file by hand and runs `body` on the table, which is made where
    /// there is none.
    func onFloor<Answer>(_ body: (FloorPlayers) throws -> Answer) throws -> Answer {
        try onDatabase { database in
            let players = try FloorPlayers(database)
            _ = try players.count()
            return try body(players)
        }
    }

    /// Opens the file by hand, whoever made it, and changes nothing in it.
    func onDatabase<Answer>(_ body: (FloorDatabase) throws -> Answer) throws -> Answer {
        let database = try FloorDatabase(path, noMutex: options.floorNoMutex)
        defer { database.close() }
        return try body(database)
    }

    /// What the file holds, read by hand for both sides, after they closed it.
    func tallyOfFile() throws -> Tally {
        try onDatabase { try $0.tally() }
    }

    /// Writes all rows into an empty file, through the side's own code.
    func fill(by side: Side) throws {
        switch side {
        case .ours: try inSession { try $0.save(PlayerData.numbers(rows).map(Player.init)) }
        case .floor: try onFloor { try $0.insert(PlayerData.numbers(rows).map(FloorPlayer.init)) }
        }
    }
}

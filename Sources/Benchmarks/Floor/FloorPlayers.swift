import Foundation

/// The table of players and its prepared statements.
final class FloorPlayers {
    let database: FloorDatabase
    private let insertion, allRows, rowByID, rowsByLastName, scoreChange, deletion, counting: FloorStatement

    /// Creates the table if it does not exist, in the same form as the library.
    init(_ database: FloorDatabase) throws {
        self.database = database
        try database.execute(
            """
            CREATE TABLE IF NOT EXISTS player (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                first_name TEXT NOT NULL,
                last_name TEXT NOT NULL,
                email TEXT NOT NULL,
                age INTEGER NOT NULL,
                score REAL NOT NULL,
                created_at REAL NOT NULL,
                active INTEGER NOT NULL,
                nickname TEXT,
                team_id INTEGER
            ) STRICT;
            CREATE INDEX IF NOT EXISTS player_last_name ON player (last_name);
            """)
        let columns = "first_name, last_name, email, age, score, created_at, active, nickname, team_id"
        insertion = try database.prepare("INSERT INTO player (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        allRows = try database.prepare("SELECT id, \(columns) FROM player")
        rowByID = try database.prepare("SELECT id, \(columns) FROM player WHERE id = ?")
        rowsByLastName = try database.prepare("SELECT id, \(columns) FROM player WHERE last_name = ?")
        scoreChange = try database.prepare("UPDATE player SET score = ? WHERE id = ?")
        deletion = try database.prepare("DELETE FROM player WHERE id = ?")
        counting = try database.prepare("SELECT count(*) FROM player")
    }

    /// All rows, sorted by id.
    func all() throws -> [FloorPlayer] { try fetch(allRows) }

    /// The row with this id.
    func find(_ id: Int64) throws -> FloorPlayer? {
        try rowByID.bind(id, at: 1)
        defer { rowByID.reset() }
        return try rowByID.step() ? FloorPlayer(row: rowByID) : nil
    }

    /// The rows with this last name.
    func find(lastName: String) throws -> [FloorPlayer] {
        try rowsByLastName.bind(lastName, at: 1)
        return try fetch(rowsByLastName)
    }

    func count() throws -> Int {
        defer { counting.reset() }
        return try counting.step() ? Int(counting.integer(0)) : 0
    }

    /// Inserts one row, in a separate transaction unless one is open.
    func insert(_ player: FloorPlayer) throws {
        try player.bind(to: insertion)
        try insertion.bind(player.teamId, at: 9)
        try insertion.run()
        player.id = database.lastInsertedID
    }

    /// Inserts all players in one transaction.
    func insert(_ players: [FloorPlayer]) throws {
        try database.inTransaction { for player in players { try insert(player) } }
    }

    /// Writes the scores of all players in one transaction.
    func updateScores(_ players: [FloorPlayer]) throws {
        try database.inTransaction {
            for player in players {
                try scoreChange.bind(player.score, at: 1)
                try scoreChange.bind(player.id, at: 2)
                try scoreChange.run()
            }
        }
    }

    /// Deletes all players in one transaction.
    func delete(_ players: [FloorPlayer]) throws {
        try database.inTransaction {
            for player in players {
                try deletion.bind(player.id, at: 1)
                try deletion.run()
            }
        }
    }

    @inline(__always)
    private func fetch(_ statement: FloorStatement) throws -> [FloorPlayer] {
        defer { statement.reset() }
        var players: [FloorPlayer] = []
        while try statement.step() { players.append(FloorPlayer(row: statement)) }
        return players
    }
}

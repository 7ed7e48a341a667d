extension FloorDatabase {
    /// Counts and sums over a table of players, by SQLite.
    func tally(from table: String = "player", team: String = "team_id") throws -> Tally {
        let statement = try prepare(
            """
            SELECT count(*), total(age), total(score), total(length(first_name) + length(last_name)
                + length(email) + ifnull(length(nickname), 0)), total(active), count(nickname), total(\(team))
            FROM \(table)
            """)
        defer { statement.reset() }
        var tally = Tally()
        if try statement.step() {
            tally.count = Int(statement.integer(0))
            tally.ages = Int(statement.integer(1))
            tally.scores = statement.real(2)
            tally.textBytes = Int(statement.integer(3))
            tally.active = Int(statement.integer(4))
            tally.nicknames = Int(statement.integer(5))
            tally.teams = Int(statement.integer(6))
        }
        return tally
    }

    /// Counts and sums over the table of lists.
    func tallyOfLists() throws -> Tally {
        let statement = try prepare(
            """
            SELECT (SELECT count(*) FROM text_list), total(length(value)), total(length(value) * position)
            FROM text_list_texts
            """)
        defer { statement.reset() }
        var tally = Tally()
        if try statement.step() {
            tally.count = Int(statement.integer(0))
            tally.textBytes = Int(statement.integer(1))
            tally.places = Int(statement.integer(2))
        }
        return tally
    }
}

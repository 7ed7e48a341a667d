import TestSupport
import Testing

@testable import PersistentObjects

/// A fetch that fails halfway leaves objects and their inverses unchanged.
struct FailedFetchTests {
    final class Team: PersistentObject {
        override class var tableName: String { "failed_team" }
        var name = ""
        @Inverse(\Player.team) var players: [Player]
    }

    final class Player: PersistentObject {
        override class var tableName: String { "failed_player" }
        var name = ""
        var team: Team?
        var friends: [Player] = []
    }

    /// The values of a row that cannot be read, which fails before or after references are linked.
    @Test(arguments: [("name", "CAST(x'ff' AS TEXT), 1"), ("team", "'x', 99")])
    func `only a successful fetch changes inverses`(_ property: String, _ values: String) throws {
        try withTemporarySession { session, file throws in
            let (red, blue) = (Team(), Team())
            let players = (0..<4).map { number in
                let player = Player()
                player.name = "\(number)"
                player.team = number < 3 ? red : blue
                return player
            }
            try session.save(players)
            #expect(red.players == Array(players[..<3]) && blue.players == [players[3]])
            // Two players change teams, one in each direction, and the last row cannot be read.
            _ = try file.sqlite(
                """
                UPDATE failed_player SET team_id = 2 WHERE id = 1; UPDATE failed_player SET team_id = 1 WHERE id = 4;
                INSERT INTO failed_player (id, name, team_id) VALUES (5, \(values));
                """)
            let error = #expect(throws: StoreError.self) { try Player.all() }
            #expect(error?.rowID == 5 && error?.property == property)
            #expect(players.map(\.team) == [red, red, red, blue])
            // The order of the inverse is not specified.
            #expect(red.players.compactMap(\.id).sorted() == [1, 2, 3])
            #expect(blue.players.compactMap(\.id) == [4])
            #expect(players.allSatisfy { !$0.hasChanges } && !red.hasChanges && !blue.hasChanges)
            _ = try file.sqlite("DELETE FROM failed_player WHERE id = 5")
            #expect(try Player.all() == players)
            #expect(players.map(\.team) == [blue, red, red, red])
            #expect(red.players.compactMap(\.id).sorted() == [2, 3, 4])
            #expect(blue.players.compactMap(\.id) == [1])
        }
    }
}

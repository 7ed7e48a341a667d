import TestSupport
import Testing

@testable import PersistentObjects

/// Objects that are read in batches are assigned to their owners.
@Suite struct GraphLoadingTests {
    final class Team: PersistentObject {
        override class var tableName: String { "team" }
        var players: [Player] = []
        @Inverse(\Player.coach) var coached: [Player]
    }

    final class Player: PersistentObject {
        override class var tableName: String { "player" }
        var name = ""
        var coach: Team?

        convenience init(_ name: String) {
            self.init()
            self.name = name
        }
    }

    /// A class whose `init()` adds elements to its collections.
    final class Shelf: PersistentObject {
        override class var tableName: String { "shelf" }
        var players: [Player] = [Player("initial")]
        var labels = ["initial"]
        var lists: [[String]] = []
    }

    @Test func `rows between the referenced ids are not loaded`() throws {
        try withTemporaryStore { store, _ in
            try store.withSession { session in
                let players = (0..<8).map { Player("\($0)") }
                try session.save(players)
                let team = Team()
                team.players = [7, 1, 2, 4, 5, 1].map { players[$0] }
                try team.save()
            }
            try store.withSession { session in
                let team = try #require(try Team.find(1))
                expect(team.players.map(\.name), ["7", "1", "2", "4", "5", "1"])
                #expect(team.players[1] === team.players[5])
                try expect(session.space(of: Player.self).identity.count, 5)
                #expect(!team.hasChanges)
            }
        }
    }

    @Test func `inverses are ordered by id, whether or not the ids of their owners are adjacent`() throws {
        try withTemporaryStore { store, _ in
            try store.withSession { session in
                let teams = (0..<4).map { _ in Team() }
                try session.save(teams)
                let players = (0..<12).map { Player("\($0)") }
                for (index, player) in players.enumerated() where index != 5 { player.coach = teams[index * 7 % 4] }
                try session.save(players)
                try teams[2].delete()
            }
            for step in [1, 2] {
                try store.withSession { _ in
                    let teams = try Team.all().enumerated().filter { $0.offset.isMultiple(of: step) }.map(\.element)
                    for team in teams {
                        let ids = team.coached.map(\.rowID)
                        #expect(ids == (1...12).filter { $0 != 6 && ($0 - 1) * 7 % 4 == team.rowID - 1 })
                        #expect(team.coached.allSatisfy { $0.coach === team } && !team.hasChanges)
                    }
                }
            }
        }
    }

    @Test func `elements that init() adds to a collection are not an edit of a fetched object`() throws {
        try withTemporaryStore { store, _ in
            try store.withSession { session in
                let shelf = Shelf()
                shelf.players = [Player("read")]
                shelf.labels = ["a", "text of more than fifteen bytes"]
                let empty = Shelf()
                empty.players = []
                empty.labels = []
                try session.save([shelf, empty])
            }
            try store.withSession { _ in
                let shelves = try Shelf.all()
                #expect(shelves.map { $0.players.map(\.name) } == [["read"], []])
                #expect(shelves.map(\.labels) == [["a", "text of more than fifteen bytes"], []])
                #expect(shelves.allSatisfy { !$0.hasChanges })
            }
        }
    }
}

import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Method names that users of other libraries try first have the same meaning here.
struct BorrowedWordsTests {
    final class Team: PersistentObject {
        override class var tableName: String { "team" }
        var name = ""
        var roles: [String: Player] = [:]
        var rivals: [Player]? = nil
        @Inverse(\Player.team) var players: [Player]
    }

    final class Player: PersistentObject {
        override class var tableName: String { "player" }
        var name = ""
        var age: Int?
        var rank = 0
        var weight = 0.0
        var born = Date(timeIntervalSinceReferenceDate: 0)
        var team: Team?
    }

    private func withPlayers(_ body: ([Team], [Player]) throws -> Void) throws {
        try withTemporarySession { session, _ throws in
            let teams = ["a", "b", "c"].map { name in
                let team = Team()
                team.name = name
                return team
            }
            let players = (0..<40).map { number in
                let player = Player()
                player.name = "p\(number % 9)"
                player.age = number % 5 == 0 ? nil : 15 + number
                player.rank = number % 4
                player.weight = Double(number)
                player.born = Date(timeIntervalSinceReferenceDate: Double(number))
                player.team = number % 3 == 2 ? nil : teams[number % 3]
                return player
            }
            teams[1].roles = ["goal": players[3], "wing": players[30]]
            teams[2].rivals = Array(players[..<20])
            try session.save(teams)
            try session.save(players)
            try body(teams, players.sorted { ($0.id ?? 0) < ($1.id ?? 0) })
        }
    }

    @Test func `a list or a range contains a property`() throws {
        try withPlayers { _, players throws in
            let ages = [20, 23, 99]
            func check(
                _ condition: (Columns<Player>) -> Condition, _ test: (Player) -> Bool,
                sourceLocation: SourceLocation = #_sourceLocation
            ) throws {
                let found = try Player.where(condition).all()
                #expect(found == players.filter(test), sourceLocation: sourceLocation)
                #expect(found.count < players.count, sourceLocation: sourceLocation)
            }
            try check({ ages.contains($0.age) }, { $0.age.map(ages.contains) ?? false })
            try check({ Set(ages).contains($0.age) }, { $0.age.map(ages.contains) ?? false })
            try check(
                { !ages.contains($0.rank) && ["p1", "p2"].contains($0.name) }, { ["p1", "p2"].contains($0.name) })
            try check({ (20...30).contains($0.age) }, { $0.age.map((20...30).contains) ?? false })
            try check({ (20..<30).contains($0.age) }, { $0.age.map((20..<30).contains) ?? false })
            try check({ (30...).contains($0.age) }, { $0.age.map((30...).contains) ?? false })
            try check({ (...30).contains($0.age) }, { $0.age.map((...30).contains) ?? false })
            try check({ (..<30).contains($0.age) }, { $0.age.map((..<30).contains) ?? false })
            try check({ (2.5...7).contains($0.weight) }, { (2.5...7).contains($0.weight) })
            try check({ ("p2"..<"p4").contains($0.name) }, { ("p2"..<"p4").contains($0.name) })
            let range = players[3].born...players[9].born
            try check({ range.contains($0.born) || stride(from: 0, to: 3, by: 2).contains($0.rank) }) {
                range.contains($0.born) || [0, 2].contains($0.rank)
            }
            try check({ ["a", "x"].contains($0.team.name) }, { $0.team?.name == "a" })
            let statements = try statements(of: Store.session()) {
                _ = try Player.where { (20...30).contains($0.age) }.count()
                _ = try Player.where { $0.age.isIn(20...30) }.count()
            }
            #expect(Set(statements).count == 1)
        }
    }

    @Test func `where takes a condition created earlier`() throws {
        try withPlayers { _, players throws in
            let isOld = Player.condition { $0.age > 40 }
            let isFirst = Player.condition { $0.rank == 1 }
            #expect(try Player.where(isOld).all() == players.filter { ($0.age ?? 0) > 40 })
            #expect(
                try Player.where(isOld || isFirst).where(!isFirst).all()
                    == players.filter { ($0.age ?? 0) > 40 && $0.rank != 1 })
            #expect(
                try Player.query.where(isOld && isFirst).count()
                    == players.filter { ($0.age ?? 0) > 40 && $0.rank == 1 }.count)
        }
    }

    @Test(arguments: [-1, 0, 1, 3, 39, 40, 50])
    func `first(n) and last(n) return the first and last n objects`(count: Int) throws {
        try withPlayers { _, _ throws in
            let all = Player.query
            let queries = [
                all, all.order(by: \.age), all.order(by: \.rank, .descending), all.order(by: \.name, \.age),
                all.limit(5), all.offset(7), all.order(by: \.rank).limit(6).offset(3), all.where { $0.rank == 2 },
                all.where { $0.rank == 9 }, all.limit(0),
            ]
            let wanted = max(count, 0)
            for (place, query) in queries.enumerated() {
                let found = try query.all()
                #expect(try query.first(count) == Array(found.prefix(wanted)), "\(place)")
                #expect(try query.last(count) == Array(found.suffix(wanted)), "\(place)")
                #expect(try query.lazily().prefix(count) == Array(found.prefix(wanted)), "\(place)")
            }
            #expect(try Player.first(count) == Array(all.all().prefix(wanted)))
            #expect(try Player.last(count) == Array(all.all().suffix(wanted)))
        }
    }

    @Test func `count takes a condition`() throws {
        try withPlayers { teams, players throws in
            #expect(try Player.count { $0.rank == 1 } == 10)
            #expect(
                try Player.where { $0.rank == 1 }.count { $0.age != nil }
                    == players.filter { $0.rank == 1 && $0.age != nil }.count)
            let counts = try Team.query.values { $0.players.count { $0.age > 30 } }
            #expect(counts == teams.map { team in team.players.count { ($0.age ?? 0) > 30 } })
            #expect(
                try Team.where { $0.players.count { $0.rank == 1 || $0.age == nil } > 5 }.all()
                    == teams.filter { team in team.players.count { $0.rank == 1 || $0.age == nil } > 5 })
            #expect(try Team.query.values { $0.roles.count { $0.rank == 3 } } == [0, 1, 0])
            #expect(try Team.query.values { $0.rivals.count { $0.team.name == "a" } } == [0, 0, 7])
            let most = try Team.query.order(.descending) { $0.players.count { $0.rank == 0 } }.first()
            #expect(most === teams.max { a, b in a.players.count { $0.rank == 0 } < b.players.count { $0.rank == 0 } })
        }
    }

    @Test func `single returns the only match and throws for no match or several matches`() throws {
        try withPlayers { _, players throws in
            #expect(try Player.where { $0.age == 16 }.single().name == "p1")
            #expect(throws: StoreError.self) { try Player.where { $0.age == 1 }.single() }
            #expect(throws: StoreError.self) { try Player.where { $0.rank == 1 }.single() }
        }
    }

    @Test func `order(by:) takes several properties`() throws {
        try withPlayers { _, _ throws in
            #expect(
                try Player.query.order(by: \.rank, \.name, \.weight).ids()
                    == Player.query.order(by: \.rank).order(by: \.name).order(by: \.weight).ids())
            #expect(
                try Player.query.order(by: \.rank, .descending).order(by: \.team?.name, \.age).ids()
                    == Player.query.order(by: \.rank, .descending).order { $0.team.name }.order(by: \.age).ids())
        }
    }
}

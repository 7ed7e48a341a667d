import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// `distinct(on:)` finds the first object of each value, like a loop over the sorted objects.
struct DistinctOnTests {
    final class Team: PersistentObject {
        override class var tableName: String { "team" }
        var name = ""
    }

    class Player: PersistentObject {
        override class var tableName: String { "player" }
        var first = ""
        var last = ""
        var age: Int?
        var price: Decimal = 0
        var isActive = true
        var team: Team?
        var tags: [String] = []
    }

    final class Keeper: Player {
        var saves = 0
    }

    private func players(_ random: inout SeededGenerator) -> [Player] {
        let teams = ["a", "b", "c"].map { name in
            let team = Team()
            team.name = name
            return team
        }
        return (0..<40).map { _ in
            let player = Bool.random(using: &random) ? Player() : Keeper()
            player.first = ["x", "y", "é"].randomElement(using: &random) ?? ""
            player.last = ["p", "P", "q"].randomElement(using: &random) ?? ""
            player.age = [nil, 1, 2, 3].randomElement(using: &random) ?? nil
            player.price = [1, Decimal(string: "1.0") ?? 0, 2, 10].randomElement(using: &random) ?? 0
            player.isActive = Bool.random(using: &random)
            player.team = Bool.random(using: &random) ? teams.randomElement(using: &random) : nil
            return player
        }
    }

    /// Returns the first player of each key.
    private func firsts<K: Hashable>(_ players: [Player], _ key: (Player) -> K) -> [Player] {
        var seen: Set<K> = []
        return players.filter { seen.insert(key($0)).inserted }
    }

    private func check(
        _ query: Query<Player>, _ expected: [Player], at location: SourceLocation = #_sourceLocation
    ) throws {
        try expect(query.all(), expected, sourceLocation: location)
        try expect(query.count(), expected.count, sourceLocation: location)
        try expect(query.ids(), expected.compactMap(\.id), sourceLocation: location)
        try expect(query.values(of: \.last), expected.map(\.last), sourceLocation: location)
        try expect(query.first(), expected.first, sourceLocation: location)
        try expect(query.last(), expected.last, sourceLocation: location)
        try expect(query.exists(), !expected.isEmpty, sourceLocation: location)
        try expect(query.offset(1).limit(2).all(), Array(expected.dropFirst().prefix(2)), sourceLocation: location)
    }

    @Test(arguments: SeededGenerator.seeds(5))
    func `distinct(on:) finds the same objects as a loop over the sorted objects`(seed: UInt64) throws {
        try withTemporarySession { session, _ throws in
            var random = SeededGenerator(seed: seed)
            let new = players(&random)
            try session.save(new)
            // Each class is saved separately.
            let all = new.sorted { ($0.id ?? 0) < ($1.id ?? 0) }
            try check(Player.query.distinct(on: \.last), firsts(all) { $0.last })
            try check(Player.query.distinct(on: \.first, \.last), firsts(all) { [$0.first, $0.last] })
            try check(Player.query.distinct(on: \.team), firsts(all) { $0.team?.id })
            try check(Player.query.distinct(on: \.price), firsts(all) { $0.price })
            try check(Player.query.distinct(on: \.isActive), firsts(all) { $0.isActive })
            try check(Player.query.distinct { $0.team.name }, firsts(all) { $0.team?.name })
            try check(Player.query.distinct { $0.last.lowercased() }, firsts(all) { $0.last.lowercased() })

            let byAge = all.enumerated().sorted { ($0.element.age ?? 0, $0.offset) < ($1.element.age ?? 0, $1.offset) }
                .map(\.element)
            try check(Player.query.order(by: \.age).distinct(on: \.last), firsts(byAge) { $0.last })
            let active = byAge.filter { $0.isActive }
            try check(
                Player.where { $0.isActive }.order(by: \.age).distinct(on: \.team), firsts(active) { $0.team?.id })
            // Conditions added afterwards choose among the distinct objects.
            try check(
                Player.query.order(by: \.age).distinct(on: \.team).where { $0.isActive },
                firsts(byAge) { $0.team?.id }.filter { $0.isActive })
            // Two calls of distinct(on:).
            try check(
                Player.query.order(by: \.age).distinct(on: \.first, \.last).distinct(on: \.last),
                firsts(firsts(byAge) { [$0.first, $0.last] }) { $0.last })
            let names = all.enumerated().sorted {
                ($1.element.first, $0.element.team?.name ?? "", $0.offset)
                    < ($0.element.first, $1.element.team?.name ?? "", $1.offset)
            }
            .map(\.element)
            try check(
                Player.query.order(by: \.first, .descending).order { $0.team.name }.distinct(on: \.age),
                firsts(names) { $0.age })
        }
    }

    @Test func `distinct(on:) works with pages, subqueries, groups, updates and deletions`() throws {
        try withTemporarySession { session, _ throws in
            var random = SeededGenerator(seed: 9)
            let new = players(&random)
            try session.save(new)
            // Each class is saved separately.
            let all = new.sorted { ($0.id ?? 0) < ($1.id ?? 0) }
            let query = Player.query.order(by: \.first).distinct(on: \.last, \.age)
            let expected = try query.all()
            var found: [Player] = []
            var page = try query.limit(3).all()
            while let last = page.last {
                found += page
                page = try query.after(last, limit: 3)
            }
            #expect(found == expected)
            var batched: Set<ObjectIdentifier> = []
            try query.forEachBatch(of: 2) { batch in
                for player in batch { #expect(batched.insert(ObjectIdentifier(player)).inserted) }
            }
            #expect(batched == Set(expected.map { ObjectIdentifier($0) }))
            #expect(
                try Player.where { $0.id.isIn(query, \.id) }.ids() == expected.compactMap(\.id).sorted())
            #expect(try query.counted(by: \.last).values.reduce(0, +) == expected.count)
            let keepers = all.compactMap { $0 as? Keeper }
            var lasts: Set<String> = []
            #expect(try Keeper.query.distinct(on: \.last).all() == keepers.filter { lasts.insert($0.last).inserted })
            #expect(try query.update { $0.age = 50 } == expected.count)
            #expect(all.count { $0.age == 50 } == expected.count)
            let oldest = try Player.query.order(by: \.age, .descending).distinct(on: \.last).all()
            #expect(try Player.query.order(by: \.age, .descending).distinct(on: \.last).delete() == oldest.count)
            #expect(try Player.query.count() == all.count - oldest.count)
            #expect(oldest.allSatisfy { $0.isDeleted })
        }
    }

    @Test func `distinct(on:) with a collection throws before any SQL runs`() throws {
        try withTemporarySession { session, _ throws in
            try Player().save()
            let log = statements(of: session) {
                #expect(throws: QueryError.self) { try Player.query.distinct(on: \.tags).all() }
                #expect(throws: QueryError.self) { try Player.query.distinct { $0.tags }.count() }
            }
            #expect(log.isEmpty)
        }
    }
}

import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Conditions evaluated in memory, next to the same conditions in SQL.
@Suite(.onSQLite("PostgreSQL does not tell which rows a transaction writes yet"))
struct RowConditionTests {
    typealias Bird = WatchedList.Bird
    typealias Owl = WatchedList.Owl

    /// Conditions that are decided completely in memory.
    private func decided(_ random: inout SeededGenerator) -> [Query<Bird>] {
        let text = WatchedList.pick(WatchedList.texts, &random)
        let number = WatchedList.pick(WatchedList.numbers, &random)
        let real = WatchedList.pick(WatchedList.reals, &random) ?? 3
        let day = WatchedList.pick(WatchedList.dates, &random) ?? Date(timeIntervalSinceReferenceDate: 432e5)
        return [
            Bird.where { $0.name == text }, Bird.where { $0.name != text }, Bird.where { $0.name < text },
            Bird.where { $0.name >= text }, Bird.where { $0.nick == text }, Bird.where { $0.nick != text },
            Bird.where { $0.nick == nil }, Bird.where { $0.nick != nil }, Bird.where { !($0.nick <= text) },
            Bird.where { $0.size == number }, Bird.where { $0.size != number }, Bird.where { $0.size > number },
            Bird.where { $0.size <= number }, Bird.where { $0.size.isIn([number, 2]) },
            Bird.where { !$0.size.isIn([number, 2]) }, Bird.where { $0.name.isIn([text, "b"]) },
            Bird.where { $0.size.isIn(1...3) }, Bird.where { $0.weight == real }, Bird.where { $0.weight < real },
            Bird.where { $0.weight != real }, Bird.where { !($0.weight > real) }, Bird.where { $0.isRare },
            Bird.where { !$0.isRare }, Bird.where { $0.seen == day }, Bird.where { $0.seen > day },
            Bird.where { $0.seen == nil }, Bird.where { $0.data == Data([0]) }, Bird.where { $0.nest == nil },
            Bird.where { $0.mate != nil }, Bird.where { $0.name.hasPrefix("B") }, Bird.where { $0.nick.hasPrefix("a") },
            Bird.where { $0.name == text && $0.size > number }, Bird.where { $0.name == text || $0.weight < real },
            Bird.where { !($0.name == text && $0.nick == text) }, Bird.where { !($0.isRare || $0.nick == nil) },
        ]
    }

    /// Conditions of which some parts are left undecided.
    private func partial(_ random: inout SeededGenerator) -> [Query<Bird>] {
        let number = WatchedList.pick(WatchedList.numbers, &random)
        let price = WatchedList.pick(WatchedList.prices, &random) ?? 2
        return [
            Bird.where { $0.price == price }, Bird.where { $0.price < price && $0.size == number },
            Bird.where { $0.name.contains("b") && $0.size > number }, Bird.where { $0.name.lowercased() == "a" },
            Bird.where { $0.nest.place == "x" && $0.isRare }, Bird.where { $0.size + 1 > 2 },
            Bird.where { $0.name.matches("^a") || $0.size == number }, Bird.where { $0.nick == $0.name },
            Bird.where { $0.mate.size == number }, Bird.where { !($0.name.contains("b") && $0.isRare) },
        ]
    }

    @Test(arguments: SeededGenerator.seeds(10))
    func `a row is excluded only if SQL does not find it`(seed: UInt64) throws {
        try withTemporarySession { session, _ in
            var random = SeededGenerator(seed: seed)
            let birds = (0..<60).map { _ in WatchedList.newBird(&random) }
            let nest = WatchedList.Nest()
            nest.place = "x"
            for bird in birds.prefix(20) { (bird.nest, bird.mate) = (nest, birds[0]) }
            try session.save(birds)
            for (isDecided, queries) in [(true, decided(&random)), (false, partial(&random))] {
                for (number, query) in queries.enumerated() {
                    try check(query.definition, session, isDecided, "condition \(number) of seed \(seed)")
                }
            }
        }
    }

    private func check(
        _ definition: QueryDefinition, _ session: Session, _ isDecided: Bool, _ name: Comment
    ) throws {
        try QueryCall(definition, "check").run(in: session) { query in
            let found = Set(try query.ids())
            let condition = definition.condition.flatMap { RowCondition($0, query.plan.keys, query.space.map) }
            guard let condition else { return #expect(!isDecided, name) }
            let columns: SQL = "\(columns: ["id"] + condition.columns, of: query.space.map.table)"
            let statement = try session.connection.prepare("SELECT \(columns) FROM \(name: query.space.map.table)")
            defer { statement.finish() }
            while try statement.step() {
                let values = try condition.columns.indices.map { try statement.column(Int32($0) + 1).value() }
                let isExcluded = condition.excludes(values, Array(condition.columns.indices))
                let isFound = found.contains(statement.integer(0))
                #expect(!(isExcluded && isFound), name)
                if isDecided { #expect(isExcluded != isFound, name) }
            }
        }
    }

    @Test func `a condition that decides nothing is not evaluated`() throws {
        try withTemporarySession { session, _ in
            _ = try Bird.count()
            let query = Bird.withDeleted.where { $0.name.contains("b") || $0.isRare }
            try QueryCall(query.definition, "check").run(in: session) { bound in
                let condition = try #require(query.definition.condition)
                #expect(RowCondition(condition, bound.plan.keys, bound.space.map) == nil)
            }
        }
    }

    @Test func `values that a commit did not read leave a condition undecided`() throws {
        try withTemporarySession { session, _ in
            _ = try Bird.count()
            let query = Bird.withDeleted.where { $0.size == 1 }
            try QueryCall(query.definition, "check").run(in: session) { bound in
                let expression = try #require(query.definition.condition)
                let condition = try #require(RowCondition(expression, bound.plan.keys, bound.space.map))
                expect(condition.columns, ["size"])
                #expect(condition.excludes([.null, .integer(2)], [1]) && !condition.excludes([.integer(2)], [1]))
            }
        }
    }
}

import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Raw SQL conditions in queries find the same objects as a Swift filter and accept nothing but a condition.
struct RawConditionTests {
    private typealias Sale = Sales.Sale

    private func check(
        _ query: Query<Sale>, _ all: [Sale], _ filter: (Sale) -> Bool, at location: SourceLocation = #_sourceLocation
    ) throws {
        try expect(query.all(), all.filter(filter), sourceLocation: location)
        try expect(query.count(), all.count(where: filter), sourceLocation: location)
        try expect(
            query.where { $0.amount > 0 }.order(.descending) { $0.amount }.ids(),
            all.filter { filter($0) && $0.amount > 0 }.sorted { ($1.amount, $0.id ?? 0) < ($0.amount, $1.id ?? 0) }.map
            { $0.id ?? 0 },
            sourceLocation: location)
    }

    @Test(arguments: SeededGenerator.seeds(3))
    func `raw SQL conditions find the same objects as Swift filters`(seed: UInt64) throws {
        try withTemporarySession { session, _ throws in
            let sales = try Sales.save(60, seed: seed, session)
            try check(Sale.where("amount > ?", 1), sales) { $0.amount > 1 }
            try check(Sale.where("amount>-2 AND NOT (code<=?)", 4), sales) { $0.amount > -2 && $0.code > 4 }
            try check(Sale.where("\"amount\" = ? OR sale.code = 3", 1), sales) { $0.amount == 1 || $0.code == 3 }
            try check(Sale.where("isOpen = 1"), sales) { $0.isOpen }
            try check(Sale.where("is_open = 0 AND IS_OPEN = 0"), sales) { !$0.isOpen }
            try check(Sale.where("note IS NULL"), sales) { $0.note == nil }
            try check(Sale.where("note = ?", "O'Neil"), sales) { $0.note == "O'Neil" }
            try check(Sale.where("note = 'O''Neil'"), sales) { $0.note == "O'Neil" }
            try check(Sale.where("note <> ?", "x' OR '1'='1"), sales) { $0.note != nil }
            try check(Sale.where("region IN ?", ["north", "ö"]), sales) { ["north", "ö"].contains($0.region) }
            try check(Sale.where("amount NOT IN (?)", [1, 2]), sales) { ![1, 2].contains($0.amount) }
            try check(Sale.where("amount IN (?, ?)", 1, 2), sales) { [1, 2].contains($0.amount) }
            try check(Sale.where("amount BETWEEN ? AND ?", 0, 2), sales) { (0...2).contains($0.amount) }
            try check(Sale.where("customer.name = ?", "Acme"), sales) { $0.customer?.name == "Acme" }
            try check(Sale.where("customer IS NULL"), sales) { $0.customer == nil }
            try check(Sale.where("customer = ?", sales[0].customer), sales) {
                $0.customer === sales[0].customer && $0.customer != nil
            }
            try check(Sale.where("id <= ?", 9), sales) { ($0.id ?? 0) <= 9 }
            try check(Sale.where("abs(amount) = ?", 2), sales) { abs($0.amount) == 2 }
            try check(Sale.where("CASE WHEN amount < 0 THEN -amount ELSE amount END = 2"), sales) {
                abs($0.amount) == 2
            }
            try check(Sale.where("CAST(code AS real) / 2 = 1.5"), sales) { $0.code == 3 }
            try check(Sale.where("grade = ?", Sales.Grade.high), sales) { $0.grade == .high }
            try check(Sale.where("day > ?", Date(timeIntervalSinceReferenceDate: 0)), sales) {
                $0.day.timeIntervalSinceReferenceDate > 0
            }
            try check(Sale.where { $0.amount < 3 }.where("code = ? OR code = ?", 1, 2).where("amount <> 0"), sales) {
                $0.amount < 3 && [1, 2].contains($0.code) && $0.amount != 0
            }
            // A query of another class, whose properties the text refers to.
            let zorgs = Sales.Customer.query.where("name = ? AND size IS NULL", "Zorg")
            try check(Sale.where { $0.customer.isIn(zorgs) }, sales) {
                $0.customer?.name == "Zorg" && $0.customer?.size == nil
            }
            let first = Sale.where("id = ?", 1)
            try check(Sale.where { $0.code.isIn(first, \.code) && $0.amount > 0 }, sales) {
                $0.code == sales[0].code && $0.amount > 0
            }
        }
    }

    @Test func `text that is not a single valid condition is refused before any SQL runs`() throws {
        try withTemporarySession { session, file throws in
            _ = try Sales.save(3, seed: 1, session)
            let refused: [(String, [Any?], String)] = [
                ("amount > ?; DROP TABLE sale", [1], ";"), ("1 = 1) OR (1 = 1", [], "parenthesis"),
                ("(amount > 1", [], "parenthesis"), ("amount > 1 -- all", [], "--"), ("amount /* x */ > 1", [], "/*"),
                ("amounts > 1", [], "amount"), ("customer.names = 'x'", [], "name"),
                ("region.x = 1", [], "not a reference"),
                ("amount IN (SELECT id FROM sale)", [], "SELECT"), ("EXISTS (SELECT 1)", [], "SELECT"),
                ("sqlite_master.name = 1", [], "sqlite_master"), ("amount > ?", [], "placeholder"),
                ("amount > ?", [1, 2], "placeholder"), ("amount > ?1", [1], "?1"), ("amount > :a", [1], ":a"),
                ("tags = 'x'", [], "collection"), ("count(*) > 1", [], "aggregate"), ("", [], "empty"),
                ("amount = ?", [[1, 2]], "IN"), ("amount > 1 UNION SELECT 1", [], "UNION"), ("amount @ 1", [], "@"),
                ("amount > 'x", [], "meaning"), ("amount = ?", [NSObject()], "argument 1"),
            ]
            for (text, arguments, part) in refused {
                let query =
                    arguments.isEmpty
                    ? Sale.where(text)
                    : arguments.count == 1
                        ? Sale.where(text, arguments[0]) : Sale.where(text, arguments[0], arguments[1])
                let log = statements(of: session) {
                    let error = #expect(throws: QueryError.self, "\(text)") { try query.all() }
                    #expect("\(String(describing: error))".contains(part), "\(text): \(String(describing: error))")
                }
                #expect(log.isEmpty, "\(text): \(log)")
            }
            #expect(try Sale.count() == 3)
        }
    }

    @Test func `the statement has placeholders and is shared by different values`() throws {
        try withTemporarySession { session, _ throws in
            _ = try Sales.save(3, seed: 1, session)
            func select(_ query: Query<Sale>) throws -> [String] {
                try statements(of: session) { _ = try query.all() }.filter { $0.contains("FROM \"sale\"") }
            }
            let first = try select(Sale.where("amount > ? AND note = ?", 1, "a"))
            let second = try select(Sale.where("amount > ? AND note = ?", 7, "b"))
            #expect(first == second && first.count == 1 && !first[0].contains("'a'"))
            #expect(first[0].contains("WHERE (\"sale\".\"amount\" >"), "\(first)")
        }
    }

    @Test func `raw SQL conditions work in updates, deletions and sums`() throws {
        try withTemporarySession { session, _ throws in
            let sales = try Sales.save(40, seed: 2, session)
            let negative = sales.filter { $0.amount < 0 }
            #expect(try Sale.where("amount < ?", 0).sum(\.amount) == negative.map(\.amount).reduce(0, +))
            #expect(try Sale.where("amount < ?", 0).update { $0.code = 77 } == negative.count)
            #expect(negative.allSatisfy { $0.code == 77 })
            #expect(try Sale.where("code = ?", 77).delete() == negative.count)
            #expect(negative.allSatisfy { $0.isDeleted })
            withExtendedLifetime(session) {}
        }
    }
}

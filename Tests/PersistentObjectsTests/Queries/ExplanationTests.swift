import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// `explain()` shows SQLite's query plan and names a missing index.
struct ExplanationTests {
    private typealias Sale = Sales.Sale

    private func hint(_ query: Query<Sale>) throws -> String? {
        try query.explain().split(separator: "\n").first { $0.hasPrefix("Hint: ") }.map(String.init)
    }

    @Test(.onSQLite("PostgreSQL does not explain queries yet"))
    func `explain shows the SQL, the steps of the plan and a hint`() throws {
        try withTemporarySession { _, _ throws in
            let query = Sale.where { $0.region == "north" }.order(by: \.amount)
            let lines = try query.explain().split(separator: "\n").map(String.init)
            expect(lines[0], query.sql)
            #expect(query.sql.hasPrefix(#"SELECT "sale"."id", "#))
            #expect(
                query.sql.hasSuffix(
                    #" FROM "sale" WHERE "sale"."region" = ?1 ORDER BY "sale"."amount", "sale"."id""#))
            expect(
                lines.dropFirst(),
                [
                    "  SCAN sale", "  USE TEMP B-TREE FOR ORDER BY",
                    "Hint: The query reads every row of sale. Declare @Indexed on region to avoid that.",
                ])
        }
    }

    @Test(.onSQLite("PostgreSQL does not explain queries yet")) func `the hint names the properties to index`() throws {
        try withTemporarySession { _, _ throws in
            func named(_ names: String) -> String {
                "Hint: The query reads every row of sale. Declare @Indexed on \(names) to avoid that."
            }
            #expect(try hint(Sale.where { $0.note.hasPrefix("a") && !$0.isOpen }) == named("note"))
            #expect(try hint(Sale.where { $0.note == nil && $0.amount > 3 }) == named("note, or on amount"))
            #expect(try hint(Sale.where { $0.note == "a" || $0.amount > 3 }) == named("note and on amount"))
            #expect(try hint(Sale.where { $0.amount.isIn([1, 2]) && $0.amount < 9 }) == named("amount"))
            #expect(try hint(Sale.where { $0.amount.isIn(1...2) }) == named("amount"))
            #expect(try hint(Sale.where { $0.amount == 1 && $0.tags.contains("x") }) == nil)
            let caseless =
                "Hint: The query reads every row of sale. Declare Index(ignoringCase: \\Sale.note) to avoid that."
            #expect(try hint(Sale.where { $0.note.isEqual(to: "A", ignoringCase: true) }) == caseless)
            #expect(
                try hint(Sale.where { $0.note.hasPrefix("A", ignoringCase: true) || $0.amount == 1 })
                    == caseless.replacing(" to avoid", with: " and @Indexed on amount to avoid"))
            #expect(try hint(Sale.where { $0.note.lowercased() == "a" }) == nil)
            #expect(try hint(Sale.query) == nil)
            #expect(try hint(Sale.where { $0.code == 3 }) == nil)
            #expect(try hint(Sale.where { $0.code == 3 && $0.amount == 2 }) == nil)
            #expect(try hint(Sale.where { $0.amount != 3 }) == nil)
            #expect(try hint(Sale.where { $0.amount + 1 == 3 }) == nil)
            #expect(try hint(Sale.where { !($0.amount == 3) }) == nil)
            #expect(try hint(Sale.where { $0.note == "a" || $0.note.contains("b") }) == nil)
            #expect(try hint(Sale.where { $0.customer.name == "Acme" }) == nil)
        }
    }

    @Test(.onSQLite("PostgreSQL does not explain queries yet"))
    func `an index that follows the hint is used, and the hint disappears`() throws {
        try withTemporarySession { session, _ throws in
            let query = Sale.where { $0.note.hasPrefix("a") }
            #expect(try hint(query) != nil)
            _ = try session.connection.statement("CREATE INDEX helping ON sale (note)").run()
            #expect(try hint(query) == nil)
            #expect(try query.explain().contains("SEARCH sale USING INDEX helping"))
        }
    }

    @Test func `the SQL of an invalid query contains the reason`() throws {
        try withTemporarySession { _, _ throws in
            let query = Sale.query.order(by: \.description)
            #expect(query.sql.hasPrefix("-- "))
            #expect(throws: FinderError.self) { try query.explain() }
        }
    }
}

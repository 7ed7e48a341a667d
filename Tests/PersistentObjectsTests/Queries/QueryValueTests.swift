import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Property values read without objects equal the values of the objects.
struct QueryValueTests {
    private typealias Sale = Sales.Sale

    @Test(arguments: SeededGenerator.seeds(3)) func `values equal those of the objects`(seed: UInt64) throws {
        try withTemporarySession { session, _ throws in
            let sales = try Sales.save(40, seed: seed, session)
            let found = sales.filter { $0.amount > 0 }.sorted {
                ($0.region, -($0.id ?? 0)) < ($1.region, -($1.id ?? 0))
            }
            let query = Sale.where { $0.amount > 0 }.order(by: \.region).order(by: \.id, .descending)
            #expect(try query.values(of: \.region) == found.map(\.region))
            #expect(try query.values(of: \.note) == found.map(\.note))
            #expect(try query.limit(5).offset(2).values(of: \.mood) == found.dropFirst(2).prefix(5).map(\.mood))
            let rows = try query.values(of: \.id, \.grade, \.paid, \.tip, \.isOpen, \.token)
            #expect(rows.map(\.0) == found.map(\.id))
            #expect(rows.map(\.1) == found.map(\.grade))
            #expect(rows.map(\.2) == found.map(\.paid))
            #expect(rows.map(\.3) == found.map(\.tip))
            #expect(rows.map(\.4) == found.map(\.isOpen))
            #expect(rows.map(\.5) == found.map(\.token))
            #expect(try Sale.where { $0.amount > 9 }.values(of: \.region, \.note).isEmpty)
        }
    }

    @Test(arguments: SeededGenerator.seeds(3))
    func `distinct values, counts and groups equal those of Swift`(seed: UInt64) throws {
        try withTemporarySession { session, _ throws in
            let sales = try Sales.save(40, seed: seed, session)
            func first<V: Hashable>(_ values: [V]) -> [V] {
                var seen: Set<V> = []
                return values.filter { seen.insert($0).inserted }
            }
            let ordered = sales.sorted { ($0.amount, $0.id ?? 0) < ($1.amount, $1.id ?? 0) }
            for (query, found) in [
                (Sale.query, sales), (Sale.where { $0.amount > 9 }, []), (Sale.query.limit(9), Array(sales.prefix(9))),
            ] {
                try expect(query.distinct(\.region), Set(found.map(\.region)).sorted())
                try expect(Set(query.distinct(\.mood)), Set(found.map(\.mood)))
                try expect(query.counted(by: \.region), Dictionary(grouping: found, by: \.region).mapValues(\.count))
                try expect(query.counted(by: \.note), Dictionary(grouping: found, by: \.note).mapValues(\.count))
                try expect(query.grouped(by: \.note), Dictionary(grouping: found, by: \.note))
                try expect(query.grouped(by: \.customer), Dictionary(grouping: found, by: \.customer))
                try expect(query.distinct.all(), found)
            }
            let query = Sale.query.order(by: \.amount)
            try expect(query.distinct(\.note), first(ordered.map(\.note)))
            try expect(query.limit(7).offset(2).distinct(\.note), first(ordered.dropFirst(2).prefix(7).map(\.note)))
            try expect(query.grouped(by: \.region), Dictionary(grouping: ordered, by: \.region))
        }
    }

    @Test(.onSQLite("the text of its statements is SQLite's"))
    func `each call is one SELECT, and values create no objects`()
        throws
    {
        try withTemporaryStore { store, _ throws in
            try store.withSession { _ = try Sales.save(20, seed: 1, $0) }
            try store.withSession { session in
                _ = try Sale.count()
                let run = try statements(of: session) {
                    _ = try Sale.query.values(of: \.region, \.amount)
                    _ = try Sale.query.distinct(\.region)
                    _ = try Sale.query.order(by: \.amount).distinct(\.region)
                    _ = try Sale.query.counted(by: \.region)
                }
                expect(
                    run,
                    [
                        #"SELECT "sale"."region", "sale"."amount", "sale"."id" FROM "sale""#,
                        #"SELECT DISTINCT "sale"."region" FROM "sale" ORDER BY 1"#,
                        #"SELECT "v1" FROM (SELECT "sale"."region" AS "v1", row_number() OVER ( ORDER BY "#
                            + #""sale"."amount", "sale"."id") AS "place" FROM "sale") AS "found" GROUP BY "#
                            + #""v1" ORDER BY min("place")"#,
                        #"SELECT "sale"."region", count(*) FROM "sale" GROUP BY "sale"."region""#,
                    ])
                try expect(session.space(of: Sale.self).identity.count, 0)
                let grouped = try statements(of: session) { _ = try Sale.query.grouped(by: \.region) }
                expect(grouped.filter { $0.contains(#"FROM "sale""#) && !$0.contains("sale_tags") }.count, 1)
            }
        }
    }

    @Test(.onSQLite("the text of its statements is SQLite's"))
    func `values of a limited query are read through a subselect`() throws {
        try withTemporarySession { session, _ throws in
            _ = try Sales.save(20, seed: 1, session)
            let run = try statements(of: session) {
                _ = try Sale.query.limit(3).distinct(\.region)
                _ = try Sale.query.offset(3).counted(by: \.region)
            }
            expect(
                run,
                [
                    #"SELECT DISTINCT "v1" FROM (SELECT "sale"."region" AS "v1" FROM "sale" ORDER BY "sale"."id" "#
                        + #"LIMIT ?1) AS "found" ORDER BY 1"#,
                    #"SELECT "v1", count(*) FROM (SELECT "sale"."region" AS "v1" FROM "sale" ORDER BY "sale"."id" "#
                        + #"LIMIT -1 OFFSET ?2) AS "found" GROUP BY "v1""#,
                ])
        }
    }

    private class Shop: PersistentObject {
        override class var tableName: String { "shop" }
        override class var identity: Identity { .string }
        var floor = 0
    }

    private final class Bakery: Shop {
        var ovens = 0
    }

    @Test(.onSQLite("PostgreSQL does not explain queries"))
    func `values and aggregates of a subclass use only its rows`() throws {
        try withTemporarySession { _, _ throws in
            for (index, shop) in [Shop(), Bakery(), Bakery(), Shop()].enumerated() {
                try shop.setKey("key \(index)")
                shop.floor = index
                (shop as? Bakery)?.ovens = index * 10
                try shop.save()
            }
            #expect(try Shop.query.sum(\.floor) == 6)
            #expect(try Bakery.query.sum(\.floor) == 3)
            #expect(try Bakery.where { $0.ovens > 10 }.counted(by: \.floor) == [2: 1])
            let keys = try Bakery.query.order(by: \.ovens, .descending).values(of: \.key, \.ovens)
            #expect(keys.map(\.0) == ["key 2", "key 1"])
            #expect(try Bakery.query.limit(1).max(\.ovens) == 10)
            let bakery = try #require(try Bakery.first())
            #expect(try Shop.query.order(by: \.key).after(bakery, limit: 9).map(\.floor) == [2, 3])
            // The class column already finds its rows.
            #expect(try !Bakery.where { $0.ovens == 3 }.explain().contains("Hint"))
        }
    }

    @Test func `strings that are equal in Swift are one group key`() throws {
        try withTemporarySession { _, _ throws in
            for (region, amount) in [("é", 1), ("e\u{301}", 2), ("e", 4)] {
                let sale = Sale()
                (sale.region, sale.amount) = (region, amount)
                try sale.save()
            }
            try expect(Sale.query.distinct(\.region).count, 2)
            try expect(Sale.query.counted(by: \.region), ["e": 1, "é": 2])
            try expect(Sale.query.sum(\.amount, by: \.region), ["e": 4, "é": 3])
            try expect(Sale.query.average(\.amount, by: \.region), ["e": 4, "é": 1.5])
        }
    }

    @Test func `values are read as stored, while grouped objects show unsaved edits`() throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { session in
                let sales = try Sales.save(5, seed: 3, session)
                sales[0].region = "unsaved"
                try store.withSession { _ in
                    #expect(try !Sale.query.distinct(\.region).contains("unsaved"))
                    let other = Sale()
                    other.amount = 1000
                    try other.save()
                }
                try expect(Sale.query.max(\.amount), 1000)
                #expect(try !Sale.query.values(of: \.region).contains("unsaved"))
                try expect(Sale.query.grouped(by: \.region)["unsaved"], [sales[0]])
                sales[0].revert()
            }
        }
    }

    @Test func `properties without a single value are refused`() throws {
        try withTemporarySession { session, _ throws in
            _ = try Sales.save(1, seed: 1, session)
            #expect(throws: QueryError.self) { try Sale.query.values(of: \.customer) }
            #expect(throws: QueryError.self) { try Sale.query.values(of: \.tags) }
            #expect(throws: QueryError.self) { try Sale.query.distinct(\.tags) }
            #expect(throws: QueryError.self) { try Sale.query.values() }
            #expect(throws: FinderError.self) { try Sale.query.values(of: \.description) }
            #expect(throws: FinderError.self) { try Sale.query.sum(\.region.count) }
        }
    }

    @Test func `a stored value that its type rejects throws an error that names the property`() throws {
        try withTemporarySession { session, file throws in
            let sales = try Sales.save(3, seed: 1, session)
            _ = try file.sqlite("UPDATE sale SET mood = 'none' WHERE id = \(sales[1].id ?? 0)")
            for body in [
                { _ = try Sale.query.values(of: \.id, \.mood) }, { _ = try Sale.query.distinct(\.mood) },
                { _ = try Sale.query.max(\.mood) }, { _ = try Sale.query.counted(by: \.mood) },
                { _ = try Sale.query.sum(\.amount, by: \.mood) },
            ] as [() throws -> Void] {
                let error = #expect(throws: StoreError.self) { try body() }
                #expect(error?.code == .typeMismatch)
                #expect(error?.property == "mood")
            }
        }
    }
}

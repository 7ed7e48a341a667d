import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// SQL functions in conditions, orders and values give the same results as Swift code.
@Suite(.onSQLite("PostgreSQL calls no functions of the program yet"))
struct FunctionTests {
    enum Kind: String { case city, village }

    final class Town: PersistentObject {
        override class var tableName: String { "town" }
        var name = ""
        var nick: String?
        var latitude = 0.0
        var longitude = 0.0
        var isOld = false
        var isCoastal: Bool?
        var kind = Kind.city
        var founded = Date(timeIntervalSinceReferenceDate: 0)
        var tags: [String] = []
        var twin: Town?
        var other: Town?
        var price = Decimal(0)
    }

    static let initials = SQLFunction("initials", argumentCount: 2, isDeterministic: true) { arguments in
        guard let first: String = try arguments.value(0), let last: String = try arguments.value(1) else {
            return .null
        }
        return .text("\(first.prefix(1))\(last.prefix(1))")
    }

    static let isShort = SQLFunction("is_short", argumentCount: 1) { arguments in
        guard let text: String = try arguments.value(0) else { return .null }
        return .integer(text.count < 6 ? 1 : 0)
    }

    /// Returns its arguments as a string, in order.
    static let show = SQLFunction("show") { arguments in
        .text(try (0..<arguments.count).map { "\(try arguments[$0])" }.joined(separator: " "))
    }

    private let distance = SQLFunction.named("distance_between")

    private func with(_ body: (Session, [Town]) throws -> Void) throws {
        let functions = [Self.initials, Self.isShort, Self.show]
        try withTemporarySession(.init(functions: functions)) { session, _ throws in
            let rows: [(String, String?, Double, Double)] = [
                ("Berlin", "Spree-Athen", 52.52, 13.405), ("Paris", nil, 48.8566, 2.3522), ("Ürzig", "Ü", 50, 7),
                ("Bern", "Mutz", 46.948, 7.447), ("", nil, 0, 0),
            ]
            let towns = rows.enumerated().map { index, row in
                let town = Town()
                (town.name, town.nick, town.latitude, town.longitude) = row
                (town.isOld, town.isCoastal) = (index % 2 == 0, [true, false, nil][index % 3])
                town.kind = index == 2 ? .village : .city
                return town
            }
            (towns[0].twin, towns[1].twin, towns[2].other, towns[3].twin) = (towns[1], towns[2], towns[0], towns[3])
            try session.save(towns)
            try body(session, towns)
        }
    }

    @Test func `a function takes columns and constants as arguments in any order`() throws {
        try with { _, towns throws in
            let initials = Self.initials
            func check(_ query: Query<Town>, at location: SourceLocation = #_sourceLocation, _ filter: (Town) -> Bool)
                throws
            {
                try expect(query.all(), towns.filter(filter), sourceLocation: location)
                try expect(query.count(), towns.count(where: filter), sourceLocation: location)
            }
            try check(Town.where { initials($0.name, $0.nick, as: String.self) == "BS" }) { $0.name == "Berlin" }
            try check(Town.where { initials("X", $0.name, as: String.self) == "XB" }) { $0.name.hasPrefix("B") }
            try check(Town.where { initials($0.name, "X", as: String.self) == "BX" }) { $0.name.hasPrefix("B") }
            try check(Town.where { initials($0.name, $0.twin.name, as: String.self) == "BB" }) { $0.twin === $0 }
            let away = "BERN"
            try check(Town.where { initials($0.name.lowercased(), away, as: String.self).isIn(["bB", "pB"]) }) {
                ["b", "p"].contains($0.name.lowercased().prefix(1))
            }
        }
    }

    @Test func `a function's result can be nil and is compared as in Swift`() throws {
        try with { _, towns throws in
            let initials = Self.initials
            let both = { (town: Town) in town.nick.map { "\(town.name.prefix(1))\($0.prefix(1))" } }
            func found(_ query: Query<Town>) throws -> [Town] { try query.all() }
            try expect(
                found(Town.where { initials($0.name, $0.nick, as: String.self) != "BS" }),
                towns.filter { both($0) != "BS" })
            try expect(
                found(Town.where { !(initials($0.name, $0.nick, as: String.self) == "BS") }),
                towns.filter { both($0) != "BS" })
            try expect(
                found(Town.where { !(initials($0.name, $0.nick, as: String.self) > "BN") }),
                towns.filter { !(both($0).map { $0 > "BN" } ?? false) })
            try expect(
                found(Town.where { initials($0.name, $0.nick, as: String.self) == nil }),
                towns.filter { both($0) == nil })
            try expect(
                found(Town.where { (initials($0.name, $0.nick, as: String.self) ?? "none") == "none" }),
                towns.filter { both($0) == nil })
            // The function can turn nil into a value, so no row may be excluded before the call.
            let coalesce = SQLFunction.named("coalesce")
            try expect(
                found(Town.where { coalesce($0.twin.name, "alone", as: String.self) == "alone" }),
                towns.filter { $0.twin == nil })
        }
    }

    @Test func `a function that returns a Bool is a condition`() throws {
        try with { _, towns throws in
            let isShort = Self.isShort
            let short = { (text: String?) in text.map { $0.count < 6 } }
            func found(_ condition: (Columns<Town>) -> Condition) throws -> [Town] { try Town.where(condition).all() }
            try expect(found { isShort($0.name, as: Bool.self) }, towns.filter { short($0.name) == true })
            try expect(found { !isShort($0.nick, as: Bool.self) }, towns.filter { short($0.nick) != true })
            try expect(found { isShort($0.nick, as: Bool.self) == nil }, towns.filter { $0.nick == nil })
            try expect(found { isShort($0.nick, as: Bool.self) == false }, towns.filter { short($0.nick) == false })
            try expect(
                found { isShort($0.name, as: Bool.self) && $0.isOld || $0.kind == .village },
                towns.filter { short($0.name) == true && $0.isOld || $0.kind == .village })
        }
    }

    @Test func `distances equal those calculated in Swift`() throws {
        func metres(_ town: Town, _ latitude: Double, _ longitude: Double) -> Double {
            let (a, b) = (town.latitude * .pi / 180, latitude * .pi / 180)
            let cosine = sin(a) * sin(b) + cos(a) * cos(b) * cos((town.longitude - longitude) * .pi / 180)
            return acos(min(1, cosine)) * 6_371_008.8
        }
        try with { _, towns throws in
            for limit in [100_000.0, 200_000, 500_000, 1_000_000, 10_000_000] {
                let near = Town.where { distance($0.latitude, $0.longitude, 50.1, 8.7, as: Double.self) < limit }
                #expect(try near.all() == towns.filter { metres($0, 50.1, 8.7) < limit })
            }
            let ordered = Town.query.order { distance($0.latitude, $0.longitude, 50.1, 8.7, as: Double.self) }
            #expect(try ordered.all() == towns.sorted { metres($0, 50.1, 8.7) < metres($1, 50.1, 8.7) })
            let found = try ordered.limit(2).values { distance($0.latitude, $0.longitude, 50.1, 8.7, as: Double.self) }
            #expect(zip(found, [towns[2], towns[3]]).allSatisfy { abs($0! - metres($1, 50.1, 8.7)) < 1 })
            #expect(found.count == 2)
            // The result of a function can be the argument of another function.
            let rounded = try Town.where { $0.name == "Bern" }.values {
                SQLFunction.named("round")(
                    distance($0.latitude, $0.longitude, 46.948, 8.447, as: Double.self) / 1000, as: Double.self)
            }
            #expect(rounded == [76])
        }
    }

    @Test func `function arguments have the column format of their types`() throws {
        try with { _, towns throws in
            let show = Self.show
            let day = Date(timeIntervalSinceReferenceDate: 86400)
            let shown = try Town.where { $0.name == "Bern" }.values {
                show(
                    1, Int8(2), 2.5, "x", true, day, Kind.village, String?.none, towns[0], $0.twin, $0.isCoastal,
                    $0.isOld, $0.latitude > 3, $0.isCoastal && $0.isOld, Data([1]), [1, 2], URL(filePath: "/a"),
                    Decimal(3), PersistentID<Town>(of: towns[1]), as: String.self)
            }
            let expected = """
                integer(1) integer(2) real(2.5) text("x") integer(1) real(86400.0) text("village") null integer(1) \
                integer(4) integer(1) integer(0) integer(1) integer(0) blob([1]) blob([91, 49, 44, 50, 93]) text("file:///a") \
                text("3") integer(2)
                """
            expect(shown, [expected])
        }
    }

    @Test func `queries that differ only in their values share one statement`() throws {
        try with { session, _ throws in
            func sql(_ text: String) -> Query<Town> {
                Town.where { Self.initials($0.name, text, as: String.self) == text }
            }
            expect(sql("a").sql, sql("b").sql)
            let quoted = #"SELECT count(*) FROM "town" WHERE "initials"("town"."name", ?1) = ?2"#
            try expect(statements(of: session) { _ = try sql("x").count() }, [quoted])
        }
    }

    @Test func `functions work in conditions, updates, deletions and explain`() throws {
        try with { _, towns throws in
            let initials = Self.initials
            let upper = SQLFunction.named("upper")
            try expect(Town.where { initials($0.twin.name, $0.twin.name, as: String.self) == "PP" }.all(), [towns[0]])
            try expect(Town.where { $0.name == "Bern" }.update { $0.nick = upper($0.nick, as: String.self) }, 1)
            expect(towns[3].nick, "MUTZ")
            let plan = try Town.where { initials($0.name, "x", as: String.self) == "x" }.explain()
            #expect(plan.contains("SCAN town"))
            try expect(Town.where { initials($0.name, "X", as: String.self) == "BX" }.delete(), 2)
            try expect(Town.query.order(by: \.name).values { $0.name.count }, [0, 5, 5])
            try expect(Town.where { $0.name == "Paris" }.values { $0.name.lowercased() + "!" }, ["paris!"])
        }
    }

    /// Regression: the count was taken as a collection's, and it counted scalars up to a NUL.
    @Test func `the count of a string is Swift's count, and the count of nil is nil`() throws {
        try with { _, towns throws in
            (towns[0].name, towns[1].name, towns[2].name) = ("e\u{301}👨‍👩‍👧", "\0\0", "Ürzig")
            (towns[0].nick, towns[1].nick, towns[2].nick) = ("\0", "", nil)
            for town in towns { try town.save() }
            try expect(Town.query.order(by: \.id).values { $0.name.count }, towns.map(\.name.count))
            try expect(Town.query.order(by: \.id).values { $0.nick.count }, towns.map { $0.nick?.count })
            try expect(Town.where { $0.nick.count != 1 }.all(), towns.filter { $0.nick?.count != 1 })
            try expect(Town.where { $0.name.count == 2 }.all(), towns.filter { $0.name.count == 2 })
            try expect(Town.where { $0.nick.isEmpty }.all(), towns.filter { $0.nick?.isEmpty == true })
            try expect(Town.findByNickIsEmpty(), towns.filter { $0.nick?.isEmpty == true })
            try expect(Town.findByNickIsNotEmpty(), towns.filter { $0.nick?.isEmpty == false })
        }
    }

    // This is a separate function because Swift 6.3.1 otherwise crashes over the values that `#expect` captures.
    @Test func `functions work in joins`() throws {
        try with { _, _ throws in
            let joined = Town.where { $0.name != "" }.join(Town.self) {
                Self.initials($0.name, "x", as: String.self) == Self.initials($1.name, "x", as: String.self)
                    && $0.id < $1.id
            }
            try expect(joined.all().map { [$0.name, $1.name] }, [["Berlin", "Bern"]])
        }
    }
}

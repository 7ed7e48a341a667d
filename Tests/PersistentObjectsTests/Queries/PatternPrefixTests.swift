import Foundation
import PersistentObjects
import TestSupport
import Testing

/// Patterns that begin with `^` and literal characters use an index, and find exactly what they found without it.
@Suite(.onSQLite("PostgreSQL has different regular expressions"))
struct PatternPrefixTests {
    final class Town: PersistentObject {
        override class var tableName: String { "pattern_town" }
        @Indexed var name = ""
        @Indexed var old: String?
        var country: Country?
    }

    final class Country: PersistentObject {
        override class var tableName: String { "pattern_country" }
        @Indexed var name = ""
        override class var indexes: [Index] { [Index(ignoringCase: \Country.name)] }
    }

    private static let names = [
        "", "S", "s", "Salzburg", "SALZBURG", "Sal", "Sa", "Sb", "Straßburg", "S\nburg", "T", "Sé", "Se\u{301}",
        "Zürich", "zürich", "Z", "[", "ab", "a", "b", "aab", "A*b", "\u{10FFFF}x", "Salzburg\n",
    ]
    private static let patterns = [
        "^S.*burg$", "^S", "^Sal*", "^Sa|^Z", "^(?i)s", "^S(?i)A", "^Sé$", "^Se\u{301}", "^Zü", "^a*b", "^ab?", "^a+b",
        "^\\[", "^A\\*", "^\u{10FFFF}", "(?m)^burg", "^S\nburg", "^Sal{1}", "^", "^$", "burg", "Z.*h",
    ]

    private func withTowns(_ body: (Session) throws -> Void) throws {
        try withTemporarySession { session, _ in
            let countries = Self.names.map { name in
                let country = Country()
                country.name = name
                return country
            }
            try session.save(
                Self.names.enumerated().map { place, name in
                    let town = Town()
                    (town.name, town.old) = (name, place % 3 == 0 ? nil : name)
                    town.country = place % 4 == 0 ? nil : countries[place]
                    return town
                })
            try body(session)
        }
    }

    private static func isFound(_ pattern: String, _ name: String?) throws -> Bool {
        guard let name else { return false }
        let range = NSRange(location: 0, length: name.utf16.count)
        return try NSRegularExpression(pattern: pattern).firstMatch(in: name, range: range) != nil
    }

    @Test(arguments: patterns) func `a pattern finds what the regular expression finds`(_ pattern: String) throws {
        try withTowns { _ in
            let towns = try Town.query.order(by: \.id).all()
            let expected = try towns.filter { try Self.isFound(pattern, $0.name) }.map(\.name)
            let found = try Town.where { $0.name.matches(pattern) }.order(by: \.id).all().map(\.name)
            expect(found.map { Array($0.utf8) }, expected.map { Array($0.utf8) })
            try expect(Town.where { !$0.name.matches(pattern) }.count(), towns.count - expected.count)
            let old = try towns.filter { try Self.isFound(pattern, $0.old) }.count
            try expect(Town.where { $0.old.matches(pattern) }.count(), old)
            try expect(Town.where { !$0.old.matches(pattern) }.count(), towns.count - old)
            let behind = try towns.filter { try Self.isFound(pattern, $0.country?.name) }.count
            try expect(Town.where { $0.country.name.matches(pattern) }.count(), behind)
            try expect(
                Town.where { $0.name.matches(pattern) || $0.old.matches(pattern) }.count(),
                towns.filter { try Self.isFound(pattern, $0.name) || Self.isFound(pattern, $0.old) }.count)
            let byFinder: [Town] = try Town.findByNameMatches(pattern)
            expect(byFinder.count, expected.count)
        }
    }

    @Test func `an invalid pattern is an error, whether or not a row has its prefix`() throws {
        try withTowns { _ in
            for pattern in ["^S(", "^Q(", "^Q**("] {
                #expect(throws: StoreError.self) { try Town.where { $0.name.matches(pattern) }.count() }
            }
        }
    }

    @Test(.onSQLite("The plan is SQLite's")) func `the index is used`() throws {
        try withTowns { session in
            let sql = try statements(of: session) { _ = try Town.where { $0.name.matches("^S.*burg$") }.count() }
            let plan = try queryPlan(of: try #require(sql.last), session.connection)
            #expect(plan.contains { $0.contains("SEARCH") && $0.contains("name>? AND name<?") }, "\(plan)")
        }
    }
}

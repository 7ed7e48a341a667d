import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// A string never becomes SQL, wherever it enters.
@Suite struct InjectionTests {
    /// About two hundred strings: each dangerous piece alone and before each statement.
    private static let corpus: [String] = {
        let pieces = [
            "'", "\"", "''", "`", "]", ";", "--", "/*", "*/", "\0", "\\", "?", "?1", ":a", "%", "_", "\u{2019}",
            "\u{FF07}",
            "'\u{301}", "\n", "\u{202E}",
        ]
        let statements = [
            "DROP TABLE person", "' OR 1=1 --", "'; DELETE FROM person; --", "\"; DROP TABLE person; --",
            "1; UPDATE person SET age = 0", "' UNION SELECT * FROM sqlite_schema --",
            "x' AND load_extension('/tmp/x') --",
            "'); INSERT INTO person (last_name) VALUES ('x'); --",
        ]
        return pieces + statements + pieces.flatMap { piece in statements.map { piece + $0 } }
    }()

    private func withCorpus(_ body: (Session, TemporaryStore) throws -> Void) throws {
        try withTemporarySession(.quiet) { session, file throws in
            try session.save(Self.corpus.map { person($0) })
            let schema = try file.sqlite(".schema")
            try body(session, file)
            try expect(file.sqlite(".schema"), schema)
            try expect(file.peopleCount, Self.corpus.count)
            try expect(file.sqlite("SELECT count(*) FROM person WHERE age IS NOT NULL"), "0")
        }
    }

    @Test func `saved strings equal the given strings, byte for byte`() throws {
        try withCorpus { _, file throws in
            let hex = try file.sqlite("SELECT lower(hex(last_name)) FROM person ORDER BY id").split(
                separator: "\n", omittingEmptySubsequences: false)
            expect(hex.count, Self.corpus.count)
            for (found, text) in zip(hex, Self.corpus) {
                expect(
                    String(found), text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
            }
        }
    }

    @Test func `a finder finds only the row with the given string`() throws {
        try withCorpus { _, _ throws in
            for (place, text) in Self.corpus.enumerated() {
                try expect(Person.findByLastName(text).map(\.id), [Int64(place + 1)])
                try expect(Person.findBy.lastName(text).map(\.id), [Int64(place + 1)])
                try expect(Person.countBy.lastName(text), 1)
                try expect(Person.findByCriteria("WHERE last_name = ?", text).map(\.id), [Int64(place + 1)])
            }
        }
    }

    @Test func `updates and deletions affect only their own row`() throws {
        try withCorpus { session, _ throws in
            for person in try Person.all() {
                person.weight += 1
                try person.save()
            }
            let extra = Self.corpus.map { person("extra " + $0) }
            try session.save(extra)
            try session.delete(extra)
        }
    }

    @Test(arguments: [
        "WHERE 1; DROP TABLE person", "; DELETE FROM person", "WHERE 1 --\n; DELETE FROM person",
        "LIMIT 1; PRAGMA user_version = 9",
        "WHERE last_name = 'x", "WHERE last_name = \"nobody\"", "WHERE load_extension('/tmp/x')",
        "WHERE 1\0; DROP TABLE person",
    ])
    func `criteria that contain further statements or invalid SQL are rejected`(_ criteria: String) throws {
        try withCorpus { _, _ throws in
            for find in [
                { _ = try Person.findByCriteria(criteria) }, { _ = try Person.findFirstByCriteria(criteria) },
                { _ = try Person.countByCriteria(criteria) },
            ] as [() throws -> Void] {
                let error = try #require(throws: StoreError.self) { try find() }
                #expect([.invalidSQL, .sqlite].contains(error.code), "\(error)")
            }
        }
    }

    @Test func `finders run only the expected statement`() throws {
        try withCorpus { session, _ throws in
            let log = try statements(of: session) {
                for text in Self.corpus { _ = try Person.findByLastName(text) }
            }
            expect(Set(log).count, 1)
            expect(log.count, Self.corpus.count)
        }
    }

    @Test func `criteria cannot escape the parentheses of a count`() throws {
        try withCorpus { _, _ throws in
            let criteria = "WHERE 1) UNION SELECT 1 FROM (SELECT 1"
            #expect(throws: StoreError.self) { _ = try Person.findByCriteria(criteria) }
            #expect(throws: StoreError.self) { _ = try Person.countByCriteria(criteria) }
        }
    }

    @Test func `criteria that end in a comment work in finds and counts`() throws {
        try withCorpus { _, _ throws in
            try expect(Person.findByCriteria("WHERE id < 3 -- the first").count, 2)
            try expect(Person.countByCriteria("WHERE id < 3 -- the first"), 2)
        }
    }
}

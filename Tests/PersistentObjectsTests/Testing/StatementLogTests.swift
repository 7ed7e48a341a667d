import Foundation
import PersistentObjects
import PersistentObjectsTesting
import TestSupport
import Testing

/// Like a user's tests, uses no internal declarations.
struct StatementLogTests {
    private final class Person: PersistentObject {
        override class var tableName: String { "logged_person" }
        var name = ""
        var age = 0
    }

    /// Its objects live in a store that is used by calls outside `withSession`.
    private final class Settled: PersistentObject {
        static let home = Result { try Store.inMemory() }
        override class var tableName: String { "logged_settled" }
        override class var store: Store? { try? home.get() }
        var name = ""
    }

    private static let count = "SELECT count(*) FROM \"logged_person\""

    @Test(.onSQLite("the text of the statements is SQLite's"))
    func `the statements of a session are logged in order, without values`() throws {
        try withTemporarySession { session, _ throws in
            _ = try Person.count()
            let log = try StatementLog(session)
            let person = Person()
            person.name = "secret"
            try person.save()
            #expect(log.count == 3 && log.count == log.statements.count)
            #expect(log.statements.first == "BEGIN IMMEDIATE" && log.statements.last == "COMMIT")
            #expect(log.statements[1].hasPrefix("INSERT INTO \"logged_person\""))
            #expect(!log.description.contains("secret"))
            expect(log.description.split(separator: "\n").count, 3)
            log.removeAll()
            try person.save()
            expect(log.count, 0)
            _ = try Person.count()
            expect(log.statements, [Self.count])
        }
    }

    @Test func `the log finds the session that calls use`() throws {
        try withTemporarySession { session, _ throws in
            _ = try Person.count()
            let logs = [try StatementLog(session), try StatementLog(), try StatementLog(of: Person.self)]
            _ = try Person.count()
            #expect(logs.allSatisfy { $0.statements == [Self.count] })
        }
    }

    @Test func `a session outside withSession can be logged`() async throws {
        try await MainActor.run {
            _ = try Settled.count()
            let log = try StatementLog(of: Settled.self)
            _ = try Settled.count()
            expect(log.statements, ["SELECT count(*) FROM \"logged_settled\""])
        }
    }

    @Test func `each log starts and ends independently`() throws {
        try withTemporarySession { session, _ throws in
            _ = try Person.count()
            let outer = try StatementLog(session)
            var inner: StatementLog? = try StatementLog(session)
            _ = try Person.count()
            expect(inner?.count, 1)
            inner = nil
            _ = try Person.count()
            expect(outer.count, 2)
        }
    }

    @Test func `statements of other sessions do not appear, even on the same connection`() throws {
        try withTemporaryStore { store, _ throws in
            try store.prepare(Person.self)
            let log = try store.withSession { session throws in
                let log = try StatementLog(session)
                try store.withSession { _ in _ = try Person.count() }
                return log
            }
            // The next session gets the connection of the ended one.
            for _ in 0..<3 { try store.withSession { _ in _ = try Person.count() } }
            expect(log.count, 0)
        }
    }

    @Test func `creating a log for an ended session throws`() throws {
        try withTemporaryStore { store, _ throws in
            var ended: Session?
            try store.withSession { ended = $0 }
            let session = try #require(ended)
            let error = #expect(throws: StoreError.self) { try StatementLog(session) }
            #expect(error?.code == .sessionEnded)
        }
    }

    @Test(.onSQLite("the text of the statements is SQLite's"))
    func `statements of a transaction, including untracked reads, are logged for its session`() throws {
        try withTemporarySession { session, _ throws in
            _ = try Person.count()
            let log = try StatementLog(session)
            try session.transaction {
                _ = try Person.count()
                _ = try Person.query.untracked().all()
            }
            #expect(log.count == 4 && log.statements.last == "COMMIT")
        }
    }
}

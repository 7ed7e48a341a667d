import TestSupport
import Testing

@testable import PersistentObjects

/// A transaction belongs to one store.
struct TwoStoreTests {
    final class Book: PersistentObject {
        override class var tableName: String { "book" }
        var title = ""
    }

    /// Has its own store.
    final class LogLine: PersistentObject {
        static let file = try? TemporaryStore()
        static let log = try? file?.open()
        override class var tableName: String { "log_line" }
        override class var store: Store? { log }
        var text = ""

        convenience init(_ text: String) {
            self.init()
            self.text = text
        }
    }

    private func withTwo(_ body: (Session, Session, TemporaryStore, TemporaryStore) throws -> Void) throws {
        try withTemporarySession { first, file in
            try withTemporarySession { second, otherFile in
                try second.save(Book())
                try first.save(Book())
                try body(first, second, file, otherFile)
            }
        }
    }

    @Test func `writes to another store in a transaction are refused before any SQL runs`() throws {
        try withTwo { first, second, file, otherFile in
            let mine = try #require(try first.use { try Book.find(1) })
            let other = try #require(try second.use { try Book.find(1) })
            let calls: [() throws -> Void] = [
                { try second.save(Book()) }, { try other.delete() },
                { try second.use { _ = try Book.query.update { $0.title = "x" } } },
                { try second.execute("UPDATE book SET title = 'x'") },
                { try second.transaction {} },
                { try second.store.withSession { _ in try Book().save() } },
            ]
            try first.transaction {
                mine.title = "kept"
                try mine.save()
                for call in calls {
                    let before = try second.counts.statements
                    let error = failing(StoreError.self, call)
                    #expect(error?.code == .misuse && error?.message.contains("independently") == true)
                    let after = try second.counts.statements
                    #expect(after == before)
                }
                // Reading is allowed.
                #expect(try second.use { try Book.count() } == 1)
            }
            #expect(try file.sqlite("SELECT title FROM book") == "kept")
            #expect(try otherFile.sqlite("SELECT count(*), max(title) FROM book") == "1|")
            try other.delete()
        }
    }

    @Test func `independent writes are kept when the transaction is rolled back`() throws {
        try withTwo { first, second, file, otherFile in
            try failing(first) {
                try first.save(Book())
                try Store.independently {
                    try second.save(Book())
                    try second.transaction { try second.save(Book()) }
                    // Writes to the transaction's own store still belong to the transaction.
                    try first.save(Book())
                }
                let error = failing(StoreError.self) { try second.save(Book()) }
                expect(error?.code, .misuse)
            }
            try expect(file.sqlite("SELECT count(*) FROM book"), "1")
            try expect(otherFile.sqlite("SELECT count(*) FROM book"), "3")
        }
    }

    @Test func `a class with its own store can be read in a transaction, but not written`() throws {
        try withTemporarySession { session, _ in
            try session.transaction {
                // Creates the table, which is not a write of data.
                let before = try LogLine.count()
                let error = failing(StoreError.self) { try LogLine("x").save() }
                expect(error?.code, .misuse)
                try Store.independently { try LogLine("begins").save() }
                session.afterCommit { try? LogLine("ends").save() }
                try expect(LogLine.count(), before + 1)
            }
            try expect(LogLine.findBy.text("ends").count, 1)
        }
    }

    @Test func `a hook that writes to another store is allowed in a plain save`() throws {
        final class Noted: PersistentObject {
            override class var tableName: String { "noted" }
            override func willSave() throws { try LogLine("hook").save() }
        }
        try withTemporarySession { session, _ in
            let before = try LogLine.findBy.text("hook").count
            try Noted().save()
            try expect(LogLine.findBy.text("hook").count, before + 1)
        }
    }
}

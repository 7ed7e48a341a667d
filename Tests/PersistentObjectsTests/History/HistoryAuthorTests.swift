import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The author and the transaction of history entries.
struct HistoryAuthorTests {
    final class Note: PersistentObject {
        override class var keepsHistory: Bool { true }
        override class var tableName: String { "author_note" }
        var text = ""
        var topic: Topic?
    }
    final class Topic: PersistentObject { override class var tableName: String { "author_topic" } }

    @Test func `entries have the session's author at the time of the commit`() throws {
        try withTemporarySession { session, _ in
            session.author = "ann"
            let note = Note()
            try note.save()
            session.author = "bob"
            note.text = "b"
            try note.save()
            try session.execute("UPDATE author_note SET text = 'c'")
            session.author = nil
            try Note.query.update { $0.text = "d" }
            try note.reload()
            session.author = "cat"
            try note.delete()
            try expect(note.history.all().map(\.author), ["ann", "bob", "bob", nil, "cat"])
            try expect(Note.history.where { $0.author == "bob" }.count(), 2)
            let numbers = try note.history.all().map(\.transaction)
            #expect(Set(numbers).count == 5 && !numbers.contains(nil))
        }
    }

    @Test func `entries of a transaction share its number and author, and a rolled back part leaves none`() throws {
        try withTemporarySession { session, _ in
            let (one, two) = (Note(), Note())
            try one.save()
            session.author = "ann"
            try session.transaction {
                one.text = "1"
                try one.save()
                try session.transaction {
                    try Note().save()
                    session.rollBack()
                }
                try session.transaction { try two.save() }
                try expect(one.history.where { $0.author == "ann" }.count(), 1)
            }
            let entries = try Note.history.all()
            expect(entries.map(\.author), [nil, "ann", "ann"])
            #expect(
                entries[1].transaction == entries[2].transaction && entries[0].transaction != entries[1].transaction)
        }
    }

    @Test func `the author at the beginning counts during the transaction, and the author at the commit afterwards`()
        throws
    {
        try withTemporarySession { session, _ in
            let (note, other) = (Note(), Note())
            for (first, second) in [("ann", "bob"), ("bob", ""), ("", nil), (nil, "ann"), ("ann", "ann")] {
                session.author = first
                let entry = try session.transaction {
                    note.text += "x"
                    try note.save()
                    session.author = second
                    other.text += "x"
                    try other.save()
                    let entry = try #require(try note.history.all().last)
                    try expect([entry.author, other.history.all().last?.author], [first, first])
                    return entry
                }
                let last = try other.history.all().last
                #expect(try note.history.all().last === entry && entry.transaction != nil)
                #expect(entry.author == second && last?.author == second && last?.transaction == entry.transaction)
            }
            #expect(try Set(Note.history.all().map(\.transaction)).count == 5)
        }
    }

    @Test(.onSQLite("the triggers are SQLite's"))
    func `entries that their triggers did not sign are signed at the commit`() throws {
        try withTemporarySession { session, file in
            let note = Note()
            try note.save()
            // As earlier versions created them.
            let update = try file.sqlite(
                "SELECT sql FROM sqlite_schema WHERE name = 'author_note.history.update'")
            let former = update.replacing(", \"author\", \"transaction\"", with: "")
                .replacing(", sign('po.author'), sign('po.transaction')", with: "")
            #expect(!former.contains("author\"") && !former.contains("sign"))
            _ = try file.sqlite("DROP TRIGGER \"author_note.history.update\"; \(former)")
            session.author = "ann"
            try session.transaction {
                note.text = "a"
                try note.save()
                try Note().save()
                try expect(Note.history.all().map(\.author), [nil, nil, "ann"])
            }
            let entries = try Note.history.all()
            expect(entries.map(\.author), [nil, "ann", "ann"])
            #expect(entries[1].transaction == entries[2].transaction && entries[1].transaction != nil)
        }
    }

    @Test(.onSQLite("the function is SQLite's"))
    func `the function of the triggers is SQLite's own for all other values, and outside transactions`() throws {
        try withTemporarySession { session, file in
            session.author = "ann"
            try Note().save()
            let values = [
                "-2", "0", "0.5", "-0.0", "9e999", "' -3 '", "'3x'", "''", "NULL", "x'31'", "'po.author'",
                "'po.transaction'", "'po.authors'",
            ]
            let text = "SELECT " + values.map { "quote(sign(\($0)))" }.joined(separator: " || ' ' || ")
            let answer = try session.rows("\(text) AS a")[0]["a"]
            try expect(answer, .text(file.sqlite(text)))
            try session.transaction {
                try Note().save()
                let signed = try session.rows("SELECT sign('po.author') AS a, sign('po.authors') AS b, sign(-7) AS c")[
                    0]
                expect([signed["a"], signed["b"], signed["c"]], [.text("ann"), .null, .integer(-1)])
            }
        }
    }

    @Test
    func `each session has its author, the configuration sets the default, and other programs have none`() throws {
        let file = try TemporaryStore()
        var configuration = Store.Configuration()
        configuration.author = "app"
        let store = try Store(file.path, configuration: configuration)
        defer { store.close() }
        try store.withSession { one in
            try Note().save()
            try store.withSession { two in
                two.author = "two"
                try Note().save()
            }
            _ = try file.sqlite("INSERT INTO author_note (text) VALUES ('x')")
            expect(one.author, "app")
            try Note().save()
            let entries = try Note.history.all()
            expect(entries.map(\.author), ["app", "two", nil, "app"])
            // On a server, all transactions have numbers.
            expect(entries.map { $0.transaction == nil }, [false, false, !TestEngine.isPostgres, false])
            expect(Set(entries.map(\.transaction)).count, 4)
        }
    }

    @Test func `a session of perform has its own author`() async throws {
        let file = try TemporaryStore()
        let store = try Store(file.path)
        defer { store.close() }
        try await store.perform { session in
            session.author = "worker"
            try Note().save()
            try expect(Note.history.all().map(\.author), ["worker"])
        }
    }

    @Test func `changes of tables whose classes were not used yet have the session's author`() throws {
        let file = try TemporaryStore()
        let first = try Store(file.path)
        try first.withSession { _ in
            let note = Note()
            note.topic = Topic()
            try note.save()
        }
        first.close()
        let store = try Store(file.path)
        defer { store.close() }
        try store.withSession { session in
            session.author = "script"
            try session.execute("UPDATE author_note SET text = 'x'")
            try session.transaction { try session.execute("UPDATE author_note SET text = 'y'") }
            try expect(Note.history.all().map(\.author), [nil, "script", "script"])
        }
    }

    @Test func `rows found when a history starts have no author`() throws {
        final class Plain: PersistentObject { override class var tableName: String { "author_found" } }
        final class Kept: PersistentObject {
            override class var tableName: String { "author_found" }
            override class var keepsHistory: Bool { true }
        }
        let file = try TemporaryStore()
        let first = try Store(file.path)
        try first.withSession { _ in try Plain().save() }
        first.close()
        let store = try Store(file.path)
        defer { store.close() }
        try store.withSession { session in
            session.author = "ann"
            try Note().save()
            try Kept().save()
            let entries = try Kept.history.all()
            #expect(entries.map(\.change) == [.found, .created] && entries.map(\.author) == [nil, "ann"])
            #expect(entries[0].transaction == nil)
        }
    }

    @Test(.onSQLite("the test reads the file with SQLite"))
    func `a commit whose entries cannot be signed fails`() throws {
        try withTemporarySession { session, file in
            let note = Note()
            try note.save()
            _ = try file.sqlite(
                "CREATE TRIGGER unsigned BEFORE UPDATE ON po_history_entry BEGIN SELECT RAISE(ABORT, 'no'); END")
            note.text = "a"
            // Entries are signed again if the author has changed.
            #expect(throws: StoreError.self) {
                try session.transaction {
                    try note.save()
                    session.author = "ann"
                }
            }
            #expect(note.hasChanges && note.text == "a")
            try expect(file.sqlite("SELECT count(*), max(text) FROM author_note"), "1|")
            _ = try file.sqlite("DROP TRIGGER unsigned")
            try note.save()
            try expect(note.history.all().map(\.change), [.created, .changed])
        }
    }

    @Test func `undo entries have the author who undoes`() throws {
        try withTemporarySession { session, _ in
            let note = Note()
            try note.save()
            session.recordsUndo = true
            session.author = "ann"
            note.text = "a"
            try note.save()
            session.author = "bob"
            try session.undo()
            try expect(note.history.all().map(\.author), [nil, "ann", "bob"])
        }
    }

    @Test func `the first use of a class in a transaction records the author`() throws {
        try withTemporarySession { session, _ in
            session.author = "ann"
            try session.transaction { try Note().save() }
            #expect(try Note.history.all().map(\.author) == ["ann"])
        }
        let file = try TemporaryStore()
        let store = try Store(file.path)
        defer { store.close() }
        try store.withSession { session in
            struct Stop: Error {}
            session.author = "ann"
            #expect(throws: Stop.self) {
                try session.transaction {
                    try Note().save()
                    throw Stop()
                }
            }
            try Note().save()
            #expect(try Note.history.all().map(\.author) == ["ann"])
        }
    }
}

import Foundation
import PersistentTransfer
import TestSupport
import Testing

@testable import PersistentObjects

/// History entries in queries, events, snapshots and other features.
@Suite(.hangLimit, .onSQLite("PostgreSQL has no history yet"))
struct HistoryUseTests {
    final class Note: PersistentObject {
        override class var keepsHistory: Bool { true }
        override class var tableName: String { "used_note" }
        var text = ""
        var number = 0
    }

    final class Homed: PersistentObject {
        @TaskLocal static var home: Store?
        override class var keepsHistory: Bool { true }
        override class var tableName: String { "homed" }
        override class var store: Store? { home }
        var text = ""
    }

    @Test func `a history query can be watched, and entries send no events`() async throws {
        let file = try TemporaryStore()
        let store = try Store(file.path)
        defer { store.close() }
        try await store.withSession { session in
            let note = Note()
            try note.save()
            var entries = Note.history.updates().makeAsyncIterator()
            try await expect(entries.next()?.objects.count, 1)
            var events = store.events.makeAsyncIterator()
            note.text = "a"
            try note.save()
            try Note().save()
            #expect(try await entries.next()?.objects.count ?? 0 >= 2)
            let first = await events.next()
            let second = await events.next()
            #expect(first?.objectClass == Note.self && second?.objectClass == Note.self)
            #expect(first?.kind == .updated && second?.kind == .inserted)
        }
    }

    @Test func `erasing the store deletes the history, even if no class is in use`() throws {
        let file = try TemporaryStore()
        let first = try Store(file.path)
        try first.withSession { _ in try Note().save() }
        first.close()
        let store = try Store(file.path)
        defer { store.close() }
        try store.erase()
        try expect(file.sqlite("SELECT count(*) FROM po_history_entry; SELECT count(*) FROM po_history_value"), "0\n0")
        try store.withSession { _ in
            try Note().save()
            try expect(Note.history.all().map(\.object), [2])
            try store.erase()
            try expect(Note.history.count(), 0)
        }
    }

    @Test func `the history of a class with its own store is read from that store`() throws {
        let file = try TemporaryStore()
        let store = try Store(file.path)
        defer { store.close() }
        try Homed.$home.withValue(store) {
            let note = Homed()
            note.text = "a"
            try note.save()
            #expect(try note.history.count() == 1 && Homed.history.all().first?.object == note.id)
            try note.delete()
            try expect(Homed.history.where { $0.change == .deleted }.delete(), 1)
        }
    }

    @Test(.onSQLite("the test reads the file with SQLite"))
    func `a row that another program replaced cannot be reverted to an earlier time`() throws {
        try withTemporarySession { session, file in
            let note = Note()
            note.text = "a"
            try note.save()
            let time = apart { Date() }
            _ = try file.sqlite("INSERT OR REPLACE INTO used_note (id, text) VALUES (1, 'b')")
            #expect(try note.history.all().map(\.change) == [.created, .created])
            let error = #expect(throws: StoreError.self) { try note.revert(to: time) }
            #expect(error?.message.contains("no history was kept") == true, "\(String(describing: error))")
            try note.revert(to: Date())
            #expect(note.text == "b")
            note.revert()
        }
    }

    @Test func `entries work in values, subqueries, snapshots and JSON`() throws {
        try withTemporarySession { session, _ in
            session.author = "ann"
            for number in 1...3 {
                let note = Note()
                note.number = number
                try note.save()
            }
            try Note.where { $0.number == 2 }.update { $0.text = "x" }
            let changed = try Note.where { $0.id.isIn(Note.history.where { $0.change == .changed }, \.object) }.all()
            expect(changed.map(\.number), [2])
            let changes: [HistoryEntry.Change] = try Note.history.values(of: \.object, \.change).map { $0.1 }
            expect(changes, [.created, .created, .created, .changed])
            let entry = try #require(try Note.history.order(by: \.id, .descending).first())
            #expect(String(decoding: try entry.json, as: UTF8.self).contains("\"author\":\"ann\""))
            expect(entry.snapshot().author, "ann")
            try expect(HistoryValue.where { $0.new == .text("x") }.count(), 1)
            try expect(Note.history.where { $0.values.any { $0.column == "text" && $0.new == .text("x") } }.count(), 1)
        }
    }

    @Test func `checkIntegrity finds no problems, and reopening changes nothing`() throws {
        let file = try TemporaryStore()
        for _ in 0..<2 {
            let store = try Store(file.path)
            try store.withSession { _ in
                let note = Note()
                try note.save()
                note.number = 3
                try note.save()
                #expect(try store.checkIntegrity().problems.isEmpty)
                #expect(try store.schemaPlan(for: Note.self).isEmpty)
            }
            store.close()
        }
    }

    @Test func `a user's class named HistoryEntry has its own table and rows`() throws {
        enum Own {
            final class HistoryEntry: PersistentObject {
                override class var keepsHistory: Bool { true }
                override class var tableName: String { "history_entry" }
                var table = 1
                var date = ""
            }
        }
        let file = try TemporaryStore()
        for number in 1...2 {
            let store = try Store(file.path)
            try store.withSession { _ in
                try Own.HistoryEntry().save()
                #expect(try Own.HistoryEntry.count() == number && HistoryEntry.count() == number)
                try expect(Own.HistoryEntry.history.all().map(\.change), Array(repeating: .created, count: number))
                #expect(try store.schemaPlan(for: Own.HistoryEntry.self).isEmpty)
            }
            store.close()
        }
        let names = try file.sqlite("SELECT name FROM po_class ORDER BY name")
        expect(
            names,
            "HistoryEntry\n"
                + ["Element", "Entry"].map { "PersistentObjects.History\($0)" }.joined(separator: "\n"))
    }

    @Test func `an error states times with their milliseconds, because they can differ in nothing else`() throws {
        try withTemporarySession { _, _ in
            let note = Note()
            try note.save()
            let date = try note.history.single().date
            let error = #expect(throws: StoreError.self) { try note.revert(to: date.addingTimeInterval(-0.001)) }
            let message = error?.message ?? ""
            let times = message.matches(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/).map { String($0.output) }
            #expect(Set(times).count == 2, "\(message)")
        }
    }

    @Test(.onSQLite("the test reads the file with SQLite"))
    func `a table with very many columns can have a history`() throws {
        let file = try TemporaryStore()
        let columns = (0..<1500).map { "\"c\($0)\" INTEGER" }.joined(separator: ", ")
        _ = try file.sqlite(
            "CREATE TABLE used_note (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL DEFAULT '', "
                + "number INTEGER NOT NULL DEFAULT 0, \(columns)) STRICT")
        let store = try Store(file.path, configuration: .init(onNote: { _ in }))
        defer { store.close() }
        try store.withSession { session in
            let note = Note()
            try note.save()
            try session.execute("UPDATE used_note SET c1499 = 7")
            let entry = try #require(try note.history.all().last)
            expect(entry.values.map(\.column), ["c1499"])
        }
    }
}

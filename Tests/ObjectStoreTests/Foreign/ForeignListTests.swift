import TestSupport
import Testing

@testable import PersistentObjects

/// Watched queries over existing tables whose rows SQLite does not report.
@Suite(.hangLimit) struct ForeignListTests {
    final class Reading: PersistentObject {
        override class var tableName: String { "readings" }
        override class var origin: TableOrigin { .existing(id: "nr") }
        var name = ""
    }

    final class Document: PersistentObject {
        override class var tableName: String { "documents" }
        override class var origin: TableOrigin { .existing }
        var name = ""
    }

    @Test func `a list over a table WITHOUT ROWID follows every commit of the process`() async throws {
        let file = try TemporaryStore()
        _ = try file.sqlite("CREATE TABLE readings (nr INTEGER PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID")
        let store = try file.open()
        try await store.withSession { session in
            var lists = Reading.query.updates().makeAsyncIterator()
            try await expect(lists.next()?.map(\.name), [])
            let reading = Reading()
            for name in ["a", "b"] {
                reading.name = name
                try reading.save()
                try await expect(lists.next()?.map(\.name), [name])
            }
            try store.withSession { _ = try $0.execute("UPDATE readings SET name = 'c'") }
            let update = try #require(try await lists.next())
            #expect(update.map(\.name) == ["c"] && update.changed == [0])
            try Reading.query.update { $0.name = "d" }
            try await expect(lists.next()?.map(\.name), ["d"])
            try reading.delete()
            try await expect(lists.next()?.map(\.name), [])
        }
        store.close()
    }

    @Test func `a list over a virtual table follows every commit of the process`() async throws {
        let file = try TemporaryStore()
        _ = try file.sqlite("CREATE VIRTUAL TABLE documents USING fts5(name)")
        let store = try file.open()
        try await store.withSession { session in
            var lists = Document.query.updates().makeAsyncIterator()
            try await expect(lists.next()?.map(\.name), [])
            let document = Document()
            document.name = "a"
            try document.save()
            try await expect(lists.next()?.map(\.name), ["a"])
            try store.withSession { _ = try $0.execute("UPDATE documents SET name = 'b'") }
            try await expect(lists.next()?.map(\.name), ["b"])
        }
        store.close()
    }
}

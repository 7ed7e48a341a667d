import Foundation
import PersistentObjects
import TestSupport
import Testing

@Suite struct ForeignFileTests {
    @Test func `a file of another program is rejected and not changed`() throws {
        let file = try TemporaryStore()
        _ = try file.sqlite("PRAGMA application_id = 252006675; CREATE TABLE person (x)")
        let before = try file.contents
        let error = try #require(throws: StoreError.self) { _ = try file.open() }
        expect(error.code, .foreignFile)
        #expect(error.message.contains("252006675"))
        try expect(file.contents, before)
    }

    @Test func `a file of a newer format version is rejected and not changed`() throws {
        let file = try TemporaryStore()
        try file.fill(2)
        _ = try file.sqlite("PRAGMA user_version = 3; PRAGMA journal_mode = DELETE")
        let before = try file.contents
        let error = try #require(throws: StoreError.self) { _ = try file.open() }
        expect(error.code, .foreignFile)
        #expect(error.message.contains("format 3") && error.message.contains("formats up to 2"))
        try expect(file.contents, before)
    }

    @Test(arguments: ["UTF-16le", "UTF-16be"])
    func `a file in another encoding is rejected with a way out, and not changed`(_ encoding: String) throws {
        let file = try TemporaryStore()
        _ = try file.sqlite("PRAGMA encoding = '\(encoding)'; CREATE TABLE person (id INTEGER PRIMARY KEY)")
        let before = try file.contents
        let error = try #require(throws: StoreError.self) { _ = try file.open() }
        expect(error.code, .foreignFile)
        #expect(error.message.contains(encoding) && error.message.contains(".dump"))
        try expect(file.contents, before)
    }

    @Test(arguments: [
        "CREATE TABLE json_each (x)", "CREATE TABLE JSON_Tree (x)", "CREATE VIEW pragma_table_xinfo AS SELECT 1 AS x",
    ])
    func `a file whose table shadows a SQLite table function is rejected by name`(_ sql: String) throws {
        let file = try TemporaryStore()
        _ = try file.sqlite(sql)
        let error = try #require(throws: StoreError.self) { _ = try file.open() }
        let name = try #require(sql.split(separator: " ").dropFirst(2).first)
        #expect(error.code == .foreignFile && error.message.contains("\"\(name)\""))
        _ = try file.sqlite(
            sql.contains("VIEW") ? "DROP VIEW \(name)" : "ALTER TABLE \(name) RENAME TO other")
        try file.fill(1)
    }

    @Test(arguments: [Int64.min, -1, 0, 1])
    func `an sqlite_sequence value that is too low leads to positive ids that no row has`(_ number: Int64) throws {
        let file = try TemporaryStore()
        try file.fill(2)
        _ = try file.sqlite("UPDATE sqlite_sequence SET seq = \(number) WHERE name = 'person'")
        try file.open(configuration: .quiet).withSession { session throws in
            let more = [person("New"), person("Newer")]
            try session.save(more)
            expect(more.map(\.id), [3, 4])
        }
        _ = try file.sqlite("DELETE FROM person; UPDATE sqlite_sequence SET seq = \(number) WHERE name = 'person'")
        try file.open(configuration: .quiet).withSession { _ throws in
            let first = person("First")
            try first.save()
            try expect(#require(first.id), max(number, 0) + 1)
        }
    }

    @Test func `an existing SQLite database without an application id opens, and its tables remain`() throws {
        let file = try TemporaryStore()
        _ = try file.sqlite("PRAGMA user_version = 12; CREATE TABLE other (x); INSERT INTO other VALUES (1)")
        try file.fill(2)
        try expect(file.sqlite("SELECT count(*) FROM other; PRAGMA user_version; PRAGMA application_id"), "1\n12\n0")
        try expect(file.peopleCount, 2)
    }

    @Test func `columns that the class does not declare keep their values`() throws {
        let file = try TemporaryStore()
        try file.fill(2)
        _ = try file.sqlite("ALTER TABLE person ADD COLUMN extra TEXT DEFAULT 'x'; UPDATE person SET extra = 'kept'")
        let store = try file.open(configuration: .quiet)
        try store.withSession { session throws in
            let all = try Person.all()
            for person in all { person.lastName += "!" }
            try session.save(all + [person("New")])
        }
        try expect(file.sqlite("SELECT extra FROM person"), "kept\nkept\nx")
    }

    @Test(arguments: [
        "CREATE VIEW person AS SELECT 1 AS id, 'a' AS last_name", "CREATE TABLE person (last_name TEXT)",
        "CREATE TABLE person (id TEXT PRIMARY KEY, last_name TEXT)",
        "CREATE TABLE person (id INTEGER PRIMARY KEY, last_name TEXT)",
        "CREATE TABLE person (id INTEGER, other INTEGER, PRIMARY KEY (id, other)) WITHOUT ROWID",
        "CREATE VIRTUAL TABLE person USING fts5(id, last_name)",
    ])
    func `a table or view that the class cannot use is rejected and not changed`(_ sql: String) throws {
        let file = try TemporaryStore()
        _ = try file.sqlite(sql)
        let before = try file.sqlite(".schema")
        let store = try file.open(configuration: .quiet)
        for attempt in 1...2 {
            let error = try #require(throws: SchemaError.self, "attempt \(attempt)") {
                try store.withSession { _ throws in _ = try Person.all() }
            }
            guard case .unsuitableTable("Person", "person", _) = error else {
                Issue.record("\(error)")
                continue
            }
        }
        #expect(try file.sqlite(".schema") == before)
    }

    @Test func `a table whose values have incompatible types is rejected and not changed`() throws {
        let file = try TemporaryStore()
        _ = try file.sqlite(
            "CREATE TABLE person (id INTEGER PRIMARY KEY AUTOINCREMENT, last_name BLOB); "
                + "INSERT INTO person VALUES (3, x'ff')")
        let store = try file.open(configuration: .quiet)
        let error = try #require(throws: SchemaError.self) {
            try store.withSession { _ throws in _ = try Person.all() }
        }
        guard case .notConvertible(_, "lastName", 3, nil, "String", _) = error else {
            Issue.record("\(error)")
            return
        }
        try expect(file.sqlite("SELECT count(*) FROM pragma_table_info('person')"), "2")
    }
}

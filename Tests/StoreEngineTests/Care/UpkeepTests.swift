import Foundation
import StoreEngine
import TestSupport
import Testing

/// Maintenance of a SQLite file, below the level of classes.
@Suite struct UpkeepTests {
    private func connect(
        _ file: TemporaryStore, _ settings: FileSettings = FileSettings()
    ) throws -> SQLiteConnection {
        try openConnection(.file(path: file.path), ConnectionOptions(file: settings))
    }

    private func request(_ file: TemporaryStore, replaces: Bool = false) -> CopyRequest {
        CopyRequest(
            path: file.folder.appending(path: "copy.sqlite").path, replaces: replaces, permissions: 0o600)
    }

    @Test func `a checkpoint or a vacuum inside a transaction throws, and the transaction continues`() throws {
        let file = try TemporaryStore()
        let connection = try connect(file)
        try connection.execute("CREATE TABLE t (x)")
        let upkeep = try connection.upkeep()
        try connection.begin()
        try connection.execute("INSERT INTO t VALUES (1)")
        for isWaiting in [false, true] {
            let error = #expect(throws: StoreError.self) { _ = try upkeep.checkpoint(isWaiting: isWaiting) }
            expect(error?.code, .misuse)
        }
        expect(#expect(throws: StoreError.self) { try upkeep.vacuum(.none) }?.code, .misuse)
        #expect(connection.isInTransaction)
        try connection.commit()
        try expect(file.sqlite("SELECT x FROM t"), "1")
    }

    @Test func `tables are reported with their kind`() throws {
        let file = try TemporaryStore()
        let connection = try connect(file)
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, x)")
        try connection.execute("CREATE TABLE t_ (x PRIMARY KEY) WITHOUT ROWID")
        try connection.execute("CREATE VIEW v AS SELECT x FROM t")
        try connection.execute("CREATE VIRTUAL TABLE words USING fts5(text)")
        let tables = try connection.upkeep().tables()
        expect(tables.filter { $0.kind == .ordinary }.map(\.name), ["t", "t_"])
        expect(tables.filter { $0.kind == .virtual }.map(\.name), ["words"])
        expect(tables.filter { $0.kind == .shadow }.count, 5)
    }

    @Test func `the greatest id is known for tables whose ids SQLite counts`() throws {
        let connection = try connect(try TemporaryStore())
        let upkeep = try connection.upkeep()
        #expect(try upkeep.greatestID(of: "t") == nil)
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, x)")
        #expect(try upkeep.greatestID(of: "t") == nil)
        try connection.execute("INSERT INTO t VALUES (17, 1)")
        try connection.execute("DELETE FROM t")
        try expect(upkeep.greatestID(of: "t"), 17)
    }

    @Test func `broken references are reported with table, row and column`() throws {
        let file = try TemporaryStore()
        let connection = try connect(file)
        try connection.execute("CREATE TABLE a (id INTEGER PRIMARY KEY)")
        try connection.execute("CREATE TABLE b (id INTEGER PRIMARY KEY, one REFERENCES a, two REFERENCES a)")
        try connection.execute("CREATE TABLE c (k PRIMARY KEY, a_id REFERENCES a) WITHOUT ROWID")
        _ = try file.sqlite("INSERT INTO b VALUES (5, NULL, 9); INSERT INTO c VALUES ('k', 8)")
        let found = try connection.upkeep().brokenReferences(limit: 10)
        expect(
            Set(found),
            [
                BrokenReference(table: "b", rowID: 5, column: "two", target: "a"),
                BrokenReference(table: "c", rowID: nil, column: "a_id", target: "a"),
            ])
        try expect(connection.upkeep().brokenReferences(limit: 1).count, 1)
    }

    @Test func `a copy contains no commits made after it started, and other connections can commit meanwhile`() throws {
        let file = try TemporaryStore()
        let (connection, other) = (try connect(file), try connect(file))
        try connection.execute("CREATE TABLE t (x)")
        try connection.execute(
            "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 4000) "
                + "SELECT randomblob(1000) FROM n")
        var commits = 0
        try connection.upkeep().copy(request(file)) { _ in
            try other.execute("INSERT INTO t VALUES (x'00')")
            commits += 1
        }
        #expect(commits > 3)
        let copied = try SQLiteTool.run(request(file).path, "SELECT count(*) FROM t; PRAGMA integrity_check")
        expect(copied, "4000\nok")
        try expect(file.sqlite("SELECT count(*) FROM t"), "\(4000 + commits)")
        #expect(!connection.isInTransaction && connection.busyStatementCount == 0)
    }

    @Test func `a copy inside a read transaction has the state of that transaction`() throws {
        let file = try TemporaryStore()
        let (connection, other) = (try connect(file), try connect(file))
        try connection.execute("CREATE TABLE t (x)")
        try connection.beginReading()
        try expect(connection.value("SELECT count(*) FROM t"), .integer(0))
        try other.execute("INSERT INTO t VALUES (1)")
        try connection.upkeep().copy(request(file)) { _ in }
        #expect(connection.isInTransaction)
        connection.rollback()
        try expect(SQLiteTool.run(request(file).path, "SELECT count(*) FROM t"), "0")
    }

    @Test func `a vacuum keeps the settings of the connection`() throws {
        let file = try TemporaryStore()
        let connection = try connect(file)
        try connection.execute("CREATE TABLE t (x)")
        try connection.upkeep().vacuum(.full)
        try expect(connection.upkeep().facts().autoVacuum, .full)
        #expect(code(of: { try connection.execute("ATTACH ':memory:' AS other") }) != nil)
        try expect(connection.value("PRAGMA foreign_keys"), .integer(1))
    }

    @Test func `a read-only connection writes nothing, not even the store's application id`() throws {
        let file = try TemporaryStore()
        _ = try file.sqlite("CREATE TABLE t (x)")
        let connection = try connect(file, FileSettings(isReadOnly: true))
        #expect(connection.isReadOnly)
        try expect(connection.value("SELECT count(*) FROM t"), .integer(0))
        expect(code(of: { try connection.execute("INSERT INTO t VALUES (1)") }), .readOnly)
        try expect(file.sqlite("PRAGMA application_id; PRAGMA journal_mode"), "0\ndelete")
    }

    @Test func `facts describe the file`() throws {
        let file = try TemporaryStore()
        let connection = try connect(file, FileSettings(pageSize: 8192, autoVacuum: .incremental))
        try connection.execute("CREATE TABLE t (x)")
        let facts = try connection.upkeep().facts()
        #expect(facts.pageSize == 8192 && facts.journal == .wal && facts.autoVacuum == .incremental)
        #expect(facts.logSize > 0 && facts.pageCount >= 2)
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
        expect(facts.fileSize, size)
    }
}

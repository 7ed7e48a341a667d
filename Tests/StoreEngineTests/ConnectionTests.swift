import Foundation
import StoreEngine
import TestSupport
import Testing

@Suite struct ConnectionTests {
    @Test(arguments: [(true, 2), (false, 1)] as [(Bool, Int64)])
    func `a file has a write-ahead log, and commits wait for the disk if full durability is on`(
        _ isFullyDurable: Bool, _ synchronous: Int64
    ) throws {
        let connection = try TemporaryStore().connect(ConnectionOptions(isFullyDurable: isFullyDurable))
        try expect(connection.scalar("PRAGMA journal_mode"), .text("wal"))
        try expect(connection.scalar("PRAGMA synchronous"), .integer(synchronous))
    }

    @Test(arguments: [(true, 3), (false, 2)] as [(Bool, Int64)])
    func `with a rollback journal and full durability, a commit waits until the journal's deletion is on disk`(
        _ isFullyDurable: Bool, _ synchronous: Int64
    ) throws {
        let options = ConnectionOptions(isFullyDurable: isFullyDurable, file: FileSettings(journal: .rollback))
        let connection = try TemporaryStore().connect(options)
        try expect(connection.scalar("PRAGMA journal_mode"), .text("delete"))
        try expect(connection.scalar("PRAGMA synchronous"), .integer(synchronous))
    }

    @Test func `full durability and a busy timeout of five seconds are the defaults`() {
        expect(ConnectionOptions(), ConnectionOptions(isFullyDurable: true, busyTimeout: 5000))
    }

    @Test func `the busy timeout is the configured one`() throws {
        for timeout: Int32 in [0, 1, 1234, .max] {
            let connection = try TemporaryStore().connect(ConnectionOptions(busyTimeout: timeout))
            expect(connection.busyTimeout, timeout)
        }
    }

    @Test func `a new file is marked as a store, and a file that has tables is not changed`() throws {
        let new = try TemporaryStore()
        _ = try new.connect()
        try expect(new.sqlite("PRAGMA application_id; PRAGMA user_version; PRAGMA journal_mode"), "1347371594\n2\nwal")
        let old = try TemporaryStore()
        _ = try old.sqlite("PRAGMA user_version = 7; CREATE TABLE t (x)")
        _ = try old.connect()
        try expect(old.sqlite("PRAGMA application_id; PRAGMA user_version"), "0\n7")
    }

    @Test func `closing the last connection leaves a single file`() throws {
        let file = try TemporaryStore()
        do {
            let one = try file.connect()
            let two = try file.connect()
            try one.run("CREATE TABLE t (x)")
            try two.run("INSERT INTO t VALUES (1)")
        }
        try expect(
            FileManager.default.contentsOfDirectory(atPath: file.folder.path(percentEncoded: false)), ["store.sqlite"])
        try expect(file.sqlite("SELECT * FROM t"), "1")
    }

    @Test func `neither a closed connection nor a failed opening leaves a file open`() throws {
        let file = try TemporaryStore()
        do {
            let connection = try file.connect()
            try connection.run("CREATE TABLE t (x)")
            #expect(openFiles(in: file.folder).map { !$0.isEmpty } ?? true)
        }
        _ = try file.sqlite("PRAGMA user_version = 99")
        #expect(code(of: { _ = try file.connect() }) == .foreignFile)
        try Data(repeating: 7, count: 5000).write(to: URL(filePath: file.path))
        #expect(code(of: { _ = try file.connect() }) == .notADatabase)
        #expect(openFiles(in: file.folder) ?? [] == [])
    }

    // Closing any descriptor of a file cancels the locks that the process holds on it (howtocorrupt.html, 2.2). The
    // other process would then assume that it has the last connection, and delete the log that this connection
    // continues to write.
    @Test func `opening a second connection does not cancel the locks of the first`() throws {
        let file = try TemporaryStore()
        let first = try file.connect()
        try first.run("CREATE TABLE t (x)")
        do { _ = try file.connect() }
        _ = try file.sqlite("INSERT INTO t VALUES (1)")
        try first.run("INSERT INTO t VALUES (2)")
        #expect(FileManager.default.fileExists(atPath: file.path + "-wal"))
        try expect(file.sqlite("SELECT x FROM t ORDER BY x"), "1\n2")
    }

    // If opening waited for the writer, which closes its transaction only after the read, it would time out.
    @Test func `a connection opens and reads while another writes`() throws {
        let file = try TemporaryStore()
        let writer = try file.connect()
        try writer.run("CREATE TABLE t (x)")
        try writer.begin()
        try writer.run("INSERT INTO t VALUES (1)")
        let reader = try file.connect(ConnectionOptions(busyTimeout: 10))
        try expect(reader.scalar("SELECT count(*) FROM t"), .integer(0))
        expect(reader.busyTimeout, 10)
        try writer.commit()
        try expect(reader.scalar("SELECT count(*) FROM t"), .integer(1))
    }

    @Test func `a connection opens while another process writes`() throws {
        let file = try TemporaryStore()
        try file.connect().run("CREATE TABLE t (x)")
        let other = try SQLiteProcess(file.path)
        try other.run("BEGIN IMMEDIATE; INSERT INTO t VALUES (1);")
        let reader = try file.connect(ConnectionOptions(busyTimeout: 10))
        try expect(reader.scalar("SELECT count(*) FROM t"), .integer(0))
        expect(code(of: { try reader.begin() }), .busy)
        try other.run("COMMIT;")
        try other.quit()
        try reader.begin()
        reader.rollback()
        try expect(reader.scalar("SELECT count(*) FROM t"), .integer(1))
    }

    @Test func `a file without a write-ahead log gets one as soon as no other connection reads it`() throws {
        let file = try TemporaryStore()
        _ = try file.sqlite("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
        let other = try SQLiteProcess(file.path)
        try other.run("BEGIN; SELECT * FROM t;")
        expect(code(of: { _ = try file.connect(ConnectionOptions(busyTimeout: 50)) }), .busy)
        try other.send(".system sleep 0.3\nCOMMIT;")
        // On a busy machine the other process may take seconds to end its transaction.
        let patient = try file.connect(ConnectionOptions(busyTimeout: 600_000))
        try expect(patient.scalar("PRAGMA journal_mode"), .text("wal"))
    }

    @Test func `several threads can open a file that does not exist yet`() throws {
        for _ in 0..<15 {
            let file = try TemporaryStore()
            let errors = Recorder<String>()
            DispatchQueue.concurrentPerform(iterations: 8) { number in
                do {
                    // SQLite serves waiting connections in no order, so on a busy machine some wait for seconds.
                    let connection = try file.connect(ConnectionOptions(busyTimeout: 600_000))
                    try connection.run("CREATE TABLE t\(number) (x)")
                } catch { errors.add("\(error)") }
            }
            expect(errors.all, [])
            try expect(file.sqlite("SELECT count(*) FROM sqlite_schema; PRAGMA application_id"), "8\n1347371594")
        }
    }
}

@Suite struct MemoryConnectionTests {
    private func connect(_ name: String) throws -> SQLiteConnection {
        try SQLiteConnection(.memory(name: name), options: ConnectionOptions())
    }

    @Test func `connections with the same name share a database, and connections with other names do not`() throws {
        let name = UUID().uuidString
        let one = try connect(name)
        try one.run("CREATE TABLE t (x)")
        try one.run("INSERT INTO t VALUES (1)")
        let two = try connect(name)
        try expect(two.scalar("SELECT x FROM t"), .integer(1))
        try two.run("INSERT INTO t VALUES (2)")
        try expect(one.scalar("SELECT count(*) FROM t"), .integer(2))
        let other = try connect(name + "x")
        try expect(other.scalar("SELECT count(*) FROM sqlite_schema"), .integer(0))
    }

    @Test func `a database in memory is deleted with its last connection`() throws {
        let name = UUID().uuidString
        do {
            let one = try connect(name)
            try one.run("CREATE TABLE t (x)")
        }
        try expect(connect(name).scalar("SELECT count(*) FROM sqlite_schema"), .integer(0))
    }

    @Test func `a database in memory rolls back and has no journal file`() throws {
        let connection = try connect(UUID().uuidString)
        try connection.run("CREATE TABLE t (x)")
        try connection.begin()
        try connection.run("INSERT INTO t VALUES (1)")
        connection.rollback()
        try expect(connection.scalar("SELECT count(*) FROM t"), .integer(0))
        try expect(connection.scalar("PRAGMA journal_mode"), .text("memory"))
    }

    @Test func `one connection writes at a time, and a second writer gets the error busy`() throws {
        let name = UUID().uuidString
        let one = try connect(name)
        let two = try SQLiteConnection(.memory(name: name), options: ConnectionOptions(busyTimeout: 10))
        try one.begin()
        expect(code(of: { try two.begin() }), .busy)
        one.rollback()
        try two.begin()
        two.rollback()
    }
}

@Suite struct FileIdentityTests {
    @Test func `a further connection to the same file is accepted`() throws {
        let file = try TemporaryStore()
        let first = try file.connect()
        let identity = try #require(first.fileIdentity)
        let second = try openConnection(first.location, expecting: identity)
        expect(second.fileIdentity, identity)
    }

    @Test func `if the file was deleted, connecting again does not create a new file`() throws {
        let file = try TemporaryStore()
        let first = try file.connect()
        try FileManager.default.removeItem(atPath: file.path)
        let error = try #require(throws: StoreError.self) {
            _ = try openConnection(first.location, expecting: first.fileIdentity)
        }
        expect(error.code, .fileMoved)
        #expect(error.message.contains(file.path))
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a different file at the same path is rejected`() throws {
        let file = try TemporaryStore()
        let other = try TemporaryStore()
        let first = try file.connect()
        _ = try other.connect()
        try FileManager.default.removeItem(atPath: file.path)
        try FileManager.default.moveItem(atPath: other.path, toPath: file.path)
        expect(
            code(of: {
                _ = try openConnection(first.location, expecting: first.fileIdentity)
            }), .fileMoved)
    }

    @Test func `a database in memory has no file identity`() throws {
        try withConnection { connection throws in #expect(connection.fileIdentity == nil) }
    }
}

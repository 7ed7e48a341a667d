import CSQLite
import Foundation
import TestSupport
import Testing

@testable import StoreEngine

/// The files of a program that exits without closing its stores.
@Suite(.onSQLite("a server has no log beside a file"))
struct ExitCheckpointTests {
    private func size(_ path: String) -> Int {
        ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int) ?? 0
    }

    /// Runs the checkpoint for this file only, because tests that run at the same time have other files open.
    private func run(_ file: TemporaryStore) { ExitCheckpoint.run(only: .file(path: file.path)) }

    private func open(_ path: String) throws -> SQLiteConnection {
        try openConnection(.file(path: path))
    }

    @Test func `the exit checkpoint moves the log of an open file into the file`() throws {
        let file = try TemporaryStore()
        let connection = try open(file.path)
        try connection.execute("CREATE TABLE t (a INTEGER) STRICT")
        try connection.execute("INSERT INTO t VALUES (7)")
        #expect(size(file.path + "-wal") > 0)
        run(file)
        #expect(size(file.path + "-wal") == 0)
        let copy = file.folder.appending(path: "copy.sqlite").path
        try FileManager.default.copyItem(atPath: file.path, toPath: copy)
        #expect(try SQLiteTool.run(copy, "SELECT a FROM t") == "7")
        try connection.execute("INSERT INTO t VALUES (8)")
        #expect(try SQLiteTool.run(file.path, "SELECT count(*) FROM t") == "2")
    }

    @Test(.hangLimit) func `the exit checkpoint skips a file in use and does not wait`() throws {
        let file = try TemporaryStore()
        let (connection, reader) = (try open(file.path), try open(file.path))
        try connection.execute("CREATE TABLE t (a INTEGER) STRICT")
        try reader.beginReading()
        #expect(try reader.integer("SELECT count(*) FROM t") == 0)
        try connection.begin(.stepwise, alone: false)
        try connection.execute("INSERT INTO t VALUES (7)")
        run(file)  // if it waited for the writer, it would wait forever
        try connection.commit()
        #expect(try reader.integer("SELECT count(*) FROM t") == 0)
        reader.rollback()
        #expect(try reader.integer("SELECT count(*) FROM t") == 1)
    }

    @Test func `the exit checkpoint does not touch closed or moved files`() throws {
        let file = try TemporaryStore()
        var connection: SQLiteConnection? = try open(file.path)
        try connection?.execute("CREATE TABLE t (a INTEGER) STRICT")
        let other = file.folder.appending(path: "other.sqlite").path
        try FileManager.default.moveItem(atPath: file.path, toPath: other)
        run(file)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try FileManager.default.moveItem(atPath: other, toPath: file.path)
        connection = nil
        run(file)
        #expect(try SQLiteTool.run(file.path, "SELECT count(*) FROM t") == "0")
    }
}

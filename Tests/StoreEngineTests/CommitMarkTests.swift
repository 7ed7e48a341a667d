import TestSupport
import Testing

@testable import StoreEngine

/// Commit marks show whether any connection committed, and how often.
struct CommitMarkTests {
    private func open(_ file: TemporaryStore, _ journal: JournalMode = .wal) throws -> SQLiteConnection {
        var options = ConnectionOptions()
        options.file.journal = journal
        return try openConnection(.file(path: file.path), options)
    }

    private func write(_ connection: SQLiteConnection) throws -> CommitSpan {
        try connection.begin()
        try connection.execute("INSERT INTO t VALUES (1)")
        return try connection.commitMarking()
    }

    @Test func `a commit advances the mark by one, for all connections`() throws {
        let file = try TemporaryStore()
        let (one, two) = (try open(file), try open(file))
        try one.execute("CREATE TABLE t (a)")
        _ = try two.value("SELECT count(*) FROM t")
        let before = try #require(one.commitMark)
        expect(two.commitMark, before)
        let span = try write(one)
        #expect(span.start == before && span.end == one.commitMark && span.end?.isNext(after: before) == true)
        expect(two.commitMark, span.end)
        let next = try write(two)
        #expect(next.start == span.end && next.end != span.end)
    }

    @Test func `a rollback, an empty transaction and a checkpoint leave the mark unchanged`() throws {
        let file = try TemporaryStore()
        let one = try open(file)
        try one.execute("CREATE TABLE t (a)")
        _ = try write(one)
        let before = one.commitMark
        try one.begin()
        try one.execute("INSERT INTO t VALUES (1)")
        one.rollback()
        expect(one.commitMark, before)
        try one.begin()
        let span = try one.commitMarking()
        #expect(span.start == before && span.end == before && before != nil)
        _ = try one.value("PRAGMA wal_checkpoint(TRUNCATE)")
        expect(one.commitMark, before)
        try expect(write(one).start, before, "what a checkpoint has moved is no commit")
    }

    @Test func `a commit of another process moves the mark`() throws {
        let file = try TemporaryStore()
        let one = try open(file)
        try one.execute("CREATE TABLE t (a)")
        let span = try write(one)
        _ = try file.sqlite("INSERT INTO t VALUES (2); INSERT INTO t VALUES (3)")
        #expect(one.commitMark != span.end)
        #expect(try write(one).start != span.end)
    }

    @Test func `marks of a restarted log differ even if the numbers are equal`() throws {
        // After a crash SQLite counts from 0 again and may reach the same number.
        let (old, new) = (CommitMark(number: 7, checksum: 1), CommitMark(number: 7, checksum: 2))
        #expect(old != new)
        let following = CommitMark(number: 8, checksum: 3)
        expect(CommitSpan(from: old, to: following, hasWritten: true).end, following)
        #expect(CommitSpan(from: old, to: following, hasWritten: false).end == nil, "somebody else's")
        #expect(CommitSpan(from: old, to: CommitMark(number: 9, checksum: 3), hasWritten: true).end == nil)
        #expect(CommitSpan(from: old, to: old, hasWritten: true).end == nil)
        #expect(
            CommitSpan(
                from: CommitMark(number: .max, checksum: 0), to: CommitMark(number: 0, checksum: 1), hasWritten: true
            ).end != nil)
    }

    @Test func `a database without a write-ahead log has no mark`() throws {
        let file = try TemporaryStore()
        let connection = try open(file, .rollback)
        try connection.execute("CREATE TABLE t (a)")
        #expect(connection.commitMark == nil)
        #expect(try write(connection).end == nil)
        let memory = try SQLiteConnection(.memory(name: "marks"), options: ConnectionOptions())
        #expect(memory.commitMark == nil)
    }
}

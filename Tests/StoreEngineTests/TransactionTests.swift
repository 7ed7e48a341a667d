import Foundation
import StoreEngine
import TestSupport
import Testing

@Suite struct TransactionTests {
    private func table(_ connection: SQLiteConnection) throws { try connection.run("CREATE TABLE t (x UNIQUE)") }

    @Test func `a committed change persists, and a change that is rolled back does not`() throws {
        let file = try TemporaryStore()
        let connection = try file.connect()
        try table(connection)
        #expect(!connection.isInTransaction)
        try connection.begin()
        #expect(connection.isInTransaction)
        try connection.run("INSERT INTO t VALUES (1)")
        try connection.commit()
        #expect(!connection.isInTransaction)
        try connection.begin()
        try connection.run("INSERT INTO t VALUES (2)")
        connection.rollback()
        #expect(!connection.isInTransaction)
        try expect(file.sqlite("SELECT * FROM t"), "1")
    }

    @Test func `begin takes the write lock at once`() throws {
        let file = try TemporaryStore()
        let one = try file.connect()
        let two = try file.connect(ConnectionOptions(busyTimeout: 0))
        try one.begin()
        let error = try #require(throws: StoreError.self) { try two.begin() }
        expect(error.code, .busy)
        expect(error.resultCode, 5)
        expect(error.sql, "BEGIN IMMEDIATE")
        #expect(!two.isInTransaction)
        one.rollback()
        try two.begin()
        two.rollback()
    }

    @Test func `begin inside a transaction throws and keeps the outer transaction open`() throws {
        try withConnection { connection throws in
            try table(connection)
            try connection.begin()
            try connection.run("INSERT INTO t VALUES (1)")
            #expect(throws: StoreError.self) { try connection.begin() }
            #expect(connection.isInTransaction)
            try connection.commit()
            try expect(connection.scalar("SELECT count(*) FROM t"), .integer(1))
        }
    }

    @Test func `a commit without a transaction throws, and a rollback does not`() throws {
        try withConnection { connection throws in
            #expect(throws: StoreError.self) { try connection.commit() }
            connection.rollback()
            connection.rollback()
            try connection.begin()
            try connection.commit()
        }
    }

    @Test func `a rollback after a failure undoes the whole transaction`() throws {
        try withConnection { connection throws in
            try table(connection)
            try connection.begin()
            try connection.run("INSERT INTO t VALUES (1)")
            expect(code(of: { try connection.run("INSERT INTO t VALUES (1)") }), .notUnique)
            #expect(connection.isInTransaction)
            connection.rollback()
            try expect(connection.scalar("SELECT count(*) FROM t"), .integer(0))
        }
    }

    @Test func `a rollback after SQLite rolled back by itself is harmless`() throws {
        try withConnection { connection throws in
            try table(connection)
            try connection.begin()
            try connection.run("INSERT INTO t VALUES (1)")
            #expect(throws: StoreError.self) { try connection.run("INSERT OR ROLLBACK INTO t VALUES (1)") }
            #expect(!connection.isInTransaction)
            connection.rollback()
            try connection.begin()
            try connection.run("INSERT INTO t VALUES (2)")
            try connection.commit()
            try expect(connection.scalar("SELECT x FROM t"), .integer(2))
        }
    }

    @Test func `a rollback works while a statement is on a row`() throws {
        try withConnection { connection throws in
            try table(connection)
            try connection.run("INSERT INTO t VALUES (1), (2)")
            try connection.begin()
            try connection.run("DELETE FROM t WHERE x = 2")
            let select = try connection.statement("SELECT x FROM t")
            #expect(try select.step())
            connection.rollback()
            #expect(!connection.isInTransaction)
            select.finish()
            try expect(connection.scalar("SELECT count(*) FROM t"), .integer(2))
        }
    }

    @Test func `a commit enforces deferred foreign keys, and the transaction can be rolled back afterwards`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE a (id INTEGER PRIMARY KEY)")
            try connection.run("CREATE TABLE b (a REFERENCES a DEFERRABLE INITIALLY DEFERRED)")
            try connection.begin()
            try connection.run("INSERT INTO b VALUES (1)")
            let error = try #require(throws: StoreError.self) { try connection.commit() }
            expect(error.code, .constraint)
            expect(error.resultCode, 787)
            #expect(connection.isInTransaction)
            connection.rollback()
            try expect(connection.scalar("SELECT count(*) FROM b"), .integer(0))
        }
    }
}

@Suite struct DataVersionTests {
    private func version(_ connection: SQLiteConnection) throws -> UInt32 {
        let statement = try connection.statement("SELECT 1 FROM sqlite_schema")
        defer { statement.finish() }
        _ = try statement.step()
        return connection.dataVersion
    }

    private func withTwo(_ body: (SQLiteConnection, SQLiteConnection, TemporaryStore) throws -> Void) throws {
        let file = try TemporaryStore()
        let one = try file.connect()
        let two = try file.connect()
        try one.run("CREATE TABLE t (x)")
        try body(one, two, file)
    }

    @Test func `the data version changes with each commit of the connection itself`() throws {
        try withTwo { one, _, _ in
            var seen: Set<UInt32> = [try version(one)]
            for number in 1...5 {
                try one.begin()
                try one.run("INSERT INTO t VALUES (\(number))")
                try one.commit()
                #expect(seen.insert(try version(one)).inserted)
            }
        }
    }

    @Test func `the data version changes with each commit of another connection`() throws {
        try withTwo { one, two, _ in
            var seen: Set<UInt32> = [try version(one)]
            for number in 1...5 {
                try two.run("INSERT INTO t VALUES (\(number))")
                #expect(seen.insert(try version(one)).inserted)
            }
        }
    }

    @Test func `the data version changes with a commit of another process`() throws {
        try withTwo { one, _, file in
            let before = try version(one)
            _ = try file.sqlite("INSERT INTO t VALUES (1)")
            #expect(try version(one) != before)
        }
    }

    @Test func `reading does not change the data version`() throws {
        try withTwo { one, two, _ in
            try one.run("INSERT INTO t VALUES (1)")
            let before = try version(one)
            for _ in 0..<5 {
                try expect(one.scalar("SELECT count(*) FROM t"), .integer(1))
                try expect(two.scalar("SELECT count(*) FROM t"), .integer(1))
                try expect(version(one), before)
            }
        }
    }

    @Test func `uncommitted or rolled back changes of another connection do not change the data version`() throws {
        try withTwo { one, two, _ in
            let before = try version(one)
            try two.begin()
            try two.run("INSERT INTO t VALUES (1)")
            try expect(version(one), before)
            two.rollback()
            try expect(version(one), before)
        }
    }

    @Test func `the data version does not change while a statement is on a row`() throws {
        try withTwo { one, two, _ in
            try one.run("INSERT INTO t VALUES (1), (2)")
            let select = try one.statement("SELECT x FROM t")
            defer { select.finish() }
            #expect(try select.step())
            let before = one.dataVersion
            try two.run("INSERT INTO t VALUES (3)")
            #expect(try select.step())
            expect(one.dataVersion, before)
            #expect(try !select.step())
        }
    }
}

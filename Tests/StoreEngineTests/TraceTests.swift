import StoreEngine
import TestSupport
import Testing

@Suite struct TraceTests {
    @Test func `each statement is traced once per run, in order, without values`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE t (x)")
            let log = try statements(of: connection) {
                let insert = try connection.prepare("INSERT INTO t VALUES (?)")
                for text in ["secret", "other"] {
                    try insert.bind(text, at: 1)
                    try insert.run()
                }
                try connection.begin()
                try connection.commit()
                _ = try connection.scalar("SELECT * FROM t")
            }
            expect(
                log,
                [
                    "INSERT INTO t VALUES (?)", "INSERT INTO t VALUES (?)", "BEGIN IMMEDIATE", "COMMIT",
                    "SELECT * FROM t",
                ])
        }
    }

    @Test func `preparing a statement is not traced`() throws {
        try withConnection { connection throws in
            let log = try statements(of: connection) { _ = try connection.prepare("SELECT 1") }
            #expect(log.isEmpty)
        }
    }

    @Test func `statements of a trigger are not traced`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE t (x)")
            try connection.run("CREATE TABLE log (x)")
            try connection.run(
                "CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.x); DELETE FROM log; END")
            let log = try statements(of: connection) { try connection.run("INSERT INTO t VALUES (1)") }
            expect(log, ["INSERT INTO t VALUES (1)"])
        }
    }

    @Test func `after the end of a trace nothing is reported, and a new trace can start`() throws {
        try withConnection { connection throws in
            let first = try statements(of: connection) { try connection.run("SELECT 1") }
            try connection.run("SELECT 2")
            let second = try statements(of: connection) { try connection.run("SELECT 3") }
            expect(first, ["SELECT 1"])
            expect(second, ["SELECT 3"])
        }
    }

    @Test func `a new trace replaces the previous trace`() throws {
        try withConnection { connection throws in
            let old = Recorder<String>()
            let new = Recorder<String>()
            connection.trace { old.add($0) }
            connection.trace { new.add($0) }
            try connection.run("SELECT 1")
            connection.trace(nil)
            #expect(old.all.isEmpty)
            expect(new.all, ["SELECT 1"])
        }
    }
}

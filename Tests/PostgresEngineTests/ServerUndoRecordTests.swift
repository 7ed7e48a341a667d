#if PostgreSQL
    import TestSupport
    import Testing

    @testable import PersistentObjects

    private final class Leaf: PersistentObject {
        override class var tableName: String { "leaf" }
        var name = ""
        var number = 0
    }

    /// The rows that triggers record on a server, which are read when they are undone.
    @Suite(.onPostgres("SQLite records changes itself")) struct ServerUndoRecordTests {
        private func rows(_ session: Session) throws -> [String] {
            try session.rows("SELECT leaf::text FROM leaf ORDER BY id").map { try $0.value(0) }
        }

        /// Runs a statement, and checks that an undo and a redo restore both states.
        private func check(_ statement: String, _ session: Session) throws {
            let before = try rows(session)
            try session.execute(statement)
            let after = try rows(session)
            #expect(after != before)
            #expect(try session.undo() && rows(session) == before)
            #expect(try session.redo() && rows(session) == after)
            #expect(try session.undo() && rows(session) == before)
        }

        @Test(arguments: [4096, 4097])
        func `statements on many rows and on long rows are undone`(_ count: Int) throws {
            try withTemporarySession { session, _ in
                try session.store.prepare(Leaf.self)
                try session.execute(
                    "INSERT INTO leaf (name, number) SELECT 'n' || n, n FROM generate_series(1, ?) AS s(n)", count)
                session.recordsUndo = true
                try check("UPDATE leaf SET number = number + 1 WHERE number % 2 = 0", session)
                try check("UPDATE leaf SET name = repeat('(\"x\\,', 20000) WHERE number % 1000 = 1", session)
                try check(
                    "UPDATE leaf SET number = -number, name = name || repeat(' é', 40000) WHERE number = 3", session)
                try check("INSERT INTO leaf (name, number) SELECT name, number + 1000000 FROM leaf", session)
                try check("DELETE FROM leaf", session)
                try check("TRUNCATE leaf", session)
            }
        }

        @Test func `a commit is undone after another program has added, renamed or dropped columns`() throws {
            let database = try PostgresDatabase()
            let store = try Store(.postgres(database.address()))
            defer { store.close() }
            try store.withSession { session in
                let leaf = Leaf()
                leaf.name = "a"
                try leaf.save()
                _ = try database.psql("ALTER TABLE leaf ADD COLUMN old int; ALTER TABLE leaf DROP COLUMN old")
                session.recordsUndo = true
                leaf.name = "b"
                try leaf.save()
                try leaf.delete()
                _ = try database.psql(
                    "ALTER TABLE leaf ADD COLUMN extra int DEFAULT 7; ALTER TABLE leaf ADD COLUMN note text")
                #expect(try session.undo() && !leaf.isDeleted)
                try expect(database.psql("SELECT name, extra, note IS NULL FROM leaf"), "b|7|t")
                try session.redo()
                try session.undo()
                _ = try database.psql("ALTER TABLE leaf RENAME COLUMN extra TO more")
                leaf.number = 2
                try leaf.save()
                _ = try database.psql("ALTER TABLE leaf ADD COLUMN last int; ALTER TABLE leaf DROP COLUMN more")
                let error = #expect(throws: StoreError.self) { () throws in try session.undo() }
                #expect(error?.code == .staleObject && error?.message.contains("The columns of the table leaf") == true)
                try expect(database.psql("SELECT name, number FROM leaf"), "b|2")
                session.clearUndo()
                leaf.number = 3
                try leaf.save()
                #expect(try session.undo() && leaf.number == 2)
            }
        }

        @Test func `the settings of the database do not change recorded values`() throws {
            let database = try PostgresDatabase()
            _ = try database.psql(
                """
                DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET datestyle = ''SQL, DMY''', current_database());
                EXECUTE format('ALTER DATABASE %I SET timezone = ''Europe/Berlin''', current_database()); END $$
                """)
            let store = try Store(.postgres(database.address()))
            defer { store.close() }
            try store.withSession { session in
                try session.store.prepare(Leaf.self)
                try session.execute(
                    "ALTER TABLE leaf ADD COLUMN day date, ADD COLUMN at timestamptz, ADD COLUMN time interval")
                session.recordsUndo = true
                try session.execute(
                    """
                    INSERT INTO leaf (name, number, day, at, time) VALUES ('x', 1, '2024-03-04', \
                    '2024-10-27 00:30:00.123456Z', '-1 day 2:03'), ('y', 2, '0044-03-15 BC', 'infinity', '1 mon')
                    """)
                try check("UPDATE leaf SET day = day + 1, at = at + '1 hour', time = -time", session)
                try check("DELETE FROM leaf", session)
            }
        }

        @Test func `rolled back changes are not undone, and the table of recorded rows does not grow`() throws {
            try withTemporarySession { session, _ in
                struct Stop: Error {}
                try session.store.prepare(Leaf.self)
                session.recordsUndo = true
                let leaf = Leaf()
                try leaf.save()
                for number in 1...600 {
                    leaf.number = number
                    try leaf.save()
                    guard number % 50 == 0 else { continue }
                    #expect(throws: Stop.self) {
                        try session.transaction {
                            try session.execute("UPDATE leaf SET name = name || repeat('x', 60000)")
                            throw Stop()
                        }
                    }
                }
                let size: Int = try session.rows("SELECT pg_total_relation_size('pg_temp.po_undo')")[0].value(0)
                #expect(size < 1_000_000)
                for number in stride(from: 599, through: 550, by: -1) {
                    try session.undo()
                    #expect(leaf.number == number)
                }
                #expect(leaf.name == "")
            }
        }

        @Test func `a commit that changes nothing in the end is not a level`() throws {
            try withTemporarySession { session, _ in
                try session.store.prepare(Leaf.self)
                try session.execute("INSERT INTO leaf (name, number) VALUES ('a', 1), ('b', 2)")
                session.recordsUndo = true
                for statements in [
                    ["UPDATE leaf SET number = number"],
                    ["UPDATE leaf SET number = number + 1", "UPDATE leaf SET number = number - 1"],
                    ["INSERT INTO leaf (id, name) VALUES (9, 'c')", "DELETE FROM leaf WHERE id = 9"],
                ] {
                    try session.transaction { for sql in statements { try session.execute(sql) } }
                    #expect(!session.canUndo, "\(statements)")
                }
                try session.transaction {
                    try session.execute("UPDATE leaf SET number = number + 1")
                    try session.execute("UPDATE leaf SET number = number - 1 WHERE id = 1")
                }
                #expect(try session.undo() && rows(session) == ["(1,a,1)", "(65,b,2)"])
            }
        }
    }
#endif

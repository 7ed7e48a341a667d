import StoreEngine
import TestSupport
import Testing

@Suite struct SchemaReaderTests {
    private func withSchema(_ body: (any SchemaReader, SQLiteConnection) throws -> Void) throws {
        try withConnection { connection throws in
            try connection.run(
                "CREATE TABLE Team (id INTEGER PRIMARY KEY AUTOINCREMENT, name text NOT NULL DEFAULT 'x')")
            try connection.run(
                """
                CREATE TABLE member (team INTEGER NOT NULL REFERENCES team (id), "no" INTEGER, nick TEXT,
                    twice AS (no * 2), PRIMARY KEY (team, no)) WITHOUT ROWID
                """)
            try connection.run("CREATE INDEX \"member.nick\" ON member (nick)")
            try connection.run("CREATE VIEW names AS SELECT name FROM team")
            try connection.run("CREATE TRIGGER \"team.a\" AFTER DELETE ON team BEGIN SELECT 1; END")
            try connection.run("CREATE TRIGGER \"TEAM.b\" AFTER INSERT ON member BEGIN SELECT 1; END")
            try body(connection.schema, connection)
        }
    }

    @Test func `a table is found regardless of the case of its name, with its columns`() throws {
        try withSchema { schema, _ throws in
            let team = try #require(try schema.table("TEAM"))
            expect(team.name, "Team")
            #expect(!team.isView && !team.reusesIDs)
            expect(team.columns.map(\.name), ["id", "name"])
            expect(team.columns.map(\.type), ["INTEGER", "TEXT"])
            expect(team.columns.map(\.isNotNull), [false, true])
            expect(team.columns.map(\.keyOrdinal), [1, 0])
            expect(team.columns.map(\.defaultValue), [nil, "'x'"])
            let member = try #require(try schema.table("member"))
            #expect(member.reusesIDs)
            expect(member.columns.map(\.keyOrdinal), [1, 2, 0, 0])
            try expect(schema.table("names")?.isView, true)
            #expect(try schema.table("nobody") == nil)
        }
    }

    @Test func `column names, foreign keys and indexes are reported`() throws {
        try withSchema { schema, _ throws in
            try expect(schema.columnNames(of: "member"), ["team", "no", "nick"])
            let keys = try schema.foreignKeys(of: "member")
            #expect(keys.map(\.column) == ["team"] && keys.map(\.target) == ["team"])
            #expect(try schema.indexNames(of: "MEMBER").contains("member.nick"))
            #expect(try schema.indexNames(of: "nobody").isEmpty)
        }
    }

    @Test
    func `reading an existing table reports its indexes, column affinities, generated columns and row ids`()
        throws
    {
        try withSchema { schema, connection throws in
            try connection.run(
                """
                CREATE TABLE odd (a VARCHAR(9) UNIQUE, b, c DECIMAL(10,2), d BLOB, e BIGINT, f AS (c + 1), g AS (c) STORED,
                    UNIQUE (c, b))
                """)
            try connection.run("CREATE INDEX some ON odd (d) WHERE d NOT NULL")
            try connection.run("CREATE INDEX made ON odd (lower(a))")
            try connection.run("CREATE INDEX plain ON odd (e, a)")
            let indexes = try schema.indexes(of: "ODD")
            let names = ["made", "plain", "some", "sqlite_autoindex_odd_1", "sqlite_autoindex_odd_2"]
            expect(indexes.map(\.name), names)
            expect(indexes.map(\.columns), [[nil], ["e", "a"], ["d"], ["a"], ["c", "b"]])
            expect(indexes.map(\.isUnique), [false, false, false, true, true])
            expect(indexes.map(\.isPartial), [false, false, true, false, false])
            expect(indexes.map { $0.sql == nil }, [false, false, false, true, true])
            let columns = try #require(try schema.table("odd")).columns
            expect(columns.map(\.affinity), [.text, .none, .number, .none, .number, .none, .none])
            expect(columns.map(\.isGenerated), [false, false, false, false, false, true, true])
            #expect(try schema.hasRowNumbers("TEAM") && schema.hasRowNumbers("odd"))
            #expect(
                try !schema.hasRowNumbers("member") && !schema.hasRowNumbers("names") && !schema.hasRowNumbers("no"))
        }
    }

    @Test func `reserved ids of existing tables follow the greatest id that is known`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE plain (nr INTEGER PRIMARY KEY)")
            try expect(connection.reserveIDs(2, inTableOfOthers: "plain", id: "rowid"), 1)
            try connection.run("INSERT INTO plain VALUES (41)")
            try expect(connection.reserveIDs(1, inTableOfOthers: "PLAIN", id: "nr"), 42)
            try connection.run("CREATE TABLE counted (nr INTEGER PRIMARY KEY AUTOINCREMENT)")
            try connection.run("INSERT INTO counted VALUES (7)")
            try connection.run("DELETE FROM counted")
            try expect(connection.reserveIDs(1, inTableOfOthers: "counted", id: "rowid"), 8)
            try expect(connection.reserveIDs(1, inTableOfOthers: "plain", id: "rowid"), 42)
        }
    }

    @Test func `foreign keys of existing tables can be deferred to the end of the transaction`() throws {
        try withConnection { connection throws in
            try connection.run("CREATE TABLE a (x INTEGER PRIMARY KEY REFERENCES a (x))")
            try connection.run("CREATE TABLE b (x INTEGER REFERENCES a (x))")
            try connection.begin()
            try connection.deferForeignKeys()
            try connection.run("INSERT INTO b VALUES (1)")
            #expect(connection.hasBrokenForeignKeys)
            try connection.run("INSERT INTO a VALUES (1)")
            try connection.commit()
            #expect(throws: StoreError.self) { try connection.run("INSERT INTO b VALUES (2)") }
        }
    }

    @Test func `references to a table are reported with their table, column and delete rule`() throws {
        try withSchema { schema, connection throws in
            try connection.run("ALTER TABLE team ADD COLUMN parent INTEGER REFERENCES Team ON DELETE SET NULL")
            try connection.run(
                "CREATE TABLE pair (a, b, FOREIGN KEY (a, b) REFERENCES member (team, no) ON DELETE CASCADE)")
            try connection.run("CREATE TABLE fan (nick TEXT REFERENCES team (name))")
            let found = try schema.references(to: "TEAM")
            expect(found.map { "\($0.table).\($0.column)" }, ["Team.parent", "fan.nick", "member.team"])
            expect(found.map(\.deletion), ["SET NULL", "NO ACTION", "NO ACTION"])
            expect(found.map(\.isToID), [true, false, true])
            try expect(schema.references(to: "member").map(\.isToID), [false, false])
            #expect(try schema.references(to: "nobody").isEmpty)
        }
    }

    @Test func `triggers are found by table and by prefix of their names`() throws {
        try withSchema { schema, _ throws in
            try expect(schema.triggers(on: "team").map(\.name), ["team.a"])
            let found = try schema.triggers(beginning: "team.")
            expect(found.map(\.name), ["TEAM.b", "team.a"])
            expect(found.map(\.table), ["member", "team"])
            expect(found.last?.text.hasPrefix("CREATE TRIGGER"), true)
            #expect(try schema.triggers(beginning: "tea%").isEmpty)
            try expect(schema.definition(of: "NAMES"), "CREATE VIEW names AS SELECT name FROM team")
            #expect(try schema.definition(of: "nobody") == nil)
        }
    }

    @Test func `reserved ids follow all ids that were ever assigned`() throws {
        try withSchema { _, connection throws in
            try expect(connection.reserveIDs(3, in: "team"), 1)
            try connection.run("INSERT INTO team (id, name) VALUES (5, 'a'), (9, 'b')")
            try connection.run("DELETE FROM team WHERE id = 9")
            try expect(connection.reserveIDs(1, in: "TEAM"), 10)
            // A file can contain any value here.
            try connection.run("UPDATE sqlite_sequence SET seq = -4")
            try expect(connection.reserveIDs(1, in: "team"), 6)
            try connection.run("UPDATE sqlite_sequence SET seq = 9223372036854775806")
            expect(code(of: { _ = try connection.reserveIDs(1, in: "team") }), .constraint)
        }
    }
}

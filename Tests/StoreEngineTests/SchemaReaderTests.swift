import StoreEngine
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

    @Test func `a table is found whatever the case of its name, with its columns`() throws {
        try withSchema { schema, _ throws in
            let team = try #require(try schema.table("TEAM"))
            #expect(team.name == "Team")
            #expect(!team.isView && !team.reusesIDs)
            #expect(team.columns.map(\.name) == ["id", "name"])
            #expect(team.columns.map(\.type) == ["INTEGER", "TEXT"])
            #expect(team.columns.map(\.isNotNull) == [false, true])
            #expect(team.columns.map(\.keyPlace) == [1, 0])
            #expect(team.columns.map(\.defaultValue) == [nil, "'x'"])
            let member = try #require(try schema.table("member"))
            #expect(member.reusesIDs)
            #expect(member.columns.map(\.keyPlace) == [1, 2, 0, 0])
            #expect(try schema.table("names")?.isView == true)
            #expect(try schema.table("nobody") == nil)
        }
    }

    @Test func `columns that are named, references and indexes are told`() throws {
        try withSchema { schema, _ throws in
            #expect(try schema.columnNames(of: "member") == ["team", "no", "nick"])
            let keys = try schema.foreignKeys(of: "member")
            #expect(keys.map(\.column) == ["team"] && keys.map(\.target) == ["team"])
            #expect(try schema.indexNames(of: "MEMBER").contains("member.nick"))
            #expect(try schema.indexNames(of: "nobody").isEmpty)
        }
    }

    @Test func `what refers to a table is told, from whichever table and by what rule`() throws {
        try withSchema { schema, connection throws in
            try connection.run("ALTER TABLE team ADD COLUMN parent INTEGER REFERENCES Team ON DELETE SET NULL")
            try connection.run(
                "CREATE TABLE pair (a, b, FOREIGN KEY (a, b) REFERENCES member (team, no) ON DELETE CASCADE)")
            try connection.run("CREATE TABLE fan (nick TEXT REFERENCES team (name))")
            let found = try schema.references(to: "TEAM")
            #expect(found.map { "\($0.table).\($0.column)" } == ["Team.parent", "fan.nick", "member.team"])
            #expect(found.map(\.deletion) == ["SET NULL", "NO ACTION", "NO ACTION"])
            #expect(found.map(\.isToID) == [true, false, true])
            #expect(try schema.references(to: "member").map(\.isToID) == [false, false])
            #expect(try schema.references(to: "nobody").isEmpty)
        }
    }

    @Test func `triggers are found by their table and by the beginnings of their names`() throws {
        try withSchema { schema, _ throws in
            #expect(try schema.triggers(on: "team").map(\.name) == ["team.a"])
            let found = try schema.triggers(beginning: "team.")
            #expect(found.map(\.name) == ["TEAM.b", "team.a"])
            #expect(found.map(\.table) == ["member", "team"])
            #expect(found.last?.text.hasPrefix("CREATE TRIGGER") == true)
            #expect(try schema.triggers(beginning: "tea%").isEmpty)
            #expect(try schema.definition(of: "NAMES") == "CREATE VIEW names AS SELECT name FROM team")
            #expect(try schema.definition(of: "nobody") == nil)
        }
    }

    @Test func `ids are reserved behind all that were ever given out`() throws {
        try withSchema { _, connection throws in
            #expect(try connection.reserveIDs(3, in: "team") == 1)
            try connection.run("INSERT INTO team (id, name) VALUES (5, 'a'), (9, 'b')")
            try connection.run("DELETE FROM team WHERE id = 9")
            #expect(try connection.reserveIDs(1, in: "TEAM") == 10)
            // A file can say anything.
            try connection.run("UPDATE sqlite_sequence SET seq = -4")
            #expect(try connection.reserveIDs(1, in: "team") == 6)
            try connection.run("UPDATE sqlite_sequence SET seq = 9223372036854775806")
            #expect(code(of: { _ = try connection.reserveIDs(1, in: "team") }) == .sqlite)
        }
    }
}

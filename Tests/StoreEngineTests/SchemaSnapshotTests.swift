import StoreEngine
import TestSupport
import Testing

/// A schema reader that loads everything at once returns the same results as a reader that queries each time.
@Suite struct SchemaSnapshotTests {
    private static let texts: [String] = [
        "CREATE TABLE Team (id INTEGER PRIMARY KEY AUTOINCREMENT, name text NOT NULL DEFAULT 'x', \"class\" TEXT)",
        """
        CREATE TABLE member (team INTEGER NOT NULL REFERENCES team (id), "no" INTEGER UNIQUE, nick VARCHAR(9),
            twice AS (no * 2), PRIMARY KEY (team, no)) WITHOUT ROWID
        """,
        "CREATE INDEX \"member.nick\" ON Member (nick)", "CREATE INDEX \"a\" ON team (name)",
        "CREATE VIEW names AS SELECT name FROM team", "CREATE VIEW broken AS SELECT gone FROM nowhere",
        "CREATE VIRTUAL TABLE words USING fts5(text)",
        "CREATE TRIGGER \"team.a\" AFTER DELETE ON team BEGIN SELECT 1; END",
        "CREATE TRIGGER \"TEAM.b\" AFTER INSERT ON member BEGIN SELECT 1; END",
        "CREATE TRIGGER \"team\" AFTER INSERT ON Team BEGIN SELECT 1; END",
        "CREATE TRIGGER \"team_x\" AFTER INSERT ON Team BEGIN SELECT 1; END",
        "CREATE TRIGGER \"caf\u{e9}.a\" AFTER INSERT ON Team BEGIN SELECT 1; END",
        "CREATE TRIGGER \"cafe\u{301}.a\" AFTER INSERT ON Team BEGIN SELECT 2; END",
        "CREATE TABLE \"caf\u{e9}\" (a)", "CREATE TABLE \"cafe\u{301}\" (b)", "CREATE TABLE \"CAF\u{c9}\" (c)",
        "CREATE TABLE \"it's \"\"quoted\"\"\" (id INTEGER PRIMARY KEY)", "CREATE TABLE copied AS SELECT * FROM team",
        "ALTER TABLE copied ADD COLUMN later BLOB", "CREATE TEMP TABLE hidden (id)",
    ]

    private static let names = [
        "team", "TEAM", "member", "Member", "names", "words", "words_data", "caf\u{e9}", "cafe\u{301}", "CAF\u{c9}",
        "CAF\u{e9}", "it's \"quoted\"", "copied", "hidden", "nobody", "", "sqlite_sequence", "team.a", "a",
    ]

    private func withBoth(_ body: (any SchemaReader, any SchemaReader, SQLiteConnection) throws -> Void) throws {
        try withConnection { connection throws in
            for text in Self.texts { try connection.run(text) }
            let ahead = connection.schema.readAhead()
            #expect(ahead is SQLiteSchemaSnapshot)
            try body(connection.schema, ahead, connection)
        }
    }

    @Test func `both readers return the same tables and columns`() throws {
        try withBoth { schema, ahead, _ throws in
            for name in Self.names {
                let (one, other) = (try schema.table(name), try ahead.table(name))
                #expect("\(one as Any)" == "\(other as Any)", "\(name)")
                #expect(try schema.definition(of: name) == ahead.definition(of: name), "\(name)")
                #expect(try schema.columnNames(of: name) == ahead.columnNames(of: name))
                #expect(try schema.indexNames(of: name) == ahead.indexNames(of: name))
                #expect("\(try schema.indexes(of: name))" == "\(try ahead.indexes(of: name))")
                #expect("\(try schema.references(to: name))" == "\(try ahead.references(to: name))")
                #expect(try schema.hasRowNumbers(name) == ahead.hasRowNumbers(name))
                #expect("\(try schema.foreignKeys(of: name))" == "\(try ahead.foreignKeys(of: name))")
                #expect(
                    try schema.tables(referringTo: name, by: "TEAM") == ahead.tables(referringTo: name, by: "TEAM"))
            }
            #expect(throws: StoreError.self) { try schema.table("broken") }
            #expect(throws: StoreError.self) { try ahead.table("broken") }
            #expect(try schema.version() == ahead.version())
        }
    }

    @Test func `both readers return the same triggers and definitions, in the same order`() throws {
        try withBoth { schema, ahead, _ throws in
            for name in Self.names + Self.names.map({ $0 + "." }) + ["t", "u", "zzz", "%", "cafe"] {
                let (one, other) = (try schema.triggers(beginning: name), try ahead.triggers(beginning: name))
                expect(one.map { Array($0.text.utf8) }, other.map { Array($0.text.utf8) }, "\(name)")
                expect(one.map(\.table), other.map(\.table))
                try expect(schema.triggers(on: name).map(\.name), ahead.triggers(on: name).map(\.name))
                for tables in [[], [name], [name, "team"], Self.names] {
                    let (one, other) = (
                        try schema.definitions(of: tables, triggersBeginning: name),
                        try ahead.definitions(of: tables, triggersBeginning: name)
                    )
                    expect(Array(one.utf8), Array(other.utf8), "\(name)")
                }
            }
        }
    }

    @Test func `a snapshot shows the schema at the time of its creation`() throws {
        try withBoth { schema, ahead, connection throws in
            let before = try ahead.definitions(of: ["copied"], triggersBeginning: "copied.")
            try connection.run("CREATE INDEX \"copied.name\" ON copied (name)")
            try expect(ahead.definitions(of: ["copied"], triggersBeginning: "copied."), before)
            #expect(try schema.definitions(of: ["copied"], triggersBeginning: "copied.") != before)
            #expect(
                try connection.schema.readAhead().definitions(of: ["copied"], triggersBeginning: "copied.") != before)
        }
    }

    @Test func `if the schema contains an invalid string, the reader falls back to queries`() throws {
        let file = try TemporaryStore()
        _ = try file.sqlite(
            """
            CREATE TABLE plain (id INTEGER PRIMARY KEY); CREATE TABLE odd (id); PRAGMA writable_schema = 1;
            UPDATE sqlite_schema SET sql = CAST(x'435245415445205441424c45206f646420286964202f2a20ff202a2f29' AS TEXT) WHERE name = 'odd'
            """)
        let connection = try file.connect()
        let reader = connection.schema.readAhead()
        #expect(!(reader is SQLiteSchemaSnapshot))
        try expect(reader.table("plain")?.columns.count, 1)
    }
}

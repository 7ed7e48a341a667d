import StoreEngine
import TestSupport
import Testing

@Suite struct SQLTests {
    private func quoted(_ name: String) -> String { ("\(name: name)" as SQL).text }

    @Test func `SQL is composed of text, names, numbers, literals and placeholders`() throws {
        let part: SQL = "LIMIT \(number: -1)"
        let name = try #require(SQLLiteral(.text("it's")))
        let sql: SQL = """
            SELECT \(column: "name", of: "person") FROM \(name: "person") \
            WHERE name = \(literal: name) AND age > \(placeholder: 12) \(part)
            """
        expect(sql.text, #"SELECT "person"."name" FROM "person" WHERE name = 'it''s' AND age > ?12 LIMIT -1"#)
    }

    @Test func `a list has the separator between its elements only`() {
        func list(_ names: [String]) -> String {
            ("\(list: names.map { "\(name: $0)" }, separator: " AND ")" as SQL).text
        }
        #expect(list([]).isEmpty)
        expect(list(["a"]), #""a""#)
        expect(list(["a", "b", "c"]), #""a" AND "b" AND "c""#)
        expect(("(\(names: ["a", "b"]))" as SQL).text, #"("a", "b")"#)
        expect(("\(columns: ["a", "b"], of: "t")" as SQL).text, #""t"."a", "t"."b""#)
        expect(("(\(placeholders: 3))" as SQL).text, "(?, ?, ?)")
        expect(("(\(placeholders: 0))" as SQL).text, "()")
    }

    @Test func `SQL can be appended to SQL`() {
        var sql: SQL = "SELECT 1"
        #expect(SQL().isEmpty && ("" as SQL).isEmpty && !sql.isEmpty)
        sql.append(" FROM \(name: "t")")
        expect(sql, #"SELECT 1 FROM "t""#)
        expect(sql + " LIMIT 1", #"SELECT 1 FROM "t" LIMIT 1"#)
    }

    @Test func `raw SQL is inserted unchanged`() {
        let raw = RawSQL(#"name = "x" OR 1 -- "#)
        expect(SQL(raw).text, raw.text)
        expect(("WHERE \(raw: raw)" as SQL).text, "WHERE " + raw.text)
    }

    @Test func `quotes in a name are doubled`() {
        expect(quoted(#"a"b"#), #""a""b""#)
        #expect(quoted(#"""#) == #""""""#)
        #expect(quoted("") == #""""#)
        expect(quoted("it's"), #""it's""#)
    }

    @Test func `a quote with a combining accent is doubled as well`() {
        expect(Array(quoted("a\"\u{301}b").unicodeScalars), Array("\"a\"\"\u{301}b\"".unicodeScalars))
    }

    private static let names = [
        "a", "a b", #"a"b"#, #"x" INT); DROP TABLE t; --"#, "select", "группа", "🎉", "👨‍👩‍👧", "é", "e\u{301}", "a.b", "[a]",
        "`a`",
        "it's", "--", "/*", "?1", "$a", "\"\u{301}", "line\nbreak", " ", "",
    ]

    @Test(arguments: names)
    func `any name works for a table and a column, and cannot inject SQL`(_ name: String) throws {
        try withConnection { connection throws in
            let table = "t" + name
            try connection.execute("CREATE TABLE \(name: table) (\(name: name) ANY) STRICT")
            try connection.execute("INSERT INTO \(name: table) (\(names: [name])) VALUES (7)")
            let select: SQL = "SELECT \(column: name, of: table) FROM \(name: table)"
            try expect(connection.value(select), .integer(7))
            try expect(connection.scalar("SELECT name FROM sqlite_schema"), .text("t" + name))
            try expect(
                connection.scalar("SELECT name FROM pragma_table_info((SELECT name FROM sqlite_schema))"), .text(name))
            try expect(connection.scalar("SELECT count(*) FROM sqlite_schema"), .integer(1))
        }
    }

    @Test func `a name that contains NUL is rejected and not truncated`() throws {
        try withConnection { connection throws in
            expect(code(of: { try connection.execute("CREATE TABLE \(name: "a\0b") (x)") }), .invalidSQL)
            try expect(connection.scalar("SELECT count(*) FROM sqlite_schema"), .integer(0))
        }
    }
}

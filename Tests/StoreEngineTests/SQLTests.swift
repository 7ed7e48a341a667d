import StoreEngine
import Testing

@Suite struct SQLTests {
    private func identifier(_ name: String) -> String {
        var sql = SQL()
        sql.append(identifier: name)
        return sql.text
    }

    @Test func `a statement is put together from text, names, numbers, types and placeholders`() {
        var sql = SQL("SELECT ")
        sql.append(column: "name", of: "person")
        sql.append(" FROM ")
        sql.append(identifier: "person")
        sql.append(" WHERE age > ")
        sql.appendPlaceholder()
        sql.append(" LIMIT ")
        sql.append(number: -1)
        sql.append(SQL(" -- "))
        sql.append(type: .integer)
        #expect(sql.text == #"SELECT "person"."name" FROM "person" WHERE age > ? LIMIT -1 -- INTEGER"#)
    }

    @Test func `lists have the separator between their elements only`() {
        func list(_ names: [String]) -> String {
            var sql = SQL()
            sql.append(names, separator: " AND ") { sql, name in sql.append(identifier: name) }
            return sql.text
        }
        #expect(list([]).isEmpty)
        #expect(list(["a"]) == #""a""#)
        #expect(list(["a", "b", "c"]) == #""a" AND "b" AND "c""#)
    }

    @Test func `quotes in a name are doubled`() {
        #expect(identifier(#"a"b"#) == #""a""b""#)
        #expect(identifier(#"""#) == #""""""#)
        #expect(identifier("") == #""""#)
        #expect(identifier("it's") == #""it's""#)
    }

    @Test func `a quote with a combining accent on it is still a quote`() {
        #expect(Array(identifier("a\"\u{301}b").unicodeScalars) == Array("\"a\"\"\u{301}b\"".unicodeScalars))
    }

    private static let names = [
        "a", "a b", #"a"b"#, #"x" INT); DROP TABLE t; --"#, "select", "группа", "🎉", "👨‍👩‍👧", "é", "e\u{301}", "a.b", "[a]",
        "`a`",
        "it's", "--", "/*", "?1", "$a", "\"\u{301}", "line\nbreak", " ", "",
    ]

    @Test(arguments: names)
    func `any name works as table and column, and does nothing but name them`(_ name: String) throws {
        try withConnection { connection throws in
            var create = SQL("CREATE TABLE ")
            create.append(identifier: "t" + name)
            create.append(" (")
            create.append(identifier: name)
            create.append(" ")
            create.append(type: .any)
            create.append(") STRICT")
            try connection.execute(create)
            var insert = SQL("INSERT INTO ")
            insert.append(identifier: "t" + name)
            insert.append(" (")
            insert.append(identifier: name)
            insert.append(") VALUES (7)")
            try connection.execute(insert)
            var select = SQL("SELECT ")
            select.append(column: name, of: "t" + name)
            select.append(" FROM ")
            select.append(identifier: "t" + name)
            #expect(try connection.value(select) == .integer(7))
            #expect(try connection.scalar("SELECT name FROM sqlite_schema") == .text("t" + name))
            #expect(
                try connection.scalar("SELECT name FROM pragma_table_info((SELECT name FROM sqlite_schema))")
                    == .text(name))
            #expect(try connection.scalar("SELECT count(*) FROM sqlite_schema") == .integer(1))
        }
    }

    @Test func `a name with a NUL in it is an error, not a shorter name`() throws {
        try withConnection { connection throws in
            var create = SQL("CREATE TABLE ")
            create.append(identifier: "a\0b")
            create.append(" (x)")
            #expect(code(of: { try connection.execute(create) }) == .invalidSQL)
            #expect(try connection.scalar("SELECT count(*) FROM sqlite_schema") == .integer(0))
        }
    }
}

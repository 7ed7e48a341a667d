import StoreEngine
import TestSupport
import Testing

/// The SQL that the dialect of SQLite writes. The tests of queries, schema and search verify its effect.
@Suite struct DialectTests {
    private let dialect = Dialect.sqlite

    @Test func `columns are declared with the types of STRICT tables`() {
        let types: [LogicalType] = [.integer, .real, .text, .blob, .any, .uuid, .decimal]
        expect(types.map { dialect.declaredType($0) }, ["INTEGER", "REAL", "TEXT", "BLOB", "ANY", "BLOB", "TEXT"])
        #expect(LogicalType.allCases.allSatisfy { dialect.declaredType($0).text == $0.columnType.rawValue })
        expect(dialect.idColumn, "INTEGER PRIMARY KEY AUTOINCREMENT")
        expect(dialect.tableOptions, " STRICT")
        expect(dialect.keyedTableOptions, " STRICT, WITHOUT ROWID")
    }

    @Test func `a random key is a UUID of version 4`() throws {
        try withConnection { connection throws in
            let pattern = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
            for _ in 0..<100 {
                guard case .text(let key)? = try connection.value("SELECT \(dialect.randomKey(.text))"),
                    case .blob(let bytes)? = try connection.value("SELECT \(dialect.randomKey(.blob))"),
                    let literal = SQLLiteral(.blob(bytes)),
                    case .text(let text)? = try connection.value("SELECT \(dialect.uuidText("\(literal: literal)"))")
                else {
                    Issue.record("no text, or no bytes")
                    return
                }
                #expect(key.wholeMatch(of: pattern) != nil)
                #expect(bytes.count == 16 && text.wholeMatch(of: pattern) != nil)
            }
            try expect(connection.value("SELECT \(dialect.uuidText("NULL"))"), .null)
        }
    }

    @Test func `delete triggers deny the deletion or run a statement`() {
        let denying = DeleteTriggerText(
            name: "t.a.deny", table: "t", actsAfterwards: false, condition: "EXISTS (SELECT 1)",
            action: .deny(rule: "T.it's"))
        expect(
            dialect.deleteTrigger(denying).text,
            #"CREATE TRIGGER "t.a.deny" BEFORE DELETE ON "t" WHEN EXISTS (SELECT 1) "#
                + "BEGIN SELECT RAISE(ABORT, 'T.it''s denies the deletion'); END")
        let deleting = DeleteTriggerText(
            name: "t.a.cascade", table: "t", actsAfterwards: true, condition: nil, action: .run("DELETE FROM x"))
        expect(
            dialect.deleteTrigger(deleting).text,
            #"CREATE TRIGGER "t.a.cascade" AFTER DELETE ON "t" BEGIN DELETE FROM x; END"#)
        expect(dialect.dropTrigger("a.b", "t"), #"DROP TRIGGER IF EXISTS "a.b""#)
    }

    @Test func `a list is passed as one argument`() {
        expect(dialect.isInList("?1", .plain), "IN (SELECT value FROM json_each(?1))")
        expect(dialect.isInList("?", .tagged), "IN (SELECT po_value(value) FROM json_each(?))")
        expect(dialect.listRows(":a", .plain), "(SELECT value FROM json_each(:a))")
        expect(dialect.listTable("?", "list"), #"json_each(?) AS "list""#)
        expect(dialect.orderedJoin, "CROSS JOIN")
        expect(dialect.argumentLimit, 32_766)
    }

    @Test func `a statement accepts as many arguments as the dialect states`() throws {
        try withConnection { connection throws in
            try expect(connection.prepare("SELECT \(placeholder: dialect.argumentLimit)").placeholderCount, 32_766)
        }
    }

    @Test func `comparisons treat nil as a value`() {
        expect(dialect.isSame, "IS")
        expect(dialect.isNotSame, "IS NOT")
        expect([dialect.always, dialect.never], ["1", "0"])
        expect(dialect.isTrue("x"), "x = 1")
        expect(dialect.ignoringCase("x"), "x COLLATE po_nocase")
        expect(dialect.decimalOrder("x"), "x COLLATE po_decimal")
    }

    @Test func `an ordering places nil explicitly only on request`() {
        expect(dialect.ordering(false, nil), "")
        expect(dialect.ordering(true, nil), " DESC")
        expect(dialect.ordering(true, true), " DESC NULLS LAST")
        expect(dialect.ordering(false, false), " NULLS FIRST")
        expect(dialect.noLimit, "-1")
    }

    @Test func `an upsert skips or overwrites existing rows`() {
        expect(dialect.upsert(["a"], []), " ON CONFLICT DO NOTHING")
        expect(dialect.upsert(["a", "b"], ["c"]), #" ON CONFLICT ("a", "b") DO UPDATE SET "c" = excluded."c""#)
    }

    @Test func `the dialect writes matching, conversion and length of strings`() throws {
        expect(dialect.matches(.glob, "x", "?"), "x GLOB ?")
        expect(dialect.matches(.regularExpression, "x", "?"), "x REGEXP ?")
        expect(dialect.matches(.contains, "x", "?"), "instr(x, ?) > 0")
        expect(dialect.matches(.containsFolded, "x", "?"), "po_contains(x, ?)")
        expect(dialect.hasPrefix("x", "?1", "?2"), "x >= ?1 AND x < ?2")
        expect(dialect.hasSuffix("x", "?1", "?2"), "substr(CAST(x AS BLOB), -?2) = ?1")
        let made = [.lowercased, .uppercased, .folded, .unaccented, .characterCount].map { dialect.text($0, "x") }
        expect(made, ["po_lower(x)", "po_upper(x)", "po_fold(x)", "po_unaccented(x)", "po_count(x)"])
        expect(dialect.byteCount("x"), "length(x)")
        let keys = try ["a", "b'c"].map { try #require(SQLLiteral(.text($0))) }
        expect(dialect.jsonMember("x", keys, .text), "po_json(x, 'a', 'b''c')")
        let list = JSONListText(document: "x", keys: keys, isObject: false)
        expect(dialect.jsonCount(list), "po_json_count(x, 'a', 'b''c')")
        expect(dialect.jsonContains(list, "?"), "po_json_has(x, ?, 'a', 'b''c')")
        expect(dialect.total("x"), "total(x)")
        #expect(dialect.isAggregate("SUM", 1) && dialect.isAggregate("max", 1) && !dialect.isAggregate("max", 2))
        expect(dialect.explanation("SELECT 1"), "EXPLAIN QUERY PLAN SELECT 1")
    }

    @Test func `the parts of a date are in UTC`() throws {
        let parts: [DatePart] = [.year, .month, .day, .hour, .minute, .second, .weekday, .dayOfYear]
        try withConnection { connection throws in
            // 2001-02-03 04:05:06, a Saturday.
            let found = try parts.map {
                try connection.value("SELECT \(dialect.datePart($0, "2865906.0", .offset(0)))")
            }
            #expect(found == [2001, 2, 3, 4, 5, 6, 7, 34].map { .integer($0) })
        }
    }

    @Test func `a search index follows the changes of its table`() throws {
        let index = SearchIndex(of: "note", columns: ["title", "text"])
        expect(index.name, "note_search")
        #expect(dialect.search.isDefinition(dialect.search.definition(index).text, "note_search"))
        #expect(!dialect.search.isDefinition(dialect.search.definition(index).text, "other_search"))
        try withConnection { connection throws in
            try connection.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, text TEXT)")
            try connection.execute("INSERT INTO note VALUES (1, 'fox', 'quick'), (2, 'dog', 'lazy fox')")
            try connection.execute(dialect.search.definition(index))
            try connection.execute(dialect.search.rebuilding(index))
            for event in dialect.search.events { try connection.execute(dialect.search.trigger(index, event)) }
            func found(_ words: SQL) throws -> DatabaseValue? {
                let join = dialect.search.join(index, "s", "note.id")
                let matches = dialect.search.matches(index, "s", words)
                return try connection.value("SELECT group_concat(note.id) FROM note JOIN \(join) WHERE \(matches)")
            }
            try expect(found("'fox'"), .text("1,2"))
            try connection.execute("UPDATE note SET title = 'cat' WHERE id = 1")
            try connection.execute("INSERT INTO note VALUES (3, 'fox', '')")
            try expect(found("'fox'"), .text("2,3"))
            try connection.execute("DELETE FROM note WHERE id = 2")
            try expect(found("'fox'"), .text("3"))
            let snippet = dialect.search.snippet(
                .init(of: index, as: "s", search: "'fox'", column: 0, marks: ("'['", "']'"), wordCount: 5))
            let join = dialect.search.join(index, "s", "note.id")
            let matches = dialect.search.matches(index, "s", "'fox'")
            let rank = dialect.search.rank("s", "'fox'")
            try expect(
                connection.value("SELECT \(snippet) FROM note JOIN \(join) WHERE \(matches) ORDER BY \(rank)"),
                .text("[fox]"))
        }
    }
}

import TestSupport
import Testing

@testable import PersistentObjects

/// SQL names derived from Swift names.
@Suite struct NamingTests {
    @Test(arguments: [
        ("lastName", "last_name"), ("userID", "user_id"), ("URLString", "url_string"), ("html5Page", "html5_page"),
        ("b1", "b1"), ("foo_bar", "foo_bar"), ("PersistablePerson", "persistable_person"), ("x", "x"), ("X", "x"),
        ("ABC", "abc"), ("aB", "a_b"), ("aBC", "a_bc"), ("HTTPSServerName", "https_server_name"),
        ("item2Name", "item2_name"),
        ("item2name", "item2name"), ("_private", "_private"), ("last_Name", "last_name"),
        ("iPhone15ProMax", "i_phone15_pro_max"),
        ("größeÜber", "größe_über"), ("ÉcoleID", "école_id"), ("имяФайла", "имя_файла"), ("🎉Party", "🎉party"), ("", ""),
        ("A1B2", "a1_b2"), ("firstNAME", "first_name"), ("with space", "with space"), ("isURL", "is_url"),
        ("URLs", "ur_ls"),
    ])
    func `names are converted to snake case`(_ name: String, _ wanted: String) {
        expect(Naming.snakeCase(name), wanted)
    }

    @Test func `names are folded as SQLite and Swift fold them`() {
        expect(Naming.folded("Name"), Naming.folded("nAME"))
        expect(Naming.folded("caf\u{e9}"), Naming.folded("cafe\u{301}"))
        #expect(Naming.folded("É") != Naming.folded("é"), "SQLite folds ASCII only")
        expect(Naming.withoutBackticks("`two\u{a0}words`"), "two words")
        expect(Naming.withoutBackticks("``"), "``")
        expect(Naming.withoutBackticks("plain"), "plain")
    }

    // MARK: Columns

    final class OddlyNamed: PersistentObject {
        var `x" INT); DROP TABLE t; --` = 1
        var `it's` = 2
        var `two words` = 3
        var `a.b` = 4
        var `1st` = 5
        var 🎉 = 6
        var группа = 7
        var `class` = 8
        var `[bracket]` = 9
        var `?1` = 10
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var `sqlite_master` = 11
        var rowid = 12
        var _leading = 13
        var `%s` = 14
    }

    @Test func `any identifier can be a property that is saved, found and read by the SQLite shell`() throws {
        try withTemporarySession { session, file in
            let object = OddlyNamed()
            try object.save()
            object.`x" INT); DROP TABLE t; --` = 100
            object.`two words` = 300
            try object.save()
            let row = try file.sqlite("SELECT * FROM oddly_named")
            expect(row, "1|100|2|300|4|5|6|7|8|9|10|11|12|13|14")
            let quoted = try file.sqlite(
                "SELECT \"x\"\" int); drop table t; --\", \"two words\", \"it's\" FROM oddly_named")
            expect(quoted, "100|300|2")
            try session.store.withSession { _ in
                let found = try #require(try OddlyNamed.findBy.`two words`(300).first)
                #expect(found.`x" INT); DROP TABLE t; --` == 100 && found.🎉 == 6 && found.`%s` == 14)
                expect(found["two words"] as? Int, 300)
                #expect(try OddlyNamed.findBy.`x" INT); DROP TABLE t; --`(100).count == 1)
                try expect(OddlyNamed.findBy.`a.b`(4).count, 1)
                try expect(OddlyNamed.findBy.rowid(12).count, 1)
                #expect(try OddlyNamed.findBy.группа(8).isEmpty)
            }
        }
    }

    final class `Odd "class" name; --`: PersistentObject { var value = 1 }
    final class 🎉Party: PersistentObject { var value = 2 }

    @Test func `any identifier can be a class`() throws {
        try withTemporarySession { _, file in
            try `Odd "class" name; --`().save()
            try 🎉Party().save()
            try expect(
                file.sqlite("SELECT * FROM \"odd \"\"class\"\" name; --\"; SELECT * FROM \"🎉party\""), "1|1\n1|2")
            #expect(try `Odd "class" name; --`.findBy.value(1).count == 1)
        }
    }

    // MARK: Keywords

    @Test func `each SQL keyword can be a property`() throws {
        expect(sqlKeywords.count, 147)
        let map = try ClassMap.map(of: KeywordProperties.self)
        expect(map.properties.map(\.column), sqlKeywords.map { $0.lowercased() })
        try withTemporarySession { session, file in
            let object = KeywordProperties()
            for property in map.properties { try object.set(property.name, to: "<\(property.name)>") }
            try object.save()
            object.order = "changed"
            try object.save()
            for (property, keyword) in zip(map.properties, sqlKeywords) {
                let wanted = property.name == "order" ? "changed" : "<\(property.name)>"
                expect(object[property.name] as? String, wanted, "\(keyword)")
            }
            let names = map.properties.map { "\"\($0.column)\"" }.joined(separator: " || ")
            let all = try file.sqlite("SELECT \(names) FROM keyword_properties WHERE \"select\" = '<select>'")
            expect(all, map.properties.map { $0.name == "order" ? "changed" : "<\($0.name)>" }.joined())
            try session.store.withSession { _ in
                let found = try #require(try KeywordProperties.findBy.order("changed").first)
                #expect(
                    found.select == "<select>" && found.where == "<where>"
                        && found.currentTimestamp == "<currentTimestamp>")
                for property in map.properties.prefix(40) {
                    let count = try KeywordProperties.countByCriteria(
                        "WHERE \"\(property.column)\" = ?", object[property.name])
                    expect(count, 1)
                }
            }
        }
    }

    @Test func `each SQL keyword can be a class`() throws {
        try withTemporarySession { session, file in
            for type in KeywordClasses.all {
                let object = type.init()
                object.word = "\(type)"
                try object.save()
                object.word += "!"
                try object.save()
            }
            let tables = sqlKeywords.map { $0.lowercased() }
            let words = try file.sqlite(tables.map { "SELECT word FROM \"\($0)\" WHERE id = 1;" }.joined())
            expect(words, KeywordClasses.all.map { "\($0)!" }.joined(separator: "\n"))
            try session.store.withSession { session in
                for type in KeywordClasses.all {
                    try expect(session.find(session.space(of: type), 1)?["word"] as? String, "\(type)!")
                }
                let select = try #require(try KeywordClasses.Select.findBy.word("Select!").first)
                try select.delete()
                try expect(KeywordClasses.Select.count(), 0)
            }
        }
    }
}

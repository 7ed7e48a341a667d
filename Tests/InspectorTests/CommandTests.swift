import Foundation
import PersistentObjects
import TestSupport
import Testing

/// The output of the commands that read.
struct CommandTests {
    private func withFile(_ body: (String) throws -> Void) throws {
        let file = try TemporaryStore()
        try makeStore(file, .init(journal: .rollback)).close()
        try body(file.path)
    }

    @Test func `the summary has the format, sizes, last change and classes`() throws {
        try withFile { path throws in
            let lines = try Inspection(path).lines
            #expect(lines[0] == "file     \(path)")
            #expect(lines[1] == "format   store of PersistentObjects, format 2")
            #expect(lines[2].hasPrefix("size     ") && lines[2].hasSuffix(" pages of 4,096 bytes"))
            #expect(lines[3] == "journal  rollback journal")
            #expect(lines[4].hasPrefix("changed  ") && lines[4].contains("library version"))
            expect(
                Array(lines[5...]),
                [
                    "", "class   table   objects", "Badge   badge         6", "Ball    figure        1",
                    "City    city          1", "Figure  figure        2", "Firm    firm          2",
                    "Land    land          1", "Worker  worker       12",
                ])
        }
    }

    @Test func `a class has its properties, rules and indexes`() throws {
        try withFile { path throws in
            let lines = try Inspection(path, "classes", "Worker").lines
            #expect(lines[0] == "class Worker, table worker, 12 objects")
            for line in [
                "  lastName   String            last_name       indexed, initially ''",
                "  balance    Decimal(2)        balance         initially 0",
                "  status     Status: String    status          initially 'active', values active, retired",
                "  level      Level?: Int       level",
                "  home.zip   Int?              home_zip",
                "  ratings    [String: Double]  worker_ratings",
                "  badge      Badge?                            inverse of \\Badge.owner",
                "  notes      String            notes           lazy, initially ''",
            ] { #expect(lines.contains { $0.hasPrefix(line) }, "\(line)") }
            #expect(lines.contains("  worker.last_name.index (last_name)"))
            #expect(try Inspection(path, "classes", "Ball").lines[0] == "class Ball: Figure, table figure, 1 object")
            let sql = try Inspection(path, "classes", "Land", "--sql").lines
            #expect(sql[0].hasPrefix("CREATE TABLE \"land\"") && sql.contains { $0.contains("\"land.key.unique\"") })
            let json = try Inspection(path, "classes", "--json").lines
            #expect(json.count == 7 && json.allSatisfy { $0.hasPrefix("{\"name\":\"") })
        }
    }

    @Test func `the diagram has a node for each class and an edge for each link`() throws {
        try withFile { path throws in
            let lines = try Inspection(path, "classes", "--dot").lines
            #expect(lines.first == "digraph classes {" && lines.last == "}")
            for edge in [
                "\"Worker\" -> \"Firm\" [label=\"employer\"];",
                "\"Worker\" -> \"Worker\" [label=\"friends\", arrowhead=crow];",
                "\"Ball\" -> \"Figure\" [arrowhead=empty];",
            ] { #expect(lines.contains("    \(edge)")) }
            #expect(lines.count { $0.contains(" [label=<<table") } == 7)
            #expect(lines.contains { $0.contains("roles: [Status]") && $0.contains("years: Set&lt;Int&gt;") })
        }
    }

    @Test func `an object has its values, links and the objects that refer to it`() throws {
        try withFile { path throws in
            let lines = try Inspection(path, "show", "Worker", "4").lines
            for line in [
                "Worker #4", "  small      nil", "  isMember   true", "  born       2001-01-05T00:00:00Z",
                "  token      6BA7B810-9DAD-41D1-80B4-00C04FD43004", "  photo      x'04AB'", "  balance    4.25",
                "  contact    {\"phone\":\"4\"}", "  employer   Firm #2 \"Globex\"", "  years      2: 1999, 2004",
                "  ratings    2: \"x\": 1.5, \"y\": 4.0", "  notes      \"note 4\"", "referred to by",
            ] { #expect(lines.contains(line), "\(line)") }
            #expect(
                try Inspection(path, "show", "Figure", "2").lines == [
                    "Ball #2", "  name    \"round\"", "  radius  2.5",
                ])
            let land = try Inspection(path, "show", "Land", "AT", "--depth", "2").lines
            #expect(land.contains("  capital  City #1 \"Vienna\"") && land.contains("  City #1"))
            #expect(try Inspection(path, "show", "City", "6ba7b810-9dad-41d1-80b4-00c04fd430c8").lines[0] == "City #1")
            #expect(refusal(path, "show", "Ball", "1") == "\(path) has no Ball #1.")
            #expect(refusal(path, "show", "Worker", "x") == "x is not the id of an object of class Worker.")
            #expect(refusal(path, "show", "Work", "1") == "\(path) has no class Work. Its classes are Worker.")
        }
    }

    @Test func `a finder has objects, ids, numbers and truth values as results`() throws {
        try withFile { path throws in
            func find(_ call: String, _ options: String...) throws -> [String] {
                try Inspection([path, "find", call] + options).lines
            }
            #expect(try find("Firm.all()") == ["id  name    city", " 1  Acme    Graz", " 2  Globex  nil"])
            #expect(try find("Firm.all()", "--csv") == ["id,name,city", "1,Acme,Graz", "2,Globex,"])
            #expect(try find("Firm.getByName(\"Acme\")", "--json") == [#"{"id":1,"name":"Acme","city":"Graz"}"#])
            #expect(try find("Figure.all()", "--csv") == ["id,name,class", "1,plain,Figure", "2,round,Ball"])
            #expect(try find("Ball.all()", "--csv") == ["id,name,radius,class", "2,round,2.5,Ball"])
            #expect(try find("Worker.countByIsActiveTrue()") == ["6"])
            #expect(try find("Worker.existsByAge(20)") == ["true"])
            #expect(try find("Worker.existsByAge(99)") == ["false"])
            #expect(try find("Worker.sumOfAge()") == ["306"])
            #expect(try find("Worker.sumOfAgeByAge(0)") == ["nil"])
            #expect(try find("Worker.averageOfAge()") == ["25.5"])
            #expect(try find("Worker.totalOfAgeByAge(0)") == ["0.0"])
            #expect(try find("Worker.maxOfBorn()") == ["2001-01-12T00:00:00Z"])
            let ids = try Inspection(path, "sql", "SELECT id FROM worker WHERE age > 29 ORDER BY id").lines
            #expect(try find("Worker.idsByAgeGreaterThan(29)") == ids && ids.count == 3)
            #expect(try find("Worker.findByAge(99)") == ["No rows"])
            let part = try find("Worker.listOrderByAge()", "--limit", "2")
            #expect(part.count == 4 && part[3] == "… more than 2 rows; see --limit")
            let plan = try find("Worker.findByHeight(1.5)", "--plan")
            #expect(plan[0].hasSuffix("FROM \"worker\" WHERE \"worker\".\"height\" = ?1") && plan[1] == "?1 = 1.5")
            #expect(plan[2] == "  SCAN worker  ← reads all rows")
        }
    }

    @Test(arguments: [
        ("Worker.findByAgge(2)", "Worker.findByAgge: no property matches \"Agge\"; did you mean age?"),
        ("Worker.findByAge(\"x\")", "Worker.findByAge: age requires Int, not String"),
        ("Worker.findByAge()", "Worker.findByAge: "),
        ("Worker.findByWarmth(3)", "Worker.warmth: not a valid Temperature: only a program with this type can convert"),
        ("Worker.findByContact(3)", "Worker.contact: not a valid Contact: only a program with this type can convert"),
        ("Worker.deleteByAge(3)", "The query cannot be expressed in SQL. In Worker.deleteByAge: the finder can write"),
        (
            "Worker.findOrCreateByAge(3)",
            "The query cannot be expressed in SQL. In Worker.findOrCreateByAge: the finder"
        ),
        ("Worker.sumOfBalance()", "The query cannot be expressed in SQL. In Worker.sumOfBalance: decimal numbers are"),
        ("Worker.getByAgeGreaterThan(20)", "Several objects were found, but exactly one was expected."),
        ("Worker.getByAge(1)", "No object was found, but exactly one was expected."),
        ("Worker", "A finder is written as CLASS.FINDER(VALUES), such as Person.findByAge(39)."),
        ("Worker.findByAge(1", "The values cannot be read at the end: ) or a comma is expected."),
        ("Worker.findByAge(1) x", "The values cannot be read at \"x\": nothing can follow the closing parenthesis."),
        ("Worker.findByAge(\"a)", "The values cannot be read at the end: the string has no end."),
    ])
    func `a finder that cannot run is refused with the reason`(call: String, message: String) throws {
        try withFile { path throws in
            let found = refusal(path, "find", call)
            #expect(found.hasPrefix(message), "\(found)")
        }
    }

    @Test func `a statement reads, and is refused if it writes`() throws {
        try withFile { path throws in
            #expect(
                try Inspection(path, "sql", "SELECT name, city FROM firm", "--csv").lines == [
                    "name,city", "Acme,Graz", "Globex,",
                ])
            #expect(try Inspection(path, "sql", "SELECT 'a,\"b' AS x", "--csv").lines == ["x", "\"a,\"\"b\""])
            #expect(
                try Inspection(path, "sql", "SELECT 1 AS a, x'00' AS b", "--json").lines == [#"{"a":1,"b":"AA=="}"#])
            for sql in [
                "DELETE FROM firm", "UPDATE firm SET name = 'x'", "CREATE TABLE x (a)", "ATTACH 'x' AS y", "BEGIN",
                "PRAGMA journal_mode = DELETE", "PRAGMA query_only = OFF", "VACUUM", "SELECT 1; DELETE FROM firm", "",
                "DROP TABLE firm", "INSERT INTO firm (name) VALUES ('x') RETURNING id",
            ] { #expect(!refusal(path, "sql", sql).hasPrefix("no error"), "\(sql)") }
            #expect(try Inspection(path, "find", "Firm.countByIdGreaterThan(0)").lines == ["2"])
            let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
            #expect(
                try Inspection(path, "sql", endless, "--limit", "1000").lines.last
                    == "… more than 1000 rows; see --limit")
        }
    }

    @Test func `strings are shortened and made visible, and counts are limited`() throws {
        try withFile { path throws in
            let long = String(repeating: "x", count: 300)
            _ = try SQLiteTool.run(
                path,
                """
                UPDATE firm SET name = '\(long)' WHERE id = 1; UPDATE firm SET name = 'a' || char(10, 27) || 'b' WHERE id = 2;
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100100)
                INSERT INTO badge (code) SELECT 'c' || i FROM n;
                """)
            let lines = try Inspection(path, "find", "Firm.all()").lines
            #expect(lines[1].contains(String(repeating: "x", count: 200) + "…") && !lines[1].contains(long))
            #expect(lines[2].contains("a\\u{a}\\u{1b}b"))
            #expect(try Inspection(path).lines.contains("Badge   badge   100,000+"))
            #expect(try Inspection(path, "find", "Badge.all()").lines.count == 52)
            for count in [100_000, 99_999] {
                _ = try SQLiteTool.run(
                    path, "DELETE FROM badge WHERE id > (SELECT id FROM badge ORDER BY id LIMIT 1 OFFSET \(count - 1))")
                let shown = " \(count / 1000),\(count % 1000 == 0 ? "000" : "999")"
                #expect(try Inspection(path).lines.contains { $0.hasPrefix("Badge ") && $0.hasSuffix(shown) })
            }
        }
    }

    @Test func `the sizes, the history and the check of a sound file`() throws {
        try withFile { path throws in
            let sizes = try Inspection(path, "sizes").lines
            #expect(
                sizes[0].hasPrefix("table ") && sizes.contains { $0.hasPrefix("worker ") && $0.contains(" Worker ") })
            let history = try Inspection(path, "history").lines
            #expect(history.contains { $0.contains("CREATE TABLE \"worker\"") })
            #expect(try Inspection(path, "history", "--json").lines.allSatisfy { $0.hasPrefix("{\"number\":") })
            let check = try Inspection(path, "check")
            #expect(check.lines == ["No problems"] && check.status == 0)
        }
    }

    @Test func `a check finds unreadable values, unknown cases, dangling references and missing columns`() throws {
        try withFile { path throws in
            _ = try SQLiteTool.run(
                path,
                """
                PRAGMA foreign_keys = OFF;
                UPDATE worker SET is_active = 7, status = 'gone', token = x'00', small = 1000 WHERE id = 2;
                UPDATE worker_ratings SET value = 9e999 WHERE owner_id = 1;
                DELETE FROM firm WHERE id = 1;
                UPDATE figure SET class = 'Cube' WHERE id = 1;
                ALTER TABLE land DROP COLUMN name;
                """)
            let check = try Inspection(path, "check")
            #expect(check.status == 1)
            for start in [
                "Worker.isActive #2: ", "Worker.status #2: Status: String has no case with the raw value gone.",
                "Worker.token #2: ", "Worker.small #2: ", "Figure #1: the file does not describe its class",
                "Land.name: its column name does not exist", "table worker.employer_id #1: it refers to a row of firm",
            ] { #expect(check.lines.contains { $0.hasPrefix(start) }, "\(start) in \(check.text)") }
        }
    }

    @Test(arguments: [
        (["x", "foo"], "There is no command foo. See persistent --help."),
        (
            ["x", "serve"],
            "The command serve needs a build with libmicrohttpd: swift build --traits Inspector --product persistent."
        ),
        (["x", "show"], "Usage: persistent FILE show CLASS ID. See persistent --help."),
        (["x", "classes", "--plan"], "The command classes has no option --plan. See persistent --help."),
        (["x", "--what"], "There is no option --what. See persistent --help."),
        (["x", "find", "A.all()", "--limit"], "--limit needs a number. See persistent --help."),
        (["diff", "a"], "Usage: persistent diff A B [CLASS]. See persistent --help."),
        (["x", "classes", "--json", "--json"], "--json is given twice."),
    ])
    func `an invalid command line is refused in one sentence`(words: [String], message: String) {
        #expect(refusal(words) == message)
    }

    @Test func `the help lists every command`() throws {
        let help = try Inspection("--help").text
        for name in ["summary", "classes", "show", "find", "sql", "sizes", "check", "history", "watch", "edit", "diff"]
        {
            #expect(help.contains(name))
        }
        #expect(try Inspection([]).text == help)
    }
}

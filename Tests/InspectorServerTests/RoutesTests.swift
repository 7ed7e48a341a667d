#if Inspector
    import Foundation
    import LoopbackHTTP
    import PersistentObjects
    import TestSupport
    import Testing

    @testable import InspectorServer
    @testable import PersistentInspector

    /// All routes with files of all kinds: each answers with a page, or with the reason that there is none.
    struct RoutesTests {
        private static let routes: [(path: String, query: [String: String])] = [
            ("/", [:]), ("/class/Maker", [:]), ("/class/Maker", ["p1": "name", "o1": "starts", "v1": "a"]),
            ("/class/Maker", ["order": "-name", "skip": "50"]), ("/class/Maker", ["facet": "city"]),
            ("/class/Maker/description", [:]), ("/object/Maker/1", [:]), ("/object/Maker/1/graph", ["depth": "3"]),
            ("/object/Maker/1/history", [:]), ("/linked/Maker/1/gadgets", [:]), ("/diagram", [:]),
            ("/search", ["q": "a"]), ("/search", ["q": "1", "class": "Maker"]), ("/find", ["q": "Maker.all()"]),
            ("/sql", ["q": "SELECT count(*) FROM sqlite_schema"]), ("/sizes", [:]), ("/check", ["run": "1"]),
            ("/history", [:]), ("/live", [:]), ("/edit/Maker/1", [:]), ("/delete/Maker/1", [:]),
            ("/data/Maker/1/name", [:]), ("/classes.svg", [:]), ("/graph.svg/Maker/1", [:]),
        ]

        /// Requests all routes in all forms, and returns the statuses of the pages.
        private func statuses(_ path: String) throws -> [String: Int] {
            let pages = InspectorPages(path: path, editor: FileEditor(path: path))
            let access = Access(port: 4000, isWritable: true)
            let site = Site(access: access, pages: pages, changes: ChangeFeed(path: path))
            var statuses: [String: Int] = [:]
            for (route, query) in RoutesTests.routes {
                for suffix in ["", ".json", ".csv"] {
                    var request = Request(path: route + suffix, query: query)
                    (request.sentHost, request.sentCookie) = ("127.0.0.1:4000", access.token)
                    let response = try #require(site.response(to: request))
                    #expect([200, 404].contains(response.status) && !response.body.isEmpty, "\(route)\(suffix)")
                    if suffix.isEmpty { statuses[route] = max(statuses[route] ?? 0, response.status) }
                }
            }
            return statuses
        }

        private func withFile(_ body: (_ path: String) throws -> Void) throws {
            let file = try TemporaryStore()
            try body(makeServedFile(file))
        }

        @Test func `a file with a description answers all routes`() throws {
            try withFile { path throws in
                let before = try Data(contentsOf: URL(filePath: path))
                for (route, status) in try statuses(path)
                where !route.hasPrefix("/classes.svg") && !route.hasPrefix("/graph.svg") {
                    #expect(status == 200, "\(route)")
                }
                #expect(try Data(contentsOf: URL(filePath: path)) == before)
                let folder = URL(filePath: path).deletingLastPathComponent().path
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["store.sqlite"])
            }
        }

        @Test(arguments: [
            "DROP TABLE po_class; DROP TABLE po_property", "PRAGMA user_version = 1; DROP TABLE po_class",
            "DELETE FROM po_class; DELETE FROM po_property",
        ])
        func `a file without a description, or of an old version, explains it`(_ sql: String) throws {
            try withFile { path throws in
                _ = try SQLiteTool.run(path, sql)
                let found = try statuses(path)
                #expect(found["/"] == 200 && found["/sql"] == 200 && found["/object/Maker/1"] == 404)
                let page = try #require(try InspectorPages(path: path).page("/", [:]))
                #expect(page.json.contains("does not describe its classes"))
            }
        }

        @Test func `a file of a newer version is refused with the reason`() throws {
            try withFile { path throws in
                _ = try SQLiteTool.run(path, "PRAGMA user_version = 99")
                let found = try statuses(path)
                #expect(found["/"] == 404 && found["/class/Maker"] == 404)
                #expect(throws: InspectorError.self) { try InspectorPages(path: path).page("/", [:]) }
            }
        }

        @Test func `an empty file, and a file that is not a database, are refused with the reason`() throws {
            try withFile { path throws in
                try Data().write(to: URL(filePath: path))
                #expect(try statuses(path)["/"] == 404)
                try Data(String(repeating: "no database. ", count: 1000).utf8).write(to: URL(filePath: path))
                #expect(try statuses(path)["/"] == 404)
            }
        }

        @Test func `a damaged file answers or explains the damage`() throws {
            try withFile { path throws in
                let bytes = try Data(contentsOf: URL(filePath: path))
                var random = SeededGenerator(seed: 7)
                for _ in 0..<Scale.rounds(20) {
                    var damaged = bytes
                    for _ in 0..<30 {
                        let place = Int.random(in: 100..<damaged.count, using: &random)
                        damaged[place] = UInt8.random(in: .min ... .max, using: &random)
                    }
                    try damaged.write(to: URL(filePath: path))
                    _ = try statuses(path)
                }
            }
        }

        @Test func `a file of 100,000 objects is shown in pages`() throws {
            try withFile { path throws in
                _ = try SQLiteTool.run(
                    path,
                    """
                    WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 100003)
                    INSERT INTO maker (id, name, city) SELECT i, 'a maker ' || i, 'city ' || (i % 7) FROM n
                    """)
                for (route, status) in try statuses(path) where !route.contains(".svg") {
                    #expect(status == 200, "\(route)")
                }
                let page = try #require(try InspectorPages(path: path).page("/class/Maker", ["facet": "city"]))
                #expect(page.json.contains("100,000+ objects") && page.json.contains("city 6"))
            }
        }

        @Test func `a file of 200 classes is shown without a diagram`() throws {
            try withFile { path throws in
                let statements = (1...200).map { number in
                    """
                    CREATE TABLE thing_\(number) (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL DEFAULT '') STRICT;
                    INSERT INTO thing_\(number) (name) VALUES ('a thing');
                    INSERT INTO po_class (id, name, module, table_name, identity, hash)
                    VALUES (\(1000 + number), 'Thing\(number)', 'Module', 'thing_\(number)', 'integer', x'00');
                    INSERT INTO po_property (class, position, name, column_name, kind, type, is_optional, initial, flags)
                    VALUES (\(1000 + number), 0, 'name', 'name', 'scalar', 'String', 0, '''''', 0);
                    """
                }
                _ = try SQLiteTool.run(path, "BEGIN; \(statements.joined(separator: "\n")) COMMIT")
                for (route, status) in try statuses(path) where !route.contains(".svg") {
                    #expect(status == 200, "\(route)")
                }
                let pages = InspectorPages(path: path)
                #expect(try pages.page("/", [:])?.json.contains("Thing200") == true)
                #expect(try pages.page("/diagram", [:])?.json.contains("203 classes, too many for a diagram") == true)
                #expect(try pages.page("/object/Thing117/1", [:])?.json.contains("a thing") == true)
            }
        }
    }
#endif

#if PostgreSQL
    import Foundation
    import PersistentInspector
    import PersistentObjects
    import TestSupport
    import Testing

    private final class Ward: PersistentObject {
        override class var tableName: String { "ward" }
        override class var keepsHistory: Bool { true }
        var name = ""
        @Inverse(\Visit.ward) var visits: [Visit] = []
    }

    private final class Visit: PersistentObject {
        override class var tableName: String { "visit" }
        override class var identity: Identity { .uuid }
        @Indexed var reason = ""
        var cost: Decimal = 0
        var day = Date(timeIntervalSinceReferenceDate: 0)
        var code = UUID()
        var scan = Data()
        var tags: [String] = []
        var ward: Ward?
    }

    /// The commands and pages of the inspector for a store on a server.
    @Suite(.onPostgres("other tests inspect files")) struct InspectedServerTests {
        private func withStore(_ body: (PostgresDatabase, _ address: String, Store) throws -> Void) throws {
            let database = try PostgresDatabase()
            let address = database.address()
            let store = try Store(.postgres(address))
            defer { store.close() }
            try store.withSession { session in
                let ward = Ward()
                ward.name = "North <b>"
                let visits = (1...3).map { number in
                    let visit = Visit()
                    visit.reason = "reason \(number)"
                    visit.cost = Decimal(number) / 4
                    visit.scan = Data(repeating: 1, count: number == 3 ? 3_000_000 : number)
                    visit.tags = ["a", "b"]
                    visit.ward = ward
                    return visit
                }
                try session.save([ward])
                try session.save(visits)
            }
            try body(database, address, store)
        }

        private func lines(_ words: String...) throws -> [String] {
            final class Lines { var all: [String] = [] }
            let lines = Lines()
            try InspectorCommand(words).run { lines.all.append($0) }
            return lines.all
        }

        private func refusal(_ words: String...) -> String {
            do { try InspectorCommand(words).run { _ in } } catch { return "\(error)" }
            return ""
        }

        @Test func `commands read classes, objects, finders and statements`() throws {
            try withStore { _, address, _ in
                let summary = try lines(address).joined(separator: "\n")
                expect(summary.contains("store of PersistentObjects on PostgreSQL"), true, "\(summary)")
                expect(summary.contains("Visit") && summary.contains("changed"), true, "\(summary)")
                let visit = try lines(address, "classes", "Visit").joined(separator: "\n")
                expect(
                    visit.contains("3 objects") && visit.contains("Decimal") && visit.contains("indexed"), true,
                    "\(visit)")
                expect(try lines(address, "classes", "--sql", "Visit").contains { $0.contains("visit.cost") }, true)
                let ward = try lines(address, "show", "Ward", "1").joined(separator: "\n")
                expect(ward.contains("North <b>") && ward.contains("3: "), true, "\(ward)")
                try expect(lines(address, "find", "Visit.countByReason(\"reason 2\")"), ["1"])
                try expect(lines(address, "find", "Visit.findByCostGreaterThan(0.3)", "--json").count, 2)
                let code = try lines(address, "sql", "SELECT code FROM visit ORDER BY reason", "--json")
                expect(code.count, 3)
                let plan = try lines(address, "find", "Visit.findByReason(\"x\")", "--plan").joined(separator: "\n")
                expect(plan.contains("Scan"), true, "\(plan)")
                try expect(lines(address, "sizes").contains { $0.contains("visit_tags") }, true)
                try expect(lines(address, "check"), ["No problems"])
                try expect(lines(address, "history").isEmpty, false)
            }
        }

        @Test func `a check finds values that a class cannot read`() throws {
            try withStore { database, address, _ in
                _ = try database.psql("ALTER TABLE visit ALTER COLUMN day DROP NOT NULL; UPDATE visit SET day = NULL")
                let found = try lines(address, "check")
                expect(found.last, "3 problems")
                expect(found.first?.contains("Visit.day"), true)
            }
        }

        @Test func `pages show objects, links, searches and values, and measure long bytes`() throws {
            try withStore { database, address, _ in
                let pages = InspectorPages(path: address)
                expect(pages.fileName.contains("?"), false)
                let id = try database.psql("SELECT id FROM visit WHERE reason = 'reason 3'")
                let expected: [(path: String, query: [String: String], text: String)] = [
                    ("/", [:], "Visit"), ("/class/Visit", [:], "3,000,000 bytes"),
                    ("/class/Visit", ["order": "reason"], "reason 1"), ("/class/Visit", ["facet": "ward"], "North"),
                    ("/class/Visit", ["p1": "reason", "o1": "is", "v1": "reason 2"], "reason 2"),
                    ("/class/Visit/description", [:], "Decimal"), ("/object/Visit/\(id)", [:], "3,000,000 bytes"),
                    ("/object/Ward/1/history", [:], "name: nil → "), ("/object/Ward/1", [:], "reason 1"),
                    ("/object/Ward/1/graph", [:], "reason 2"),
                    ("/linked/Visit/\(id)/tags", [:], "b"), ("/search", ["q": "reason 3"], "reason 3"),
                    ("/find", ["q": "Visit.findByReason(\"reason 2\")"], "reason 2"),
                    ("/sql", ["q": "SELECT reason FROM visit"], "reason 1"), ("/sizes", [:], "visit"),
                    ("/find", ["q": "Visit.findByReason(\"reason 3\")"], "3,000,000 bytes"),
                    ("/find", ["q": "Visit.findLastByReason(\"reason 3\")"], "3,000,000 bytes"),
                    ("/sql", ["q": "SELECT reason, scan FROM visit ORDER BY 1;"], "3,000,000 bytes"),
                    ("/sql", ["q": "SHOW default_transaction_read_only"], "on"),
                    ("/check", ["run": "1"], "No problems"), ("/history", [:], "visit"), ("/diagram", [:], "Ward"),
                ]
                for (path, query, text) in expected {
                    do {
                        let json = try #require(try pages.page(path, query)).json
                        expect(json.contains(text), true, "\(path) \(query): \(json)")
                    } catch { Issue.record("\(path) \(query): \(error)") }
                }
            }
        }

        @Test func `changes are noticed, with the objects that changed`() throws {
            try withStore { database, address, store in
                var changes = FileChanges(path: address)
                expect(changes.look(comparesObjects: true).lines, [])
                // Commits of other databases, such as those of other tests, count as possible changes.
                expect(changes.look(comparesObjects: true).lines, [])
                func lines(_ change: () throws -> Void) throws -> [String] {
                    try change()
                    let look = changes.look(comparesObjects: true)
                    expect(look.isChanged, true)
                    return look.lines
                }
                let id = try #require(Int64(database.psql("SELECT id FROM visit WHERE reason = 'reason 2'")))
                try store.withSession { session in
                    try expect(
                        lines {
                            let ward = Ward()
                            ward.name = "South"
                            try ward.save()
                        }, ["Ward: 1 added (#2)"])
                    let visit = try #require(try Visit.find(id))
                    try expect(
                        lines {
                            visit.tags[1] = "c"
                            try visit.save()
                        }, ["Visit: 1 changed (#\(id))"])
                    try expect(
                        lines {
                            visit.tags.removeFirst()
                            try visit.save()
                        }, ["Visit: 1 changed (#\(id))"])
                    try expect(
                        lines {
                            try session.transaction {
                                visit.cost += 1
                                try visit.save()
                                try Ward.find(2)?.delete()
                            }
                        }, ["Visit: 1 changed (#\(id))", "Ward: 1 deleted (#2)"])
                }
                try expect(lines { _ = try database.psql("BEGIN; DELETE FROM visit; ROLLBACK") }, [])
                // Without a page of live changes, objects are not read.
                _ = try database.psql("UPDATE ward SET name = 'East'")
                let look = changes.look(comparesObjects: false)
                expect(look.isChanged && look.lines.isEmpty, true)
                let live = try #require(try InspectorPages(path: address).page("/live", [:]))
                expect(live.title, "Live changes")
            }
        }

        @Test func `the watch command prints the changes of a server`() throws {
            let database = try PostgresDatabase()
            let store = try Store(.postgres(database.address()))
            defer { store.close() }
            try store.withSession { session in try session.save([Ward()]) }
            var found: [String] = []
            do {
                try InspectorCommand([database.address(), "watch", "--seconds", "600"]).run { line in
                    found.append(line)
                    if line.hasPrefix("Watching ") {
                        try store.withSession { session in try session.save([Ward(), Ward()]) }
                    }
                    if line.contains("added") { throw CancellationError() }
                }
            } catch is CancellationError {}
            expect(found.count, 2)
            expect(found.last?.hasSuffix("Ward: 2 added (#2, #3)"), true, "\(found)")
        }

        /// Sends the form of a page with other values.
        private func submit(_ pages: InspectorPages, _ path: String, _ values: [String: String]) throws -> String {
            var form: [String: String] = [:]
            let content = try #require(try pages.page(path, [:]))
            for case .form(let found) in content.sections where found.isPost {
                for field in found.rows.flatMap({ $0 }) where !field.value.isEmpty || field.name.hasPrefix("s.") {
                    form[field.name] = field.value
                }
            }
            for (name, value) in values { form[name] = value }
            switch try pages.submit(path, form) {
            case .done(let path): return path
            case .refused(let content): return "refused: \(content.json)"
            case nil: return "no form"
            }
        }

        @Test func `objects are edited, created and deleted through the classes`() throws {
            try withStore { database, address, store in
                let pages = InspectorPages(path: address, editor: StoreEditor(store, path: address))
                let id = try database.psql("SELECT id FROM visit WHERE reason = 'reason 1'")
                let edit = "/edit/Visit/\(id)"
                try expect(
                    submit(pages, edit, ["v.reason": "changed", "v.cost": "12.5", "v.day": "2020-02-29"]),
                    "/object/Visit/\(id)")
                let row = "SELECT reason, cost, day, ward_id FROM visit WHERE id = \(id)"
                try expect(database.psql(row), "changed|12.5|604627200|1")
                // A value that another program has changed meanwhile is not overwritten.
                let old = try #require(try pages.page(edit, [:]))
                _ = try database.psql("UPDATE visit SET reason = 'elsewhere' WHERE id = \(id)")
                var form = ["v.reason": "lost"]
                for case .form(let found) in old.sections {
                    for field in found.rows.flatMap({ $0 }) where field.name == "s.reason" {
                        form["s.reason"] = field.value
                    }
                }
                guard case .refused(let refusal)? = try pages.submit(edit, form) else {
                    Issue.record("the edit was not refused")
                    return
                }
                expect(refusal.json.contains("was changed meanwhile"), true, "\(refusal.json)")
                try expect(database.psql(row).hasPrefix("elsewhere|"), true)
                let created = try submit(pages, "/new/Ward", ["v.name": "West"])
                expect(created.hasPrefix("/object/Ward/"), true, "\(created)")
                try expect(database.psql("SELECT count(*) FROM ward WHERE name = 'West'"), "1")
                try expect(submit(pages, "/delete/Visit/\(id)", [:]).hasPrefix("/"), true)
                try expect(database.psql("SELECT count(*) FROM visit"), "2")
                try expect(database.psql("SELECT count(*) FROM visit_tags WHERE owner_id = \(id)"), "0")
                expect(pages.undo == nil, false)
                guard case .done? = try pages.submit("/undo", [:]) else {
                    Issue.record("the deletion was not undone")
                    return
                }
                try expect(database.psql("SELECT count(*) FROM visit"), "3")
                try expect(database.psql("SELECT count(*) > 0 FROM visit_tags WHERE owner_id = \(id)"), "t")
                // The program sees the edits.
                try store.withSession { _ in try expect(Ward.all().map(\.name).sorted(), ["North <b>", "West"]) }
            }
        }

        @Test func `statements that write are refused, also inside a query`() throws {
            try withStore { database, address, _ in
                for sql in [
                    "DELETE FROM visit", "WITH d AS (DELETE FROM visit RETURNING id) SELECT * FROM d",
                    "SELECT nextval(pg_get_serial_sequence('visit', 'id'))", "SET default_transaction_read_only = off",
                ] { expect(refusal(address, "sql", sql).isEmpty, false, "\(sql)") }
                try expect(database.psql("SELECT count(*) FROM visit"), "3")
            }
        }
    }
#endif

#if PostgreSQL
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentObjects

    private final class Crate: PersistentObject {
        override class var tableName: String { "crate" }
        override class var indexes: [Index] { [Index(\Crate.label, unique: true)] }
        @Indexed var nick: String?
        @Indexed var size = 0
        var label: String?
        var inner: Crate?
    }

    private class Plant: PersistentObject {
        override class var tableName: String { "plant" }
        override class var indexes: [Index] {
            [
                Index(\Plant.name, where: { $0.height > 1 }), Index(\Plant.height, where: { $0.name != nil }),
                Index(of: Plant.self) { $0.height * 2 }, Index(of: Plant.self) { $0.height },
                Index(ignoringCase: \Plant.name), Index(ignoringCase: \Plant.latin, unique: true),
                Index(\Plant.name, order: .descending), Index(\Plant.name, \Plant.height, unique: true),
                Index(String(repeating: "n", count: 40)),
            ]
        }
        var name: String?
        @Unique var latin = ""
        var height = 0
        @Indexed var nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn: Int?
        required init() {}
    }

    private final class Tree: Plant {
        override class var indexes: [Index] { [Index(\Tree.rings), Index(\Tree.rings, \Tree.age)] }
        var rings = 0
        var age: Int?
    }

    private enum Later {
        final class Crate: PersistentObject {
            override class var tableName: String { "crate" }
            override class var indexes: [Index] { [Index(\Crate.label, unique: true)] }
            @Indexed var nick: String?
            @Indexed var size: Int?
            var label: String?
            var inner: Crate?
        }
    }

    private final class Theirs: PersistentObject {
        override class var tableName: String { "theirs" }
        override class var origin: TableOrigin { .existing(id: "nr") }
        var nick: String?
    }

    /// Indexes of earlier versions, in which nil sorts last, are replaced while other sessions write.
    @Suite(.onPostgres("SQLite uses an index for every position of nil"), .ownThreads) struct IndexRenewalTests {
        /// The order that earlier versions declared.
        private static let older = """
            DROP INDEX "crate.nick.index"; CREATE INDEX "crate.nick.index" ON crate (nick);
            DROP INDEX "crate.label.unique"; CREATE UNIQUE INDEX "crate.label.unique" ON crate (label);
            """
        private static let current = """
            crate.inner_id.index|(inner_id NULLS FIRST, id)
            crate.label.unique|(label NULLS FIRST)
            crate.nick.index|(nick NULLS FIRST, id)
            crate.size.index|(size)
            """

        private func keys(_ database: PostgresDatabase) throws -> String {
            try database.psql(
                """
                SELECT indexname, regexp_replace(indexdef, '^.* USING btree ', '') FROM pg_indexes
                WHERE tablename = 'crate' AND indexname <> 'crate_pkey' ORDER BY indexname
                """)
        }

        private func open<R>(
            _ database: PostgresDatabase, _ configuration: Store.Configuration = .init(),
            _ body: (Store) throws -> R
        ) throws -> R {
            let store = try Store(.postgres(database.address()), configuration: configuration)
            defer { store.close() }
            return try body(store)
        }

        /// A database with some rows and the indexes of an earlier version.
        private func olderDatabase() throws -> PostgresDatabase {
            let database = try PostgresDatabase()
            try open(database) { store in
                try store.withSession { session in
                    let crates = (0..<20).map { number in
                        let crate = Crate()
                        crate.nick = number % 2 == 0 ? nil : "n\(number)"
                        crate.label = number % 3 == 0 ? nil : "l\(number)"
                        return crate
                    }
                    try session.save(crates)
                }
            }
            #expect(try keys(database) == Self.current)
            _ = try database.psql(Self.older)
            return database
        }

        @Test func `an older index is replaced after the transaction, and the plan shows each statement`() throws {
            let database = try olderDatabase()
            _ = try database.psql(#"CREATE INDEX mine ON crate (nick); CREATE INDEX "po_mine" ON crate (label)"#)
            try open(database) { store in
                let plan = try store.schemaPlan(for: Crate.self)
                let summaries = Set(plan.changes.map(\.summary))
                let expected = ["crate.label.unique", "crate.nick.index"].map { "replacing index \"\($0)\"" }
                #expect(summaries == Set(expected))
                let change = plan.changes.first { $0.summary.contains("nick") }
                #expect(
                    change?.statements == [
                        #"CREATE INDEX CONCURRENTLY "po_new_crate.nick.index" ON "crate" ("nick" NULLS FIRST, "id")"#,
                        #"DO 'BEGIN ALTER INDEX "crate.nick.index" RENAME TO "po_old_crate.nick.index"; "#
                            + #"ALTER INDEX "po_new_crate.nick.index" RENAME TO "crate.nick.index"; END'"#,
                        #"DROP INDEX CONCURRENTLY IF EXISTS "po_old_crate.nick.index""#,
                    ])
                #expect(plan.losses.isEmpty && plan.rowCount == 0)
                try store.prepare(Crate.self)
                #expect(try store.withSession { _ in try Crate.query.order(by: \.nick).all().count } == 20)
            }
            let others = "mine|(nick)\npo_mine|(label)"
            #expect(try keys(database) == "\(Self.current)\n\(others)")
            try open(database) { store in
                #expect(try store.schemaPlan(for: Crate.self).isEmpty)
                let run = try store.withSession { session in
                    try statements(of: session) { _ = try Crate.count() }
                }
                #expect(!run.contains { $0.contains("po_class") && $0.hasPrefix("UPDATE") })
            }
        }

        @Test func `each kind of index is created in its final form, and replaced once`() throws {
            let database = try PostgresDatabase()
            try open(database) { store in
                try store.prepare(Plant.self, Tree.self)
                #expect(try store.schemaPlan(for: Plant.self, Tree.self).isEmpty)
            }
            let definitions = "SELECT indexdef FROM pg_indexes WHERE tablename = 'plant' ORDER BY indexname"
            let wanted = try database.psql(definitions)
            let declared = wanted.split(separator: "\n").count { $0.contains("NULLS") }
            #expect(declared == 8, "\(wanted)")
            _ = try database.psql(
                """
                DO $$ DECLARE i record; BEGIN FOR i IN SELECT * FROM pg_indexes WHERE indexdef LIKE '% NULLS %' LOOP
                    EXECUTE format('DROP INDEX %I', i.indexname);
                    EXECUTE replace(regexp_replace(i.indexdef, ' NULLS (FIRST|LAST)', '', 'g'), ', id)', ')');
                END LOOP; END $$
                """)
            #expect(try database.psql(definitions) != wanted)
            try open(database) { store in try store.prepare(Plant.self, Tree.self) }
            #expect(try database.psql(definitions) == wanted)
            let rest = try open(database) { store in try store.schemaPlan(for: Plant.self, Tree.self) }
            #expect(rest.isEmpty, "\(rest)")
        }

        @Test func `a plan that is run replaces the indexes too`() throws {
            let database = try olderDatabase()
            try open(database, .init(schemaChanges: .refused)) { store in
                // The difference is no reason to refuse a class.
                #expect(try store.withSession { _ in try Crate.count() } == 20)
                #expect(try keys(database) != Self.current)
                try store.run(try store.schemaPlan(for: Crate.self))
            }
            #expect(try keys(database) == Self.current)
        }

        @Test func `an unfinished index is dropped and built again`() throws {
            let database = try olderDatabase()
            _ = try database.psql(
                """
                CREATE INDEX "po_new_crate.nick.index" ON crate (nick);
                UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = '"po_new_crate.nick.index"'::regclass;
                CREATE INDEX "po_old_crate.gone.index" ON crate (nick);
                """)
            try open(database) { store in try store.prepare(Crate.self) }
            #expect(try keys(database) == Self.current)
            #expect(try database.psql("SELECT count(*) FROM pg_index WHERE NOT indisvalid") == "0")
        }

        @Test func `an index of a property that became optional is replaced`() throws {
            let database = try olderDatabase()
            try open(database) { store in
                try store.withSession { _ in
                    try Later.Crate().save()
                    #expect(try Later.Crate.query.order(by: \.size).first()?.size == nil)
                }
            }
            let wanted = Self.current.replacing("(size)", with: "(size NULLS FIRST, id)")
            #expect(try keys(database) == wanted)
        }

        @Test func `a first use inside a transaction leaves the replacement to the next one`() throws {
            let database = try olderDatabase()
            let before = try keys(database)
            try open(database) { store in
                try store.withSession { session in try session.transaction { try Crate().save() } }
            }
            #expect(try keys(database) == before)
            try open(database) { store in try store.prepare(Crate.self) }
            #expect(try keys(database) == Self.current)
        }

        @Test func `indexes of existing tables are not replaced`() throws {
            let database = try PostgresDatabase()
            _ = try database.psql(
                """
                CREATE TABLE theirs (nr bigint PRIMARY KEY, nick text COLLATE "C");
                CREATE INDEX "theirs.nick.index" ON theirs (nick); CREATE INDEX "po_new_x" ON theirs (nick)
                """)
            let sql = "SELECT indexdef FROM pg_indexes WHERE tablename = 'theirs' ORDER BY indexname"
            let before = try database.psql(sql)
            try open(database) { store in
                try store.prepare(Theirs.self)
                #expect(try store.withSession { _ in try Theirs.query.order(by: \.nick).all().count } == 0)
            }
            #expect(try database.psql(sql) == before)
        }

        private func delayed(_ database: PostgresDatabase, _ notes: Recorder<String>) throws {
            let configuration = Store.Configuration(busyTimeout: .milliseconds(200), onNote: { notes.add($0) })
            try open(database, configuration) { store in
                try store.prepare(Crate.self)
                try store.withSession { _ in
                    // The unfinished indexes accept all rows.
                    let crate = Crate()
                    crate.nick = "late"
                    try crate.save()
                    #expect(try Crate.query.order(by: \.nick).all().count == 21)
                }
            }
        }

        @Test func `while another transaction delays the build, sessions write, and a limit ends it`() throws {
            let database = try olderDatabase()
            let notes = Recorder<String>()
            try open(database) { other in
                try other.withSession { session in
                    try session.transaction {
                        try session.execute("INSERT INTO crate (nick) VALUES ('open')")
                        try Store.independently { try delayed(database, notes) }
                    }
                }
            }
            let failed = notes.all.filter { $0.contains("failed") }
            #expect(failed.count == 2 && failed.allSatisfy { $0.hasPrefix("Crate: replacing index ") }, "\(notes.all)")
            #expect(try database.psql("SELECT count(*) FROM pg_index WHERE NOT indisvalid") == "2")
            try open(database) { store in try store.prepare(Crate.self) }
            #expect(try keys(database) == Self.current)
            #expect(try database.psql("SELECT count(*) FROM crate") == "22")
        }

        @Test func `several stores at once build each index once`() async throws {
            let database = try olderDatabase()
            let built = Recorder<String>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try self.open(database) { store in
                            try store.withSession { session in
                                let run = try statements(of: session) { _ = try Crate.count() }
                                for sql in run where sql.contains("INDEX CONCURRENTLY \"po_new_") { built.add(sql) }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(Set(built.all).count == built.all.count, "\(built.all)")
            // A process that found the table claimed leaves the rest to the other process.
            try open(database) { store in try store.prepare(Crate.self) }
            #expect(try keys(database) == Self.current)
        }
    }
#endif

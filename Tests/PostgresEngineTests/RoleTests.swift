#if PostgreSQL
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentObjects

    private final class Box: PersistentObject {
        override class var tableName: String { "box" }
        var name = ""
        @Unique var code = 0
        var tags: Set<String> = []
        var lid: Lid?
    }

    private final class Lid: PersistentObject {
        override class var tableName: String { "the lid" }
        var name = ""
    }

    private final class Unknown: PersistentObject {
        override class var tableName: String { "unknown" }
        var name = ""
    }

    /// Programs whose roles do not own the tables.
    @Suite(.onPostgres("a file has no roles")) struct RoleTests {
        private func open<R>(_ address: String, isReadOnly: Bool = false, _ body: (Session) throws -> R) throws -> R {
            let store = try Store(.postgres(address), configuration: .init(isReadOnly: isReadOnly))
            defer { store.close() }
            return try store.withSession { try body($0) }
        }

        private func fill(_ address: String) throws {
            try open(address) { _ in
                let box = Box()
                (box.tags, box.lid) = (["a"], Lid())
                try box.save()
            }
        }

        /// The description of the error of a call, with `app` as the role's name and without the statement.
        private func refusal(
            _ database: PostgresDatabase, _ role: String, isReadOnly: Bool = false,
            _ body: (Session) throws -> Void = { _ in }
        ) throws -> String {
            do { try open(database.address(role), isReadOnly: isReadOnly, body) } catch let error as StoreError {
                var error = error
                error.sql = nil
                return "\(error.code): \(error)".replacing(role, with: "app")
            }
            return "none"
        }

        private func granted(_ privilege: String, _ table: String, _ place: String = "Box: ") -> String {
            """
            notPermitted: \(place)The role "app" may not \(privilege) "\(table)". Its owner can run: \
            GRANT \(privilege) ON "\(table)" TO "app" (SQLSTATE 42501)
            """
        }

        @Test func `the message for a missing privilege names class, table and GRANT`() throws {
            let database = try PostgresDatabase()
            let role = try database.role("app")
            try fill(database.address())
            func grant(_ text: String) throws { _ = try database.psql("GRANT \(text) TO \(role)") }
            func refused(_ wanted: String, _ body: (Session) throws -> Void) throws {
                let found = try refusal(database, role, body)
                expect(found, wanted)
            }
            func save(_ session: Session) throws {
                let box = Box()
                (box.code, box.lid) = (1, Lid())
                try session.save(box)
            }
            try refused(granted("SELECT", "po_class")) { _ in _ = try Box.all() }
            try grant("SELECT ON ALL TABLES IN SCHEMA public")
            _ = try database.psql("REVOKE SELECT ON box FROM \(role)")
            try refused(granted("SELECT", "box")) { _ in _ = try Box.all() }
            try refused(granted("SELECT", "box")) { _ in _ = try Box.findByCode(1) }
            try refused(granted("SELECT", "box")) { _ in _ = try Box.count() }
            try refused(granted("SELECT", "box")) { _ in _ = try Box.where { $0.code > 0 }.sum(\.code) }
            try refused(granted("SELECT", "box", "")) { session in _ = try session.rows("SELECT 1 FROM box") }
            try grant("SELECT ON box")
            try refused(granted("UPDATE", "po_gate", "Lid: "), save)
            try grant("UPDATE ON po_gate")
            let sequence = """
                notPermitted: Lid: The role "app" may not use the sequence "the lid_id_seq". Its owner can run: \
                GRANT USAGE, SELECT, UPDATE ON SEQUENCE "the lid_id_seq" TO "app" (SQLSTATE 42501)
                """
            try refused(sequence, save)
            try grant("USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA public")
            try refused(granted("INSERT", "the lid", "Lid: "), save)
            try grant(#"INSERT ON "the lid""#)
            try refused(granted("INSERT", "box"), save)
            let tags = granted("INSERT", "box_tags", "Box.tags #1: ")
            try refused(tags) { session in
                let box = try Box.all()[0]
                box.tags.insert("b")
                defer { box.revert() }
                try session.save(box)
            }
            try refused(granted("DELETE", "box", "Box #1: ")) { _ in try Box.all()[0].delete() }
            try refused(granted("UPDATE", "box")) { _ in try Box.where { $0.code == 0 }.update { $0.name = "x" } }
            try refused(granted("UPDATE", "box", "Box #1: ")) { _ in
                let box = try Box.all()[0]
                box.name = "x"
                defer { box.revert() }
                try box.save()
            }
            try grant("INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public")
            try refused("none", save)
            expect(try database.psql("SELECT count(*), sum(code) FROM box"), "2|1")
        }

        @Test func `other refusals state the reason`() throws {
            let database = try PostgresDatabase()
            let role = try database.role("app")
            try fill(database.address())
            _ = try database.psql(
                """
                GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \(role);
                GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA public TO \(role);
                ALTER TABLE box ENABLE ROW LEVEL SECURITY;
                """)
            let policy = try refusal(database, role) { _ in
                let box = Box()
                box.code = 2
                try box.save()
            }
            expect(
                policy,
                """
                notPermitted: Box: A row-level security policy of "box" rejects the row for the role "app". Nothing \
                was changed. Change the values, or the policy (SQLSTATE 42501)
                """)
            let unknown = try refusal(database, role) { _ in _ = try Unknown.all() }
            expect(
                unknown,
                """
                notPermitted: Unknown: The owner of the tables must use the class once. The role "app" may not do \
                this: permission denied for schema public. The owner can grant the right, or run it (SQLSTATE 42501)
                """)
            let drop = try refusal(database, role) { session in try session.execute("DROP TABLE box") }
            expect(
                drop,
                """
                notPermitted: The role "app" may not do this: must be owner of table box. The owner can grant the \
                right, or run it (SQLSTATE 42501)
                """)
        }

        @Test func `missing functions and a missing gate are created by their owner only`() throws {
            let database = try PostgresDatabase()
            let role = try database.role("app")
            let missing = """
                cannotOpen: The store's functions in this schema are missing or of another version, and the role app \
                may not create them. Open the store once as their owner
                """
            func refused(_ wanted: String) throws {
                let found = try refusal(database, role)
                expect(found, wanted)
            }
            try refused(missing)
            try open(database.address()) { _ in }
            try refused("none")
            _ = try database.psql("DROP TABLE po_gate")
            try refused(missing)
            // A role that may create tables replaces the gate, but not the functions.
            _ = try database.psql("GRANT CREATE ON SCHEMA public TO \(role)")
            try refused("none")
            expect(try database.psql("SELECT count(*) FROM pg_tables WHERE tablename = 'po_gate'"), "1")
            let version = try database.psql("SELECT proname FROM pg_proc WHERE starts_with(proname, 'po_version')")
            _ = try database.psql("ALTER FUNCTION \(version)() RENAME TO po_version_1")
            try refused(missing)
            try open(database.address()) { _ in }
            try refused("none")
            let reader = try refusal(database, role, isReadOnly: true)
            expect(reader, "none")
            _ = try database.psql("DROP OWNED BY \(role)")
        }

        /// The statements of a section of the guide, for each block of SQL.
        private func statements(inSection title: String) throws -> [String] {
            var folder = URL(filePath: #filePath)
            while folder.path != "/", !FileManager.default.fileExists(atPath: folder.path + "/Docs/PostgreSQL.md") {
                folder.deleteLastPathComponent()
            }
            let guide = try String(contentsOf: folder.appending(path: "Docs/PostgreSQL.md"), encoding: .utf8)
            let section = try #require(guide.split(separator: "\n## ").first { $0.hasPrefix(title) })
            return section.components(separatedBy: "```plpgsql\n").dropFirst().map {
                $0.components(separatedBy: "```")[0]
            }
        }

        @Test func `the guide's statements let a program read and write, and another only read`() throws {
            let database = try PostgresDatabase()
            let blocks = try statements(inSection: "Roles")
            try #require(blocks.count == 3)
            let (owner, app) = (try database.role("shop_owner"), try database.role("shop_app"))
            let reader = try database.role("shop_reader")
            func run(_ block: Int, as role: String, _ isWanted: (Substring) -> Bool) throws {
                let text = blocks[block].replacing("shop_owner", with: owner).replacing("shop_app", with: app)
                    .replacing("shop_reader", with: reader)
                let lines = text.split(separator: "\n").filter(isWanted)
                #expect(!lines.isEmpty)
                _ = try database.psql(lines.joined(separator: "\n"), as: role)
            }
            let isRole: (Substring) -> Bool = { $0.hasPrefix("ALTER ROLE") }
            try run(0, as: "po") { !$0.hasPrefix("CREATE ROLE") }
            for block in 1...2 { try run(block, as: "po", isRole) }
            // Before the first table.
            for block in 1...2 { try run(block, as: owner) { !isRole($0) } }
            try fill(database.address(owner))
            try open(database.address(app)) { session in
                let box = try Box.all()[0]
                (box.name, box.tags) = ("x", ["b", "c"])
                box.lid?.name = "y"
                try session.save(box)
                try session.save(
                    (1...100).map { code in
                        let box = Box()
                        (box.code, box.lid) = (code, Lid())
                        return box
                    })
                try box.delete()
                try session.execute("INSERT INTO box (id, code) VALUES (5000, 5000)")
                let last = Box()
                last.code = 6000
                try last.save()
            }
            let codes = try open(database.address(reader), isReadOnly: true) { _ in
                try Box.query.order(by: \.code).all().map(\.code)
            }
            expect(codes, Array(1...100) + [5000, 6000])
            // After the tables.
            for block in 1...2 { try run(block, as: owner) { !isRole($0) } }
            let refused = try refusal(database, reader) { _ in try Lid().save() }
            #expect(refused.hasPrefix("notPermitted: Lid: "))
            for role in [app, reader, owner] { _ = try database.psql("DROP OWNED BY \(role) CASCADE") }
        }

        @Test func `the trigger of events records no rows of a table outside the schema`() throws {
            let database = try PostgresDatabase()
            let role = try database.role("app")
            try fill(database.address())
            _ = try database.psql(
                "CREATE SCHEMA other AUTHORIZATION \(role); SELECT setval('po_listening', 9999999999)")
            _ = try database.psql(
                """
                CREATE TABLE other.mine (id bigint);
                CREATE TRIGGER forged AFTER INSERT ON other.mine REFERENCING NEW TABLE AS "po n" FOR EACH STATEMENT
                EXECUTE FUNCTION public.po_changed();
                INSERT INTO other.mine VALUES (7);
                """, as: role)
            _ = try database.psql("INSERT INTO \"the lid\" (name) VALUES ('x')")
            try expect(database.psql("SELECT tbl FROM po_change"), "the lid")
        }
    }
#endif

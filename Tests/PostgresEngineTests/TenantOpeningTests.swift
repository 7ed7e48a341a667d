#if PostgreSQL
    import Foundation
    import PersistentInspector
    import PersistentObjects
    import TestSupport
    import Testing

    private final class Lodger: PersistentObject {
        override class var tableName: String { "lodger" }
        var name = ""
    }

    /// Opening stores in schemas: names, creation and privileges.
    @Suite(.onPostgres("files have no schemas")) struct TenantOpeningTests {
        private func refusal(_ address: String, _ schema: String, isReadOnly: Bool = false) -> String {
            do {
                try Store(address, schema: schema, configuration: .init(isReadOnly: isReadOnly)).close()
            } catch let error as StoreError { return "\(error.code): \(error.message)" } catch { return "\(error)" }
            return "none"
        }

        @Test(arguments: ["tenant_7", "Tenant 7", #"a "quoted" \ name, with é"#, String(repeating: "x", count: 63)])
        func `a schema can have any name that PostgreSQL allows`(_ name: String) throws {
            let database = try PostgresDatabase()
            for count in 0...1 {
                let store = try Store(database.address(), schema: name)
                defer { store.close() }
                try store.withSession { _ in
                    expect(try Lodger.count(), count)
                    try Lodger().save()
                }
                // Tools open the store by its address.
                final class Lines { var all: [String] = [] }
                let lines = Lines()
                let address = try #require(store.address)
                try InspectorCommand([address, "sql", "SELECT current_schema()"]).run { lines.all.append($0) }
                #expect(lines.all.contains { $0.contains(name) }, "\(lines.all)")
            }
            let found = try database.psql("SELECT schemaname FROM pg_tables WHERE tablename = 'lodger'")
            expect(found, name)
        }

        @Test func `the address of a schema keeps other options`() throws {
            let database = try PostgresDatabase()
            let address = database.address("po", "options=-cwork_mem%3D5MB&connect_timeout=9")
            let store = try Store(address, schema: "a b")
            defer { store.close() }
            let other = try Store(#require(store.address))
            defer { other.close() }
            try other.withSession { session in
                let settings = "SELECT current_schema() || current_setting('work_mem')"
                expect(try session.rows(settings).first?.value(0), "a b5MB")
            }
        }

        @Test(arguments: [
            ("", "it is empty"), ("a\0b", "it contains a NUL"), ("pg_x", "PostgreSQL reserves it"),
            ("information_schema", "PostgreSQL reserves it"),
            (String(repeating: "é", count: 32), "it has 64 bytes, and PostgreSQL allows 63 at most"),
        ])
        func `other names are refused`(_ name: String, _ problem: String) throws {
            expect(
                refusal("postgres://po@/postgres?host=/nowhere", name),
                "misuse: The name of the schema \"\(name)\" cannot be used: \(problem). Choose another name")
        }

        @Test func `stores that create the same schema at the same time share it`() async throws {
            let database = try PostgresDatabase()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let store = try Store(database.address(), schema: "shared")
                        defer { store.close() }
                        try store.withSession { _ in try Lodger().save() }
                    }
                }
                try await group.waitForAll()
            }
            expect(try database.psql("SELECT count(*) FROM shared.lodger"), "8")
        }

        @Test func `the message for a missing privilege names the statement that the owner can run`() throws {
            let database = try PostgresDatabase()
            let role = try database.role("app")
            let address = database.address(role)
            expect(
                refusal(address, "t7"),
                """
                notPermitted: There is no schema "t7", and the role "\(role)" may not create it. The owner of the \
                database can run: CREATE SCHEMA "t7" AUTHORIZATION "\(role)"
                """)
            expect(
                refusal(address, "t7", isReadOnly: true),
                """
                cannotOpen: There is no schema "t7", and a read-only store does not create it. Open it once with a \
                store that writes
                """)
            _ = try database.psql("CREATE SCHEMA t7")
            expect(
                refusal(address, "t7"),
                """
                notPermitted: The role "\(role)" may not use the schema "t7". Its owner can run: \
                GRANT USAGE ON SCHEMA "t7" TO "\(role)"
                """)
            _ = try database.psql("DROP SCHEMA t7; CREATE SCHEMA \"t7\" AUTHORIZATION \"\(role)\"")
            expect(refusal(address, "t7"), "none")
            expect(refusal(address, "t7", isReadOnly: true), "none")
            _ = try database.psql("DROP OWNED BY \(role) CASCADE")
        }
    }
#endif

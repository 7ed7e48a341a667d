#if PostgreSQL
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    private final class Roomer: PersistentObject {
        override class var tableName: String { "roomer" }
        var name = ""
    }

    /// The list of the schemas that contain a store.
    @Suite(.onPostgres("files have no schemas")) struct TenantListTests {
        @Test func `the list has the schemas with a store that match the pattern`() throws {
            let database = try PostgresDatabase()
            let server = try Store(database.address())
            defer { server.close() }
            for name in ["tenant_10", "tenant_9", "tenantX1", "Other", "a\\b"] {
                try Store(database.address(), schema: name).close()
            }
            _ = try database.psql("CREATE SCHEMA tenant_empty; CREATE TABLE tenant_empty.roomer (id bigint)")
            expect(try server.schemas(), ["Other", "a\\b", "public", "tenantX1", "tenant_10", "tenant_9"])
            expect(try server.schemas(like: "tenant_%"), ["tenantX1", "tenant_10", "tenant_9"])
            expect(try server.schemas(like: #"tenant\_%"#), ["tenant_10", "tenant_9"])
            expect(try server.schemas(like: #"a\\_"#), ["a\\b"])
            expect(try server.schemas(like: "TENANT%"), [])
            expect(try server.schemas(like: "' OR true --"), [])
            let tenant = try Store(database.address(), schema: "tenant_9")
            defer { tenant.close() }
            expect(try tenant.schemas(like: "o_her"), [])
            expect(try tenant.schemas(like: "O%"), ["Other"])
            #expect(throws: StoreError.self) { try server.schemas(like: "tenant\\") }
            expect(try server.schemas(like: "O%"), ["Other"])
        }

        @Test func `a role sees the schemas that it may use, and a reader sees them, too`() throws {
            let database = try PostgresDatabase()
            let role = try database.role("app")
            for name in ["t7", "t8"] { try Store(database.address(), schema: name).close() }
            _ = try database.psql("GRANT USAGE ON SCHEMA t8 TO \(role)")
            let reader = try Store(database.address(role), schema: "t8", configuration: .init(isReadOnly: true))
            defer { reader.close() }
            expect(try reader.schemas(like: "t%"), ["t8"])
            _ = try database.psql("DROP OWNED BY \(role)")
        }

        @Test func `a program migrates all schemas`() throws {
            let database = try PostgresDatabase()
            for name in ["t7", "t8", "t9"] {
                let store = try Store(database.address(), schema: name)
                defer { store.close() }
                try store.prepare(Roomer.self)
            }
            let drops = ["t7", "t8", "t9"].map { "ALTER TABLE \($0).roomer DROP COLUMN name" }
            _ = try database.psql(drops.joined(separator: ";"))
            let server = try Store(database.address())
            defer { server.close() }
            for name in try server.schemas(like: "t%") {
                let tenant = try Store(database.address(), schema: name)
                defer { tenant.close() }
                try tenant.prepare(Roomer.self)
            }
            let columns = """
                SELECT table_schema FROM information_schema.columns \
                WHERE table_name = 'roomer' AND column_name = 'name' ORDER BY 1
                """
            expect(try database.psql(columns), "t7\nt8\nt9")
        }
    }
#endif

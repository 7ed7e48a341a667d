#if PostgreSQL
    import PersistentObjects
    import TestSupport
    import Testing

    private final class Box: PersistentObject {
        override class var tableName: String { "box" }
        var name = ""
    }

    extension ProxyTests {
        /// Servers that differ from PostgreSQL, which a proxy imitates by changing the statements that they receive.
        @Suite struct RequirementTests {
            private func refusal(of address: String, isReadOnly: Bool = false) throws -> String {
                do {
                    let store = try Store(.postgres(address), configuration: .init(isReadOnly: isReadOnly))
                    defer { store.close() }
                    return try store.withSession { _ in "none" }
                } catch let error as StoreError { return "\(error.code): \(error.message)" }
            }

            /// The refusal of a server that receives other words.
            private func refusal(replacing words: String, by other: String) throws -> String {
                let proxy = try PostgresProxy()
                let schema = try proxy.makeSchema()
                proxy.replace(words, by: other)
                let found = try refusal(of: schema.address)
                // Nothing is left in the schema.
                expect(try schema.psql("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"), "0")
                expect(try refusal(of: schema.directAddress), "none")
                return found
            }

            private func text(_ test: String) -> String {
                "unsupported: This server is not PostgreSQL, or differs from it in a way that would make stores "
                    + "unreliable. The failed test: \(test). Use a PostgreSQL server"
            }

            @Test func `a server without LOCK TABLE is refused by name`() throws {
                let found = try refusal(replacing: "LOCK TABLE po_trial", by: "LOCK TABXX po_trial")
                let message = #"(syntax error at or near "po_trial" (SQLSTATE 42601))"#
                expect(found, text("LOCK TABLE in a transaction \(message)"))
            }

            @Test func `a server without deferrable keys is refused by name`() throws {
                let found = try refusal(
                    replacing: "DEFERRABLE INITIALLY DEFERRED", by: "NOT DEFERRABLE               ")
                #expect(found.hasPrefix("unsupported: "))
                #expect(found.contains("The failed test: a deferrable foreign key (insert or update on table"))
            }

            @Test func `a server that never checks keys is refused by name`() throws {
                let found = try refusal(
                    replacing: "INSERT INTO po_trial VALUES (3, 4)", by: "INSERT INTO po_trial VALUES (3, 1)")
                expect(found, text("a foreign key that refuses a dangling reference"))
            }

            @Test func `a server whose rows do not name their transaction is refused by name`() throws {
                let found = try refusal(replacing: "bool_and(xmin", by: "bool_and(xmax")
                expect(found, text("the xmin of a new row, which must be the number of the transaction"))
            }

            @Test func `a server that divides integers differently is refused at every opening`() throws {
                let database = try PostgresDatabase()
                let address = database.address("po", "options=-csearch_path%3Dpublic,pg_catalog")
                expect(try refusal(of: address), "none")
                _ = try database.psql(
                    """
                    CREATE FUNCTION divided(int, int) RETURNS numeric LANGUAGE sql AS 'SELECT $1::numeric / $2';
                    CREATE OPERATOR public./ (LEFTARG = int, RIGHTARG = int, FUNCTION = divided);
                    """)
                for isReadOnly in [false, true] {
                    let found = try refusal(of: address, isReadOnly: isReadOnly)
                    #expect(found.hasPrefix("unsupported: "))
                    #expect(found.contains("The failed test: 7 / 2 is 3.5"))
                }
            }

            @Test func `tests that write run only when the functions are created, and need no right to create tables`()
                throws
            {
                let database = try PostgresDatabase()
                let role = try database.role("app")
                let missing = try refusal(of: database.address(role))
                #expect(missing.hasPrefix("cannotOpen: The store's functions in this schema are missing"))
                expect(try refusal(of: database.address()), "none")
                expect(try refusal(of: database.address(role)), "none")
                let proxy = try PostgresProxy()
                let schema = try proxy.makeSchema()
                expect(try refusal(of: schema.address), "none")
                proxy.replace("po_trial", by: "po trial")
                expect(try refusal(of: schema.address), "none")
            }
        }
    }
#endif

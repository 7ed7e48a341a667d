#if PostgreSQL
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    private final class Stay: PersistentObject {
        override class var tableName: String { "stay" }
        var name = ""
    }

    extension ProxyTests {
        /// The round trips of stores that share a connection.
        @Suite struct TenantTripTests {
            private func trips(_ proxy: PostgresProxy, _ store: Store) throws -> Int {
                try proxy.trips { try store.withSession { _ in expect(try Stay.find(1)?.name, "a") } }
            }

            private func saves(_ proxy: PostgresProxy, _ store: Store) throws -> Int {
                try proxy.trips { try store.withSession { _ in try Stay().save() } }
            }

            @Test func `calls of the same schema take as many round trips as in a store without a schema`() throws {
                let proxy = try PostgresProxy()
                let schema = try proxy.makeSchema()
                let address = schema.address
                let plain = try Store(.postgres(address))
                let stores = try (0..<2).map { _ in try Store(address, schema: "stay\(UUID())") }
                defer { for store in stores + [plain] { store.close() } }
                for store in stores + [plain] {
                    for _ in 0..<2 {
                        try store.withSession { _ in
                            let stay = Stay()
                            stay.name = "a"
                            try stay.save()
                            _ = try Stay.find(1)
                        }
                        _ = try trips(proxy, store)
                    }
                }
                expect([try trips(proxy, plain), try saves(proxy, plain)], [1, 1])
                // The connection has worked for the other schema before.
                expect(try trips(proxy, stores[0]), 2)
                expect([try trips(proxy, stores[0]), try saves(proxy, stores[0])], [1, 1])
                expect(try saves(proxy, stores[1]), 2)
                expect([try trips(proxy, stores[1]), try saves(proxy, stores[1])], [1, 1])
                // Opening a store in a schema that the connection knows.
                let name = try #require(try self.schema(of: stores[0]))
                _ = try trips(proxy, stores[1])
                expect(try proxy.trips { try Store(address, schema: name).close() }, 1)
                // Opening a store in a schema that exists, and that the connection does not know yet.
                let new = "stay\(UUID())"
                try Store(schema.directAddress, schema: new).close()
                expect(try proxy.trips { try Store(address, schema: new).close() }, 2)
            }

            private func schema(of store: Store) throws -> String? {
                try store.withSession { session in try session.rows("SELECT current_schema()").first?.value(0) }
            }

            @Test func `a connection that is cut while it changes the schema is replaced`() throws {
                let proxy = try PostgresProxy()
                let address = try proxy.makeSchema().address
                let stores = try (0..<2).map { _ in try Store(address, schema: "stay\(UUID())") }
                defer { for store in stores { store.close() } }
                for store in stores { try store.withSession { _ in try Stay().save() } }
                for cut in [PostgresProxy.Cut.before("RESET ALL"), .after("RESET ALL")] {
                    for store in stores {
                        proxy.setCut(cut)
                        try store.withSession { session in
                            try Stay().save()
                            let path: String = try session.rows("SELECT current_setting('search_path')")[0].value(0)
                            #expect(path.contains("stay"))
                        }
                    }
                }
                for store in stores { try store.withSession { _ in expect(try Stay.count(), 3) } }
            }
        }
    }
#endif

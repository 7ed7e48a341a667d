#if PostgreSQL
    import PersistentObjects
    import StoreEngine
    import TestSupport
    import Testing

    @testable import PostgresEngine

    /// A server on another machine must prove its identity.
    @Suite(.onPostgres("files show no certificates")) struct CertificateTests {
        private func isEncrypted(_ address: String) throws -> Bool {
            let store = try Store(.postgres(address))
            defer { store.close() }
            return try store.withSession { session in
                let row = try session.rows("SELECT ssl::int::bigint FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
                return row.first?[0] == .integer(1)
            }
        }

        private func refusal(_ address: String) -> StoreError? {
            #expect(throws: StoreError.self) { () throws in _ = try isEncrypted(address) }
        }

        @Test("a certificate of a trusted authority for the requested name is accepted")
        func known() throws {
            #expect(try isEncrypted(SecureServer.address(SecureServer.authority)))
        }

        @Test("a certificate of an unknown authority or for another name is rejected with advice")
        func unknown() {
            for address in [
                SecureServer.address(),
                SecureServer.address(name: "other.example.test", SecureServer.authority),
            ] {
                let error = refusal(address)
                #expect(error?.code == .cannotOpen)
                #expect(error?.message.contains("must present a certificate for its name") == true, "\(error as Any)")
            }
        }

        @Test("sslmode in the address overrides the default")
        func said() throws {
            #expect(try isEncrypted(SecureServer.address("sslmode=require")))
            #expect(try !isEncrypted(SecureServer.address("sslmode=disable")))
            #expect(try isEncrypted(SecureServer.address(name: "other.example.test", "sslmode=require")))
        }

        @Test("results of any size arrive completely over an encrypted connection", .hangLimit)
        func sizes() throws {
            let store = try Store(.postgres(SecureServer.address(SecureServer.authority)))
            defer { store.close() }
            try store.withSession { session throws in
                for size in stride(from: 1, to: 200_000, by: 2_477) {
                    let row = try session.rows("SELECT repeat('x', ?::int), 7", size).first
                    #expect(try row?.value("repeat", as: String.self).utf8.count == size)
                }
                // In one result, and streamed.
                for count in [1000, 3000] {
                    let rows = try session.rows(
                        "SELECT repeat('x', n) AS x FROM generate_series(1, \(count)) AS n")
                    #expect(rows.count == count)
                    #expect(try rows.last?.value("x", as: String.self).utf8.count == count)
                }
            }
        }

        @Test(
            "an address counts as local only if all its hosts are local",
            arguments: [
                ("postgres://po@/shop", true), ("postgres://po@localhost,127.0.0.1/shop", true),
                ("postgres://po@/shop?host=/tmp/a,/tmp/b", true), ("postgres://po@[::1]:5433/shop", true),
                ("postgres://po@127.example.test/shop", false), ("postgres://po@localhost,db.example.test/shop", false),
                ("postgres://po@localhost/shop?hostaddr=192.0.2.1", false),
                ("postgres://po@127.0.0.1.example.test/", false), ("postgres:///?service=shop", false),
                ("postgres://po@localhost/?service=shop", false),
            ])
        func machines(address: String, isThis: Bool) throws {
            #expect(try PostgresAddress(address).isOfThisMachine == isThis)
        }

        @Test("a malformed address is rejected with the reason")
        func malformed() {
            let error = refusal("postgres://po@host:port/shop?nonsense=1")
            #expect(error?.code == .cannotOpen && error?.message.contains("nonsense") == true, "\(error as Any)")
        }
    }
#endif

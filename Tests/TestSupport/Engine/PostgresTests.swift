internal import Foundation
internal import StoreEngine

extension TestEngine {
    /// The schema of a location's store on the server. Each path and process has a separate schema.
    static func schema(_ name: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return "t\(ProcessInfo.processInfo.processIdentifier)_\(String(hash, radix: 16))"
    }
}

#if PostgreSQL
    internal import PostgresEngine

    /// Chooses the engine for `PO_TEST_ENGINE=postgres`, with a schema of one server for each store.
    ///
    /// It is called before the first test.
    @_cdecl("po_choose_postgres_engine")
    public func choosePostgresEngine() {
        StandardEngine.choose(
            PostgresEngine { location in
                let name =
                    switch location {
                    case .file(let path): path
                    case .memory(let name): "memory \(name)"
                    case .server(let address, _): address
                    }
                return (PostgresServer.address, TestEngine.schema(name))
            })
    }
#else
    @_cdecl("po_choose_postgres_engine")
    public func choosePostgresEngine() { fatalError("build the tests with --traits PostgreSQL") }
#endif

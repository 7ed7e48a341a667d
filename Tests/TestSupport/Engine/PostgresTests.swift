import Foundation
import StoreEngine

#if PostgreSQL
    import PostgresEngine

    /// For `PO_TEST_ENGINE=postgres`: called before the first test. Each store has a schema of its own on one server.
    @_cdecl("po_choose_postgres_engine")
    public func choosePostgresEngine() {
        let address = ProcessInfo.processInfo.environment["PO_TEST_POSTGRES"] ?? ""
        StandardEngine.choose(
            PostgresEngine { location in
                let name =
                    switch location {
                    case .file(let path): path
                    case .memory(let name): "memory \(name)"
                    case .server(let address): address
                    }
                var hash: UInt64 = 0xcbf2_9ce4_8422_2325
                for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
                return (address, "t\(ProcessInfo.processInfo.processIdentifier)_\(String(hash, radix: 16))")
            })
    }
#else
    @_cdecl("po_choose_postgres_engine")
    public func choosePostgresEngine() { fatalError("build the tests with --traits PostgreSQL") }
#endif

internal import StoreEngine

#if PostgreSQL
    internal import PostgresEngine
#endif

extension Store {
    /// The address that a path is; nil where it is a file's.
    static func serverAddress(_ path: String) -> String? {
        path.hasPrefix("postgres://") || path.hasPrefix("postgresql://") ? path : nil
    }

    /// The engine of stores on servers.
    static func serverEngine() throws -> any Engine {
        #if PostgreSQL
            PostgresEngine()
        #else
            throw StoreError(
                .unsupported,
                "this program was built without PostgreSQL; build it with: swift build --traits PostgreSQL")
        #endif
    }
}

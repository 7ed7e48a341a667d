internal import StoreEngine

#if PostgreSQL
    internal import PostgresEngine
#endif

extension Store {
    /// The location of a store.
    ///
    /// ```swift
    /// let store = try Store(.postgres("postgres://reader@db.example.org/shop"))
    /// ```
    public struct Location: Sendable, Hashable {
        /// The path, or its replacement for a server.
        let path: String
        let isServer: Bool
        /// The schema of the server; nil for the first schema of the role's `search_path`.
        var schema: String?

        /// A file at a path.
        public static func file(_ path: String) -> Location { Location(path: path, isServer: false) }

        /// A database on a PostgreSQL server, by its address: `postgres://user@host:port/database`.
        ///
        /// It requires a program built with the package trait `PostgreSQL`; see the guide *PostgreSQL*. Keep passwords
        /// in `~/.pgpass` or `PGPASSWORD` rather than in the address.
        public static func postgres(_ address: String) -> Location {
            Location(path: address, isServer: true)
        }

        /// A schema of a database on a PostgreSQL server.
        ///
        /// See ``Store/init(_:schema:configuration:)``, which opens the same store.
        ///
        /// ```swift
        /// let store = try Store(.postgres("postgres://app@db.example.org/shop", schema: "tenant_7"))
        /// ```
        public static func postgres(_ address: String, schema: String) -> Location {
            Location(path: address, isServer: true, schema: schema)
        }
    }

    /// The path, if it is a server's address; nil for a file's path.
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
                "This program was built without PostgreSQL. Build it with: swift build --traits PostgreSQL")
        #endif
    }
}

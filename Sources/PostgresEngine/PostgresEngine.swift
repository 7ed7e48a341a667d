// PostgresEngine: a server as a store's database. It knows the seam and PostgreSQL, and must not know user classes.

package import StoreEngine

/// PostgreSQL: the engine of stores on a server.
package struct PostgresEngine: Engine {
    /// The schema of a location's tables; nil for the server's default. Only tests set it.
    private let schema: (@Sendable (StoreLocation) -> (server: String, schema: String))?

    package init() { schema = nil }

    /// Creates an engine with a separate schema for each location.
    package init(schema: @escaping @Sendable (StoreLocation) -> (server: String, schema: String)) {
        self.schema = schema
    }

    package var name: String { "PostgreSQL" }
    package var capabilities: Capabilities { PostgresConnection.capabilities }

    package func connect(
        _ location: StoreLocation, options: ConnectionOptions, expecting expected: FileIdentity?
    ) throws(StoreError) -> any Connection {
        if let (server, schema) = schema?(location) {
            return try PostgresConnection(server, schema: schema, options: options)
        }
        guard case .server(let address, let schema) = location else {
            throw StoreError(
                .cannotOpen, "PostgreSQL stores are not files. Give an address: postgres://user@host/database")
        }
        if let schema { try PostgresSchemas.check(schema) }
        return try PostgresConnection(address, schema: schema, options: options)
    }
}

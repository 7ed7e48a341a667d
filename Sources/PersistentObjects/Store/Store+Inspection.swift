package import StoreEngine

// Stores on servers, for tools that have an address and not the classes of a program.
extension Store {
    /// The address of the server and of the schema that the store has named; nil for a store in a file or in memory.
    package var address: String? {
        guard case .server(let address, let schema) = location else { return nil }
        return schema.map { Store.address(address, schema: $0) } ?? address
    }

    /// A connection to a store on a server, which only reads unless `writes` is true; nil for the path of a file.
    ///
    /// - Throws: `StoreError`: `unsupported` without the package trait PostgreSQL, and `cannotOpen`.
    package static func serverConnection(
        _ path: String, timeout: Duration?, writes: Bool = false
    ) throws -> (any Connection)? {
        guard let address = serverAddress(path) else { return nil }
        return try serverEngine().open(
            .server(address: address),
            options: ConnectionOptions(queryTimeout: timeout, file: FileSettings(isReadOnly: !writes)))
    }
}

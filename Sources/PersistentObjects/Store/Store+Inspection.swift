package import StoreEngine

// Stores on servers, for tools that have an address and not the classes of a program.
extension Store {
    /// The address of the server; nil for a store in a file or in memory.
    package var address: String? { if case .server(let address) = location { address } else { nil } }

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

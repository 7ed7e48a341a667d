/// A kind of database: what a store opens its connections with.
package protocol Engine: Sendable {
    /// Its name, for messages.
    var name: String { get }
    /// What it can do.
    var capabilities: Capabilities { get }
    /// Opens a connection; a database that is missing or empty becomes a store.
    ///
    /// With `expected`, the identity of the file that an earlier connection opened, a file that has taken its place is
    /// refused, and none is made.
    func connect(
        _ location: StoreLocation, options: ConnectionOptions, expecting expected: FileIdentity?
    ) throws(StoreError) -> any Connection
}

extension Engine {
    /// Opens a connection, once it is clear that the engine can do what the options want.
    package func open(
        _ location: StoreLocation, options: ConnectionOptions, expecting expected: FileIdentity? = nil
    ) throws(StoreError) -> any Connection {
        if let function = options.additions.functions.first {
            try capabilities.require(.functions, of: name, property: function.name)
        }
        if let collation = options.additions.collations.first {
            try capabilities.require(.collations, of: name, property: collation.name)
        }
        return try connect(location, options: options, expecting: expected)
    }
}

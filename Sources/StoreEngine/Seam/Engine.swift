/// A kind of database, with which a store opens its connections.
package protocol Engine: Sendable {
    /// Its name, for messages.
    var name: String { get }
    /// The capabilities of the engine.
    var capabilities: Capabilities { get }
    /// Opens a connection; a missing or empty database becomes a store.
    ///
    /// If `expected` is the identity of the file that an earlier connection opened, a file that has replaced it is
    /// rejected, and none is created.
    func connect(
        _ location: StoreLocation, options: ConnectionOptions, expecting expected: FileIdentity?
    ) throws(StoreError) -> any Connection
    /// Replaces a file by a copy in another form, while no other connection has it open.
    func convert(_ location: StoreLocation, options: ConnectionOptions, to form: FileForm) throws
}

extension Engine {
    /// Whether its databases are on a server, so that calls mostly wait for answers, and many sessions write at a time.
    package var isServer: Bool { capabilities.contains(.concurrentWriters) }

    /// Throws, for engines without files.
    package func convert(_ location: StoreLocation, options: ConnectionOptions, to form: FileForm) throws {
        try capabilities.subtracting(.encryption).require(.encryption, of: name)
    }

    /// Opens a connection, after checking that the engine supports the options.
    package func open(
        _ location: StoreLocation, options: ConnectionOptions, expecting expected: FileIdentity? = nil
    ) throws(StoreError) -> any Connection {
        if let function = options.additions.functions.first {
            try capabilities.require(.functions, of: name, property: function.name)
        }
        if let collation = options.additions.collations.first {
            try capabilities.require(.collations, of: name, property: collation.name)
        }
        if options.file.form.isEncrypted { try capabilities.require(.encryption, of: name) }
        if options.replica != nil { try capabilities.require(.replicas, of: name) }
        return try connect(location, options: options, expecting: expected)
    }
}

// Opening: opens stores, selects the default store, and begins and ends their sessions. It knows sessions, and must not
// know what they do.

internal import Foundation
internal import StoreEngine

extension Store {
    /// Opens the store in a file, creating the store if the file is missing or empty.
    ///
    /// As in SQLite, `:memory:` is not a file. It opens a new store in memory each time, like `inMemory()`. An empty
    /// path is refused, because it is probably a missing setting. A path that begins with `postgres://` is a server's
    /// address; see ``Location/postgres(_:)``.
    ///
    /// - Throws: `StoreError` if the path is a folder or in a missing folder, or if the file is not a database, is
    ///   damaged or read-only, or belongs to another program.
    public convenience init(_ path: String, configuration: Configuration = .init()) throws {
        guard let address = Store.serverAddress(path) else {
            try self.init(path, configuration: configuration, engine: StandardEngine.current)
            return
        }
        try self.init(address: address, schema: nil, configuration: configuration)
    }

    /// Opens the store in a schema of a PostgreSQL server, creating the schema if it does not exist.
    ///
    /// A program can open many such stores, for example one for each tenant, with the same classes. Each store has its
    /// own tables, and its statements find nothing outside its schema. Each schema is migrated when its store uses a
    /// class for the first time, as in any store. See the guide *PostgreSQL*.
    ///
    /// ```swift
    /// let store = try Store("postgres://app@db.example.org/shop", schema: "tenant_7")
    /// ```
    ///
    /// - Parameters:
    ///   - address: The address, which begins with `postgres://`.
    ///   - schema: The name, with at most 63 bytes of UTF-8. Uppercase and lowercase letters differ.
    ///   - configuration: The settings.
    /// - Throws: `StoreError`, including the codes `unsupported` for the path of a file, `misuse` for a name that
    ///   PostgreSQL reserves or does not allow, and `notPermitted` if the role may not use or create the schema.
    public convenience init(_ address: String, schema: String, configuration: Configuration = .init()) throws {
        guard let server = Store.serverAddress(address) else {
            try StandardEngine.current.capabilities.require(.schemas, of: StandardEngine.current.name)
            throw StoreError(.unsupported, "Only a server has schemas. Give its address: postgres://user@host/database")
        }
        try self.init(address: server, schema: schema, configuration: configuration)
    }

    private convenience init(address: String, schema: String?, configuration: Configuration) throws {
        self.init(
            location: .server(address: address, schema: schema), configuration: configuration,
            engine: try Store.serverEngine(), StoreSessions())
        try openFirstConnection()
    }

    /// Opens the store at a location.
    ///
    /// - Throws: `StoreError`, including the codes `cannotOpen` if a server cannot be reached, and `unsupported` if the
    ///   program was built without its engine.
    public convenience init(_ location: Location, configuration: Configuration = .init()) throws {
        guard !location.isServer || Store.serverAddress(location.path) != nil else {
            throw StoreError(.misuse, "The address of a PostgreSQL server must begin with postgres://")
        }
        if let schema = location.schema {
            try self.init(location.path, schema: schema, configuration: configuration)
        } else {
            try self.init(location.path, configuration: configuration)
        }
    }

    /// Opens a store with a chosen engine.
    package convenience init(_ path: String, configuration: Configuration = .init(), engine: any Engine) throws {
        let location: StoreLocation =
            path == Store.memoryPath ? .newMemory : .file(path: Store.absolute(path))
        self.init(location: location, configuration: configuration, engine: engine, StoreSessions())
        try openFirstConnection()
    }

    /// Opens a store in memory, which ends with the last reference to it.
    public static func inMemory(configuration: Configuration = .init()) throws -> Store {
        try Store(memoryPath, configuration: configuration)
    }

    static let memoryPath = ":memory:"

    /// Opens a store in a temporary file, which is deleted with the last reference to the store.
    ///
    /// The file is in a separate folder in the system's temporary folder, which only the user can access. Folders left
    /// by killed processes are removed by the first temporary store of a later process of the same user.
    public static func temporary(configuration: Configuration = .init()) throws -> Store {
        try Store(in: TemporaryFolder(), configuration: configuration)
    }

    /// Opens the store in the file of a folder, which the store retains.
    package convenience init(in folder: TemporaryFolder, configuration: Configuration) throws {
        self.init(
            location: .file(path: folder.storePath), configuration: configuration, temporaryFolder: folder,
            StoreSessions())
        try openFirstConnection()
    }

    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        // A later change of the current folder must not move the store.
        let folder = FileManager.default.currentDirectoryPath
        return folder.hasSuffix("/") ? folder + path : folder + "/" + path
    }
}

extension StoreLocation {
    /// A database in memory that no other store has.
    fileprivate static var newMemory: StoreLocation { .memory(name: UUID().uuidString) }
}

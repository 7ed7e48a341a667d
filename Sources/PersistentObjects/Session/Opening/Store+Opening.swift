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
        self.init(
            location: .server(address: address), configuration: configuration, engine: try Store.serverEngine(),
            StoreSessions())
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
        try self.init(location.path, configuration: configuration)
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

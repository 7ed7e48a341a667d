internal import Foundation
@_spi(Locks) internal import StoreEngine

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

extension Store {
    private static let chosen = Locked<Store?>(nil)

    /// The store of all calls that specify no store, opened on first use.
    ///
    /// Unless `open(_:)` selected another store, it is a file in the platform's folder for application data, under the
    /// program's name: on Linux `$XDG_DATA_HOME` or `~/.local/share`, on Apple platforms `Application Support`.
    public static var `default`: Store {
        chosen.withLock { chosen in
            if let chosen { return chosen }
            let store = Store(location: .file(path: defaultPath), configuration: .init(), StoreSessions())
            chosen = store
            return store
        }
    }

    /// Opens the store in a file, or in memory for `:memory:`, and makes it the default store.
    ///
    /// ```swift
    /// try Store.open("people.sqlite")
    /// ```
    @discardableResult
    public static func open(_ path: String, configuration: Configuration = .init()) throws -> Store {
        let store = try Store(path, configuration: configuration)
        // The former store may be deallocated here, outside the lock.
        _ = chosen.withLock { exchange(&$0, with: store) }
        return store
    }

    static var defaultPath: String {
        let program = ProcessInfo.processInfo.processName
        let folder = dataFolder.appending(path: program.isEmpty ? "PersistentObjects" : program)
        // If a folder cannot be created, opening the file throws. Only the owner can access the program's folder.
        try? FileManager.default.createDirectory(at: dataFolder, withIntermediateDirectories: true)
        mkdir(folder.path(percentEncoded: false), 0o700)
        return folder.appending(path: "store.sqlite").path(percentEncoded: false)
    }

    private static var dataFolder: URL {
        #if canImport(Darwin)
            URL.applicationSupportDirectory
        #else
            // According to the XDG Base Directory Specification, a relative path must be ignored.
            if let path = ProcessInfo.processInfo.environment["XDG_DATA_HOME"], path.hasPrefix("/") {
                URL(filePath: path, directoryHint: .isDirectory)
            } else {
                URL.homeDirectory.appending(path: ".local/share")
            }
        #endif
    }
}

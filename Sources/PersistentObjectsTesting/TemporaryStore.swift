public import Foundation
public import PersistentObjects

/// A store file for one test, in a folder that is deleted with it and the stores opened in it.
///
/// Use it for tests that close a store and open its file again, inspect the file, or run another program on it. If one
/// store is enough, `Store.inMemory()` and `Store.temporary()` are shorter.
///
/// ```swift
/// let file = try TemporaryStore()
/// try file.open().withSession { _ in try Person("Ann").save() }
/// try file.open().withSession { _ throws in #expect(try Person.findOnlyByName("Ann").id == 1) }
/// ```
public final class TemporaryStore: Sendable {
    private let temporary: TemporaryFolder

    /// Creates the folder in the system's temporary folder, accessible only to the current user.
    ///
    /// Folders left by killed processes are removed at the first call of a later process.
    ///
    /// - Throws: `StoreError` if the folder cannot be created.
    public init() throws { temporary = try TemporaryFolder() }

    /// The folder; files that a test creates there are deleted with it.
    ///
    /// ```swift
    /// let copy = file.folder.appending(path: "copy.sqlite")
    /// ```
    public var folder: URL { URL(filePath: temporary.path, directoryHint: .isDirectory) }

    /// The path of the store's file, which exists once a store was opened there.
    ///
    /// ```swift
    /// let store = try Store.open(file.path)     // the default store of what is tested
    /// ```
    public var path: String { temporary.storePath }

    /// Opens a store in the file, which keeps the objects saved by earlier stores.
    ///
    /// ```swift
    /// let store = try file.open(configuration: .init(durability: .relaxed))
    /// ```
    ///
    /// - Throws: The errors of `Store(_:configuration:)`.
    public func open(configuration: Store.Configuration = .init()) throws -> Store {
        try Store(in: temporary, configuration: configuration)
    }
}

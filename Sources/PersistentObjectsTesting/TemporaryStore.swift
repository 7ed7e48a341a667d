public import Foundation
public import PersistentObjects

/// A store file of a test's own, in a folder that goes away with it and the stores that were opened in it.
///
/// For tests that close a store and open its file again, look at the file, or run another program on it. Where one
/// store is enough, `Store.inMemory()` and `Store.temporary()` are shorter.
///
/// ```swift
/// let file = try TemporaryStore()
/// try file.open().withSession { _ in try Person("Ann").save() }
/// try file.open().withSession { _ throws in #expect(try Person.findOnlyByName("Ann").id == 1) }
/// ```
public final class TemporaryStore: Sendable {
    private let temporary: TemporaryFolder

    /// Makes the folder, in the system's temporary one and for this user only.
    ///
    /// What killed processes have left is removed at the first call of a later process.
    ///
    /// - Throws: `StoreError` where it cannot be made.
    public init() throws { temporary = try TemporaryFolder() }

    /// The folder; what a test puts there goes with it.
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

    /// Opens a store in the file: a new one, or another on what was saved there.
    ///
    /// ```swift
    /// let store = try file.open(configuration: .init(durability: .relaxed))
    /// ```
    ///
    /// - Throws: what `Store(_:configuration:)` throws.
    public func open(configuration: Store.Configuration = .init()) throws -> Store {
        try Store(in: temporary, configuration: configuration)
    }
}

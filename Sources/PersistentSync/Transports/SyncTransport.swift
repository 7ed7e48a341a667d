// Transports: files that devices exchange. It knows names and bytes, and must not know what they contain.

/// A place where devices leave files for each other: a folder, a service, a server, or your own kind.
///
/// `.folder(url)`, `.http(url, account: token)` and `.postgres(address)` are transports of the library. Write a type of
/// this protocol if your devices exchange files through something else, such as a bucket or a cloud drive, and pass it to
/// `Sync`:
///
/// ```swift
/// let sync = try Sync(store, through: BucketTransport("backups"), device: "Joe's phone")
/// ```
///
/// An entry is a file. It is written once, never changed, and removed at some time. A transport may list entries in any
/// order, list an entry again or late, and keep other files. It need not be trusted, because entries are encrypted and
/// signed. It must not lose an entry that was written, or show a part of it for good.
///
/// The functions are called concurrently. Throw a ``SyncError`` with the code `notReachable` if the place cannot be reached;
/// the round is then repeated later. If the task is cancelled, end within 100 milliseconds. `checkTransport(_:)` of
/// `PersistentObjectsTesting` tests an implementation.
public protocol SyncTransport: Sendable {
    /// Lists the entries of a group, after the cursor of an earlier call.
    ///
    /// All entries must be listed whose `write` ended before the call began, except those that an earlier call listed
    /// whose cursor is given. A transport without cursors lists all entries in each call.
    ///
    /// ```swift
    /// let first = try await transport.list(group, after: nil)
    /// let news = try await transport.list(group, after: first.cursor).entries
    /// ```
    ///
    /// - Parameters:
    ///   - group: The name of the group, which is the first part of the paths of its entries.
    ///   - cursor: A cursor that the transport returned for this group; nil for all entries.
    func list(_ group: String, after cursor: String?) async throws -> SyncListing

    /// Reads an entry from an offset to the end.
    ///
    /// The result is empty at the end. A transport that copies files in the background may have only a part of the
    /// entry yet.
    ///
    /// ```swift
    /// let rest = try await transport.read(entry, from: received.count)
    /// ```
    ///
    /// - Throws: `SyncError` with the code `notReachable`, also if the entry does not exist.
    func read(_ entry: SyncEntry, from offset: Int) async throws -> [UInt8]

    /// Writes an entry if it does not exist.
    ///
    /// It is written completely or not at all, also if two devices write it at once, and it is durable when the call
    /// returns. If it exists with the same bytes, nothing is done.
    ///
    /// ```swift
    /// if let entry = SyncEntry(path: "\(group)/members/1", size: bytes.count) { try await transport.write(entry, bytes) }
    /// ```
    ///
    /// - Throws: `SyncError` with the code `clonedDevice` if the entry exists with other bytes. It is not replaced.
    func write(_ entry: SyncEntry, _ bytes: [UInt8]) async throws

    /// Removes an entry; does nothing if it does not exist.
    ///
    /// ```swift
    /// try await transport.remove(entry)
    /// ```
    func remove(_ entry: SyncEntry) async throws

    /// Reports that entries may have been added to groups, until the reader ends.
    ///
    /// The first report is made as soon as all later entries are noticed, because entries may have been added before. A
    /// transport may report too much. If it reports nothing, or ends the stream, new entries are found at the interval of
    /// the configuration. The default implementation reports nothing.
    ///
    /// ```swift
    /// for await _ in transport.hints([group]) { print(try await transport.list(group, after: nil).entries.count) }
    /// ```
    ///
    /// - Parameter groups: The names of the groups.
    func hints(_ groups: Set<String>) -> AsyncStream<Void>
}

extension SyncTransport {
    /// Reports nothing.
    ///
    /// ```swift
    /// for await _ in transport.hints([group]) {}      // ends at once
    /// ```
    public func hints(_ groups: Set<String>) -> AsyncStream<Void> { AsyncStream { $0.finish() } }

    package func list(_ group: GroupID, after cursor: String?) async throws -> SyncListing {
        try await list(HexName.text(group.number), after: cursor)
    }
}

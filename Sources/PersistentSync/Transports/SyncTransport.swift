// Transports: files that devices exchange. It knows names and bytes, and must not know what they contain.

/// A place where devices leave files for each other: a folder, a service, a database.
///
/// It may lose order, list an entry twice or late, and keep files that no device wrote. It need not be trusted: batches are
/// encrypted and signed. `checkTransport` tests an implementation.
package protocol SyncTransport: Sendable {
    /// Lists the entries of a group, after a cursor of an earlier call. Entries may be listed again.
    func list(_ group: GroupID, after cursor: [UInt8]?) async throws -> SyncListing
    /// Reads an entry from an offset to the end. A transport may have only a part of it yet.
    func read(_ entry: SyncEntry, from offset: Int) async throws -> [UInt8]
    /// Writes an entry completely, or not at all. It never replaces one: if the entry exists with these bytes, nothing is
    /// done, and if it has other bytes, `clonedDevice` is thrown.
    func write(_ entry: SyncEntry, _ bytes: [UInt8]) async throws
    /// Removes an entry. If it does not exist, nothing is done.
    func remove(_ entry: SyncEntry) async throws
    /// Reports that entries may have been added. A transport may remain silent.
    func hints(_ group: GroupID) -> AsyncStream<Void>
}

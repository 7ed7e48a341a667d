/// The batches of one device in their order: each names the number and the hash of the batch before it.
package struct BatchChain: Hashable, Sendable, Codable {
    package private(set) var last: Int64 = 0
    package private(set) var hash = [UInt8](repeating: 0, count: SealedBatch.hashSize)

    package init() {}

    /// A chain that a batch continues. Only its device knows the batches before it.
    init(before header: BatchHeader) { (last, hash) = (header.after, header.previous) }

    /// Where a batch is.
    package enum Position: Hashable, Sendable {
        case next
        /// It was appended before.
        case earlier
        /// A batch before it is missing.
        case later
    }

    /// Determines where a batch is. It throws `clonedDevice` if another batch was appended in its place.
    package func position(of header: BatchHeader) throws(SyncError) -> Position {
        if header.last <= last { return .earlier }
        guard header.after <= last else { return .later }
        guard header.after == last, header.previous == hash else {
            throw SyncError(
                .clonedDevice,
                "Two batches of a device have the number \(last), so two devices use a copy of one file. The batch was "
                    + "not applied. Reset one of the devices")
        }
        return .next
    }

    /// Appends a batch that was applied.
    package mutating func append(_ header: BatchHeader, _ bytes: [UInt8]) {
        (last, hash) = (header.last, SealedBatch.hash(of: bytes))
    }
}

internal import Synchronization

/// Reads the pieces of an object one after the other. Each is checked when it has arrived.
struct PieceReader {
    let transport: any SyncTransport
    /// The pieces that arrived before a failure.
    let received: ReceivedPieces

    /// Reads all pieces.
    ///
    /// - Parameter entries: The entry of each piece; nil if it has not arrived.
    /// - Returns: Their bytes, one after the other.
    func read(_ pieces: BatchPieces, _ entries: [SyncEntry?]) async throws -> [UInt8] {
        let known = entries.compactMap(\.self)
        guard known.count == pieces.hashes.count else { throw Self.missing }
        // Sizes in lists can be wrong, so the bytes are counted, too.
        guard known.allSatisfy({ $0.size <= WireFormat.largestBatch }),
            known.reduce(0, { $0 + $1.size }) <= WireFormat.largestPieces
        else { throw ByteReader.damaged("its pieces are larger than 64 MiB") }
        var content = received.take(pieces)
        for entry in known.prefix(content.count) { DownloadMeter.current?.finish(entry) }
        for (entry, hash) in zip(known, pieces.hashes).dropFirst(content.count) {
            do {
                try Task.checkCancellation()
                let bytes = try await transport.read(entry, from: 0)
                DownloadMeter.current?.finish(entry)
                guard SealedBatch.hash(of: bytes) == hash else {
                    throw ByteReader.damaged("a piece is not the one that its device wrote")
                }
                content.append(bytes)
            } catch {
                received.keep(content, of: pieces)
                throw error
            }
        }
        return content.reduce(into: []) { $0 += $1 }
    }

    private static let missing = SyncError(
        .notReachable,
        "A piece of a batch has not arrived. Nothing of the batch was applied. It is read again when the piece arrives")
}

/// The pieces of one object that arrived before a failure, so that the next round continues after them.
final class ReceivedPieces: Sendable {
    private let kept = Mutex<(of: BatchPieces, bytes: [[UInt8]])?>(nil)

    /// The pieces of an object, which are not kept any more.
    func take(_ pieces: BatchPieces) -> [[UInt8]] {
        kept.withLock { kept in
            guard let found = kept, found.of == pieces else { return [] }
            kept = nil
            return found.bytes
        }
    }

    /// Keeps the pieces of an object instead of those of another one.
    func keep(_ bytes: [[UInt8]], of pieces: BatchPieces) { kept.withLock { $0 = (pieces, bytes) } }
}

/// The name of a piece in the log of a device: the number after which its batch begins, and its place in the batch.
struct PieceName {
    let after: Int64

    /// nil if the entry is not a piece.
    init?(_ entry: SyncEntry) {
        let parts = entry.name.split(separator: "-", omittingEmptySubsequences: false)
        guard case .log = entry.kind, parts.count == 4, parts[1] == "p", let after = Int64(parts[0]), after >= 0
        else { return nil }
        self.after = after
    }

    static func text(after: Int64, _ index: Int, _ hash: [UInt8]) -> String {
        "\(after)-p-\(index)-\(HexName.text(hash.prefix(8)))"
    }
}

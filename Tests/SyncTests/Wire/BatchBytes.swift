#if Sync
    import PersistentSync
    import Sealing
    import TestSupport

    @testable import PersistentSync

    /// The keys of a group and of a device, and batches that they seal.
    struct BatchBytes {
        let secret = [UInt8](repeating: 3, count: 32)
        let signingKey = [UInt8](repeating: 5, count: 32)
        var publicKey: [UInt8] { Sealing.publicKey(of: signingKey) }

        func bytes(of batch: Batch, previous: [UInt8] = [UInt8](repeating: 0, count: 16)) throws -> [UInt8] {
            try SealedBatch.bytes(of: batch, epoch: 1, secret: secret, previous: previous, signedBy: signingKey)
        }

        func open(_ bytes: [UInt8]) throws -> Batch {
            try SealedBatch.open(bytes, secret: secret, signedBy: publicKey).batch
        }

        /// Seals a content that a lying member made, with its own key.
        func bytes(ofPayload payload: [UInt8]) -> [UInt8] {
            SealedBatch.seal(payload, under: header, secret: secret, signedBy: signingKey)
        }

        var header: BatchHeader {
            BatchHeader(
                group: GroupID(1), epoch: 1, device: DeviceID(2), after: 0, last: 1,
                previous: [UInt8](repeating: 0, count: 16))
        }

        /// The code of the error, or nil.
        func code(_ bytes: [UInt8]) -> SyncError.Code? {
            do {
                _ = try open(bytes)
                return nil
            } catch {
                return (error as? SyncError)?.code
            }
        }

        /// Batches of all kinds of content, as many as asked for.
        static func some(_ count: Int) -> [Batch] {
            (0..<count).map { seed in
                var any = AnyState(random: SeededGenerator(seed: UInt64(seed)))
                return any.batch(objects: seed % 4)
            }
        }
    }
#endif

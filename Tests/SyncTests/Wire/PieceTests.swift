#if Sync
    import PersistentSync
    import Synchronization
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// Batches whose object is in pieces.
    @Suite struct PieceTests {
        private let keys = BatchBytes()

        private var limits: BatchLimits {
            var limits = BatchLimits()
            (limits.file, limits.piece, limits.object) = (2_000, 500, 10_000)
            return limits
        }

        private func batch(_ size: Int, objects: Int = 1) -> Batch {
            var state = ObjectState(in: GroupID(1), since: Clock(1, DeviceID(2)))
            state.life = 1
            state.properties["b"] = Register(LargeWorld.bytes(size), Clock(1, DeviceID(2)))
            let keys = (0..<objects).map { ObjectKey("parent", .text(Text("\($0)"))) }
            return Batch(
                from: DeviceID(2), in: GroupID(1), after: 0, last: 1,
                objects: Dictionary(uniqueKeysWithValues: keys.map { ($0, state) }), received: [DeviceID(3): 4],
                members: [DeviceID(2), DeviceID(3)])
        }

        private func files(_ batch: Batch, _ limits: BatchLimits? = nil) throws -> BatchFiles {
            try SealedBatch.files(
                of: batch, epoch: 1, secret: keys.secret, previous: keys.header.previous, signedBy: keys.signingKey,
                limits: limits ?? self.limits)
        }

        private func open(_ bytes: [UInt8]) throws -> (header: BatchHeader, batch: Batch, pieces: BatchPieces?) {
            try SealedBatch.open(bytes, secret: keys.secret, signedBy: keys.publicKey)
        }

        private func pieces(_ files: BatchFiles) -> [[UInt8]] { files.hashes.indices.map { files.piece($0) } }

        private func code<R>(_ body: () throws -> R) -> SyncError.Code? {
            do {
                _ = try body()
                return nil
            } catch { return (error as? SyncError)?.code }
        }

        @Test func `an object is read from its pieces as it was written`() throws {
            let batch = batch(5_000)
            let files = try files(batch)
            expect(files.batch[4], 2)
            #expect(files.batch.count < 1_000)
            expect(pieces(files).dropLast().map(\.count), Array(repeating: 500, count: files.hashes.count - 1))
            let opened = try open(files.batch)
            let list = try #require(opened.pieces)
            expect(list.hashes, files.hashes)
            expect(list.hashes, pieces(files).map { SealedBatch.hash(of: $0) })
            var read = opened.batch
            expect(read.objects, [:])
            read.objects = try SealedBatch.objects(
                in: Array(pieces(files).joined()), of: list, opened.header, secret: keys.secret)
            expect(read, batch)
        }

        @Test func `the format depends on what earlier programs cannot read`() throws {
            // An ordinary batch has the format 1, also with an object that fits just so.
            for size in [0, 100, 1_500] {
                let files = try files(batch(size))
                expect([Int(files.batch[4]), files.hashes.count], [1, 0])
                expect(try open(files.batch).batch, batch(size))
            }
            var incomplete = batch(100)
            incomplete.passesOnAll = false
            let files = try files(incomplete)
            expect([Int(files.batch[4]), files.hashes.count], [2, 0])
            expect(try open(files.batch).batch, incomplete)
            // A program that knows the formats 1 and 2 reports the next one.
            let header = keys.header
            let next = SealedBatch.seal(
                [0], under: header, secret: keys.secret, signedBy: keys.signingKey, version: 3)
            expect(code { try SealedBatch.header(of: next) }, .newerFormat)
        }

        @Test func `pieces depend on the object and the device only`() throws {
            let (one, other) = (batch(5_000), batch(5_000))
            expect(pieces(try files(one)), pieces(try files(other)))
            var later = batch(5_000)
            (later.after, later.last, later.received) = (7, 9, [:])
            expect(pieces(try files(later)), pieces(try files(one)))
            // Another device's pieces do not show that its object is the same.
            later.device = DeviceID(3)
            #expect(Set(pieces(try files(later))).isDisjoint(with: pieces(try files(one))))
            #expect(Set(pieces(try files(batch(5_001)))).isDisjoint(with: pieces(try files(one))))
        }

        @Test func `only one object is divided, up to a limit`() throws {
            expect(code { try files(batch(900, objects: 3)) }, .quota)
            expect(code { try files(batch(9_000)) }, nil)
            expect(code { try files(batch(10_001)) }, .quota)
            // The limit counts memory, too, if the content is large: 320 bytes for each element of a set.
            var many = batch(10)
            many.objects.keys.forEach { key in
                many.objects[key]?.sets["tags"] = Dictionary(
                    uniqueKeysWithValues: (0..<30_000).map { (SyncValue.integer($0), Int64(1)) })
            }
            var limits = BatchLimits()
            expect(code { try files(many, limits) }, nil)
            limits.object = 9 << 20
            limits.file = 50_000
            expect(code { try files(many, limits) }, .quota)
        }

        @Test func `each changed byte of a piece, and each missing one, is noticed`() throws {
            let files = try files(batch(5_000))
            let (header, _, found) = try open(files.batch)
            let list = try #require(found)
            let content = Array(pieces(files).joined())
            func code(_ content: [UInt8]) -> SyncError.Code? {
                self.code { try SealedBatch.objects(in: content, of: list, header, secret: keys.secret) }
            }
            expect(code(content), nil)
            for index in stride(from: 0, to: content.count, by: 7) {
                var changed = content
                changed[index] ^= 1
                expect(code(changed), .damagedBatch)
            }
            for count in stride(from: 0, to: content.count, by: 501) {
                expect(code(Array(content.prefix(count))), .damagedBatch)
            }
        }

        @Test func `each changed byte of a batch with pieces is noticed`() throws {
            let bytes = try files(batch(5_000)).batch
            for index in bytes.indices {
                var changed = bytes
                changed[index] ^= UInt8(1 << (index % 8))
                #expect(keys.code(changed) != nil, "byte \(index)")
            }
        }

        /// Seals what a lying member made.
        private func lie(_ body: (inout ByteWriter) -> Void) -> SyncError.Code? {
            var output = ByteWriter()
            body(&output)
            return keys.code(
                SealedBatch.seal(
                    output.bytes, under: keys.header, secret: keys.secret, signedBy: keys.signingKey, version: 2))
        }

        @Test func `counts of pieces beyond their limits are rejected`() {
            let rest = PayloadWriter.bytes(of: batch(0, objects: 0))
            expect(lie { $0.write([0, 0] + rest) }, nil)
            expect(lie { $0.write([2, 0] + rest) }, .damagedBatch)
            expect(lie { $0.write([0, 1] + rest) }, .damagedBatch)
            for count in [UInt64(WireFormat.mostPieces) + 1, 1 << 40, .max] {
                expect(
                    lie { output in
                        output.write([0])
                        output.writeNumber(count)
                        output.write([UInt8](repeating: 7, count: 24 + 16 * (WireFormat.mostPieces + 1)) + rest)
                    }, .damagedBatch)
            }
            // Objects in the batch and in pieces.
            let both = PayloadWriter.bytes(of: batch(0))
            expect(lie { $0.write([0, 1] + [UInt8](repeating: 7, count: 24 + 16) + both) }, .damagedBatch)
        }

        /// Counts the bytes that are read.
        private final class Source: SyncTransport {
            let reads = Mutex(0)
            let size: Int

            init(_ size: Int) { self.size = size }

            func list(_ group: String, after cursor: String?) async throws -> SyncListing { SyncListing([]) }

            func read(_ entry: SyncEntry, from offset: Int) async throws -> [UInt8] {
                reads.withLock { $0 += 1 }
                return [UInt8](repeating: 0, count: size)
            }

            func write(_ entry: SyncEntry, _ bytes: [UInt8]) async throws {}
            func remove(_ entry: SyncEntry) async throws {}
        }

        private func read(_ sizes: [Int], _ hash: [UInt8]) async -> (code: SyncError.Code?, reads: Int) {
            let source = Source(1_000)
            let list = BatchPieces(salt: [], hashes: sizes.map { _ in hash })
            let entries = sizes.map { SyncEntry(GroupID(1), .log(DeviceID(2)), name: "p", size: $0) }
            do {
                _ = try await PieceReader(transport: source, received: ReceivedPieces()).read(list, entries)
                return (nil, source.reads.withLock { $0 })
            } catch { return ((error as? SyncError)?.code, source.reads.withLock { $0 }) }
        }

        @Test func `pieces that are too large, or too many, are not read`() async {
            let hash = SealedBatch.hash(of: [UInt8](repeating: 0, count: 1_000))
            #expect(await read([1_000, 1_000], hash) == (nil, 2))
            #expect(await read([1_000, (8 << 20) + 1], hash) == (.damagedBatch, 0))
            #expect(await read(Array(repeating: 8 << 20, count: 9), hash) == (.damagedBatch, 0))
            // The first wrong piece ends the call.
            #expect(await read([1_000, 1_000], [1]) == (.damagedBatch, 1))
        }
    }
#endif

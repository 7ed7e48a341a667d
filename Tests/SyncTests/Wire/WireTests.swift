#if Sync
    import PersistentSync
    import Sealing
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// Batches as bytes.
    @Suite struct WireTests {
        private let keys = BatchBytes()

        @Test func `batches of all types are read as they were written`() throws {
            for batch in BatchBytes.some(Scale.rounds(1_000)) {
                let payload = PayloadWriter.bytes(of: batch)
                let header = BatchHeader(
                    group: batch.group, epoch: 1, device: batch.device, after: batch.after, last: batch.last,
                    previous: [])
                let memory = payload.count + batch.largestMemory
                expect(try PayloadReader.batch(payload[...], header, memory: memory), batch)
                expect(PayloadWriter.bytes(of: batch), payload)
            }
            for batch in BatchBytes.some(20) { expect(try keys.open(try keys.bytes(of: batch)), batch) }
        }

        @Test func `each value is read as it was written`() throws {
            let values: [SyncValue] = [
                .null, .integer(.min), .integer(-1), .integer(0), .integer(63), .integer(64), .integer(.max),
                .real(-0.0), .real(.nan), .real(.greatestFiniteMagnitude), .real(.leastNonzeroMagnitude), .text(""),
                .text(Text(utf8: [0xFF, 0])), .bytes([]), .bytes([UInt8](repeating: 1, count: 70_000)),
                .decimal("-12.340"), .object(ObjectKey("note", .uuid(.max))), .object(ObjectKey("", .text(""))),
                .blob(hash: [UInt8](repeating: 9, count: 32), size: .max),
            ]
            var state = ObjectState(in: GroupID(.max), since: Clock(Clock.latest, DeviceID(.max)))
            state.life = Life.longest
            for (index, value) in values.enumerated() {
                state.properties[Text("p\(index)")] = Register(value, Clock(UInt64(index), DeviceID(1)))
            }
            let batch = Batch(
                from: DeviceID(.max), in: GroupID(0), after: 0, last: WireFormat.greatestNumber,
                objects: [ObjectKey("note", .text("k")): state])
            expect(try keys.open(try keys.bytes(of: batch)), batch)
        }

        @Test func `a new object of ten properties takes at most 120 bytes`() {
            var state = ObjectState(in: GroupID(1), since: Clock(1 << 50, DeviceID(1)))
            state.life = 1
            for index in 0..<10 {
                let value: SyncValue = index % 2 == 0 ? .integer(Int64(index) * 100) : .text("ten bytes!")
                state.properties[Text("property\(index)")] = Register(
                    value, Clock(1 << 50 + UInt64(index), DeviceID(1)))
            }
            func size(_ count: UInt128) -> Int {
                let objects = (0..<count).map { (ObjectKey("note", .uuid($0)), state) }
                return PayloadWriter.bytes(
                    of: Batch(
                        from: DeviceID(1), in: GroupID(1), after: 0, last: 1,
                        objects: Dictionary(uniqueKeysWithValues: objects))
                ).count
            }
            let perObject = (size(1001) - size(1)) / 1000
            #expect(perObject <= 120, "\(perObject)")
        }

        @Test func `the size of a batch is one of few, and says little about its content`() {
            expect((0...9).map(WireFormat.padded), [0, 1, 2, 3, 4, 5, 6, 7, 8, 10])
            for size in [100, 1_000, 123_456, 7_654_321] {
                let padded = WireFormat.padded(size)
                #expect(padded >= size && Double(padded) <= Double(size) * 1.12)
                expect(WireFormat.padded(padded), padded)
            }
        }

        @Test func `a batch contains no plain text, and each one is encrypted with its own key`() throws {
            var state = ObjectState(in: GroupID(1))
            state.properties["secretname"] = Register(.text("secretvalue"), .none)
            let batch = Batch(
                from: DeviceID(1), in: GroupID(1), after: 0, last: 1,
                objects: [ObjectKey("secretclass", .text("secretkey")): state])
            let (one, other) = (try keys.bytes(of: batch), try keys.bytes(of: batch))
            #expect(one != other)
            expect(one.count, other.count)
            #expect(!String(decoding: one, as: UTF8.self).contains("secret"))
            let wrong = [UInt8](repeating: 4, count: 32)
            let error = #expect(throws: SyncError.self) {
                try SealedBatch.open(one, secret: wrong, signedBy: keys.publicKey)
            }
            expect(error?.code, .wrongKey)
            let stranger = #expect(throws: SyncError.self) {
                try SealedBatch.open(one, secret: keys.secret, signedBy: Sealing.publicKey(of: wrong))
            }
            expect(stranger?.code, .damagedBatch)
        }

        @Test func `a batch in a later format is reported as such`() throws {
            var bytes = try keys.bytes(of: BatchBytes.some(1)[0])
            bytes[4] = 3
            expect(keys.code(bytes), .newerFormat)
            bytes[4] = 1
            bytes[5] = 1
            expect(keys.code(bytes), .newerFormat)
        }

        @Test func `the parts of an object that a later version adds are skipped`() throws {
            var output = ByteWriter()
            for name in ["note"] as [Text] {
                output.writeCount(1)
                output.writeBlock(name.utf8)
            }
            output.writeCount(1)
            output.writeFixed(UInt128(7))
            output.writeNumber(0)
            for _ in 0..<3 { output.writeCount(0) }
            output.writeCount(1)
            output.writeCount(0)
            output.write([1])
            output.writeBlock(Array("k".utf8))
            var object = ByteWriter()
            object.writeNumber(WireFormat.Part.life.rawValue)
            object.writeBlock([1, 0, 0])
            object.writeNumber(99)
            object.writeBlock([1, 2, 3])
            output.writeBlock(object.bytes)
            let batch = try keys.open(keys.bytes(ofPayload: output.bytes))
            expect(batch.objects.mapValues(\.life), [ObjectKey("note", .text("k")): 1])
        }

        @Test func `the chain of a device's batches has no holes, and a copied device is noticed`() throws {
            var chain = BatchChain()
            func batch(_ after: Int64, _ last: Int64, _ previous: [UInt8]) throws -> (BatchHeader, [UInt8]) {
                let bytes = try keys.bytes(
                    of: Batch(from: DeviceID(1), in: GroupID(1), after: after, last: last, objects: [:]),
                    previous: previous)
                return (try SealedBatch.header(of: bytes), bytes)
            }
            let first = try batch(0, 3, chain.hash)
            let second = try batch(3, 5, SealedBatch.hash(of: first.1))
            expect(try chain.position(of: second.0), .later)
            expect(try chain.position(of: first.0), .next)
            chain.append(first.0, first.1)
            expect(try chain.position(of: first.0), .earlier)
            expect(try chain.position(of: second.0), .next)
            for copy in [try batch(3, 4, [UInt8](repeating: 1, count: 16)), try batch(2, 6, chain.hash)] {
                let error = #expect(throws: SyncError.self) { try chain.position(of: copy.0) }
                expect(error?.code, .clonedDevice)
            }
        }
    }
#endif

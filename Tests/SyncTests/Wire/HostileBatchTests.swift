#if Sync
    import PersistentSync
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// Bytes that are no batches, and batches of members who lie.
    @Suite struct HostileBatchTests {
        private let keys = BatchBytes()

        @Test func `each changed byte of a batch is noticed`() throws {
            for batch in BatchBytes.some(Scale.rounds(20)) {
                let bytes = try keys.bytes(of: batch)
                for index in bytes.indices {
                    var changed = bytes
                    changed[index] ^= UInt8(1 << (index % 8))
                    #expect(keys.code(changed) != nil, "byte \(index) of \(bytes.count)")
                }
            }
        }

        @Test func `a batch that was cut short at any byte, or continued, is noticed`() throws {
            for batch in BatchBytes.some(Scale.rounds(20)) {
                let bytes = try keys.bytes(of: batch)
                for count in 0..<bytes.count { expect(keys.code(Array(bytes.prefix(count))), .damagedBatch) }
                expect(keys.code(bytes + [0]), .damagedBatch)
            }
        }

        @Test func `a content that was cut short at any byte is noticed, although it is signed`() {
            for batch in BatchBytes.some(20) {
                let payload = PayloadWriter.bytes(of: batch)
                for count in 0..<payload.count {
                    #expect(throws: SyncError.self) { try PayloadReader.batch(payload[..<count], keys.header) }
                }
                #expect(throws: SyncError.self) { try PayloadReader.batch((payload + [0])[...], keys.header) }
            }
        }

        @Test func `any content gives an error, or a batch that can be joined, shown and sent on`() {
            for seed in SeededGenerator.seeds(20_000) {
                var random = SeededGenerator(seed: seed)
                var any = AnyState(random: SeededGenerator(seed: seed))
                var payload = PayloadWriter.bytes(of: any.batch(objects: 2))
                for _ in 0..<Int.random(in: 1...6, using: &random) { mutate(&payload, &random) }
                guard let batch = try? PayloadReader.batch(payload[...], keys.header) else { continue }
                var replica = Replica<StandardRules>(DeviceID(1), classes: SimulatedModel.classes(version: 2))
                replica.enter(GroupID(1), members: [DeviceID(2)])
                replica.now = Clock.latest >> 16
                switch replica.receive(batch) {
                case .applied: break
                case .retired: continue
                default:
                    Issue.record("SEED=\(seed): not applied")
                    continue
                }
                for (key, object) in replica.objects.sorted(by: { $0.key < $1.key }) {
                    for name in object.properties.keys.sorted() { replica.set(name, of: key, to: .null) }
                    for name in object.counters.keys.sorted() { replica.add(.integer(.max), to: name, of: key) }
                    replica.delete([(key, nil)])
                    replica.restore(key)
                }
                _ = replica.presentation
                guard let sent = replica.batch(for: GroupID(1), after: 0) else { continue }
                let again = try? PayloadReader.batch(PayloadWriter.bytes(of: sent)[...], keys.header)
                expect(again?.objects, sent.objects, "SEED=\(seed)")
            }
        }

        private func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
            guard let index = bytes.indices.randomElement(using: &random) else { return }
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[index] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
            case 1: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
            case 2: bytes.remove(at: index)
            case 3: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: index)
            default:
                let part = bytes[index..<min(bytes.count, index + Int.random(in: 1...16, using: &random))]
                bytes.insert(contentsOf: Array(part), at: Int.random(in: 0...bytes.count, using: &random))
            }
        }

        /// The content of a batch with one object that has one part.
        private func payload(
            base: UInt64 = 0, count: UInt64 = 1, _ tag: WireFormat.Part = .life, _ part: (inout ByteWriter) -> Void
        ) -> [UInt8] {
            var output = ByteWriter()
            output.writeCount(1)
            output.writeBlock(Array("note".utf8))
            output.writeCount(1)
            output.writeFixed(UInt128(7))
            output.writeNumber(base)
            for _ in 0..<3 { output.writeCount(0) }
            output.writeNumber(count)
            output.write([0, 1, 1, 0x6B])
            var (object, content) = (ByteWriter(), ByteWriter())
            part(&content)
            object.writeNumber(tag.rawValue)
            object.writeBlock(content.bytes)
            output.writeBlock(object.bytes)
            return output.bytes
        }

        private func group(_ clock: Int64, base: UInt64 = 0) -> [UInt8] {
            payload(base: base, .group) { part in
                part.write([0])
                part.writeSigned(clock)
                part.writeCount(0)
                part.writeCount(0)
            }
        }

        private func code(_ payload: [UInt8]) -> SyncError.Code? { keys.code(keys.bytes(ofPayload: payload)) }

        @Test func `clocks after 2100 are rejected, and a clock in 2040 is read`() {
            let year2040: UInt64 = 2_208_988_800_000 << 16
            expect(code(group(Int64(year2040))), nil)
            expect(code(group(Int64(Clock.latest))), nil)
            expect(code(group(Int64(Clock.latest) + 1)), .fromTheFuture)
            expect(code(group(.max)), .fromTheFuture)
            expect(code(group(.max, base: Clock.latest)), .damagedBatch)
            expect(code(group(0, base: 1 << 63)), .fromTheFuture)
            expect(code(group(0, base: .max)), .fromTheFuture)
            expect(code(group(-1)), .damagedBatch)
            expect(code(group(.min)), .damagedBatch)
        }

        @Test func `lives, counts and lengths beyond their limits are rejected`() {
            func life(_ length: UInt64) -> [UInt8] {
                payload { part in
                    part.writeNumber(length)
                    part.write([0, 0])
                }
            }
            expect(code(life(UInt64(Life.longest))), nil)
            expect(code(life(UInt64(Life.longest) + 1)), .damagedBatch)
            expect(code(life(.max)), .damagedBatch)
            expect(code(payload(count: .max) { $0.write([1, 0, 0]) }), .damagedBatch)
            expect(code(payload(count: 2) { $0.write([1, 0, 0]) }), .damagedBatch)
            for length in [1 << 30, UInt64.max, 1 << 62] {
                expect(
                    code(
                        payload(.properties) { part in
                            part.write([1, 0, WireFormat.Form.bytes.rawValue])
                            part.writeNumber(length)
                        }), .damagedBatch)
            }
            // A number of eleven bytes, a number with two forms, and a repeated key.
            expect(code(payload { $0.write([UInt8](repeating: 0xFF, count: 10) + [1]) }), .damagedBatch)
            expect(code(payload { $0.write([0x81, 0x00, 0, 0]) }), .damagedBatch)
            expect(code(payload(.maxima) { $0.write([2, 0, 0, 0, 0]) }), .damagedBatch)
            expect(code(payload(.maxima) { $0.write([1, 0, 0]) }), nil)
            expect(code(payload(.maxima) { $0.write([1, 1, 0]) }), .damagedBatch)
        }

        @Test func `a batch whose content would take too much memory is rejected`() {
            // As many objects as 7 MB can contain.
            var output = ByteWriter()
            output.writeCount(1)
            output.writeBlock([])
            for _ in 0..<5 { output.writeCount(0) }
            let count = 1_500_000
            output.writeCount(count)
            for index in 0..<count {
                output.write([0, 1, 3])
                output.write([UInt8(index & 255), UInt8(index >> 8 & 255), UInt8(index >> 16)])
                output.write([0])
            }
            output.write([UInt8](repeating: 0, count: 10))
            let payload = Array(output.bytes.prefix(7_000_000))
            let bytes = keys.bytes(ofPayload: payload)
            expect(keys.code(bytes), .quota)
            expect(keys.code([UInt8](repeating: 0, count: 9 << 20)), .damagedBatch)
        }

        @Test func `a member that counts for another device cannot stop that device`() throws {
            var state = ObjectState(in: GroupID(1), since: Clock(1, DeviceID(2)))
            state.life = 1
            state.properties["a"] = Register(.integer(1), Clock(1, DeviceID(1)))
            state.properties["b"] = Register(.integer(1), Clock(Clock.latest, DeviceID(1)))
            state.counters["count"] = [DeviceID(1): CounterPart(count: CounterPart.greatestCount, sum: .integer(.max))]
            let key = ObjectKey("parent", .text("k"))
            let batch = Batch(from: DeviceID(2), in: GroupID(1), after: 0, last: 1, objects: [key: state])
            var replica = Replica<StandardRules>(DeviceID(1), classes: SimulatedModel.classes(version: 2))
            replica.enter(GroupID(1), members: [DeviceID(2)])
            replica.now = Clock.latest >> 16
            _ = replica.receive(try keys.open(try keys.bytes(of: batch)))
            replica.add(.integer(1), to: "count", of: key)
            expect(replica.presentation.value(key, "count"), .integer(.max))
            replica.set("b", of: key, to: .integer(2))
            expect(replica.objects[key]?.clock(of: "b").time, Clock.latest)
            let sent = try #require(replica.batch(for: GroupID(1), after: 0))
            expect(try keys.open(try keys.bytes(of: sent)).objects, sent.objects)
        }

        @Test func `random bytes are no batch`() {
            for seed in SeededGenerator.seeds(5_000) {
                var random = SeededGenerator(seed: seed)
                let count = Int.random(in: 0..<300, using: &random)
                var bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
                if seed % 2 == 0 { bytes = Array("POSB".utf8) + [1, 0] + bytes }
                #expect(keys.code(bytes) != nil)
            }
        }
    }
#endif

#if Sync
    import PersistentSync

    /// Bytes that are no batches, and batches that a lying member signed: small ones of any form, and some that are as
    /// large as a batch may be, filled with one kind of content.
    struct HostileBytes {
        private static let secret = [UInt8](repeating: 3, count: 32)
        private let keys = MemberKeys()
        private let header = BatchHeader(
            group: GroupID(1), epoch: 1, device: DeviceID(2), after: 0, last: 1,
            previous: [UInt8](repeating: 0, count: SealedBatch.hashSize))
        private var random: Randomness

        /// The kinds of content. `names`, `devices` and so on are the only content, as often as the size permits.
        private enum Filling: CaseIterable {
            case names, devices, receipts, objects, properties, maxima, sets, dictionaries, arrays, counters, groups
            case texts, longText, unknownParts, counts, references
        }

        init(seed: UInt64, _ place: Int) { random = Randomness(seed, place) }

        /// Reads bytes as a round does; returns whether they were rejected.
        func isRejected(_ bytes: [UInt8]) -> Bool {
            let author = Array(Member(DeviceID(2), name: "", keys: keys).signing)
            do {
                _ = try SealedBatch.header(of: bytes)
                _ = try SealedBatch.open(bytes, secret: Self.secret, signedBy: author)
                return false
            } catch { return true }
        }

        /// Reads bytes as a record of members.
        func isRejectedRecord(_ bytes: [UInt8]) -> Bool {
            do {
                _ = try SealedRecord(bytes).body(secret: Self.secret)
                return false
            } catch { return true }
        }

        mutating func next() -> (name: String, bytes: [UInt8]) {
            switch random.below(8) {
            case 0: return ("random", noise(random.logarithmic(9 << 20)))
            case 1: return ("random after the magic", Array("POSB".utf8) + [1, 0] + noise(random.logarithmic(1 << 16)))
            case 2:
                var bytes = seal(mutated(content(anyFilling(), random.logarithmic(1 << 16))))
                mutate(&bytes)
                return ("damaged", bytes)
            case 3, 4:
                let filling = anyFilling()
                return ("small, \(filling)", seal(mutated(content(filling, random.logarithmic(1 << 16)))))
            case 5: return ("mutated content", seal(mutated(content(anyFilling(), random.logarithmic(1 << 12)))))
            default:
                let filling = anyFilling()
                // With the padding, it has less than 8 MiB.
                var content = content(filling, 7 << 20)
                if random.chance(0.3) { content = mutated(content) }
                return ("large, \(filling)", seal(content))
            }
        }

        private func seal(_ content: [UInt8]) -> [UInt8] {
            SealedBatch.seal(content, under: header, secret: Self.secret, signedBy: Array(keys.signing))
        }

        private mutating func anyFilling() -> Filling { Filling.allCases[random.below(Filling.allCases.count)] }

        private mutating func noise(_ count: Int) -> [UInt8] {
            var bytes: [UInt8] = []
            while bytes.count < count { withUnsafeBytes(of: random.next()) { bytes += $0 } }
            return Array(bytes.prefix(count))
        }

        private mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
            var bytes = bytes
            for _ in 0...random.below(4) { mutate(&bytes) }
            return bytes
        }

        private mutating func mutate(_ bytes: inout [UInt8]) {
            guard !bytes.isEmpty else { return }
            let index = random.below(bytes.count)
            switch random.below(5) {
            case 0: bytes[index] ^= UInt8(1 << random.below(8))
            case 1: bytes[index] = UInt8(random.below(256))
            case 2: bytes.removeSubrange(index..<min(bytes.count, index + 1 + random.below(16)))
            case 3: bytes.insert(UInt8(random.below(4)), at: index)
            // A count or length that says more than there is.
            default: bytes.replaceSubrange(index..<index + 1, with: Self.number(random.next()))
            }
        }

        // MARK: Contents

        private static func number(_ number: UInt64) -> [UInt8] {
            var (rest, bytes): (UInt64, [UInt8]) = (number, [])
            while rest > 0x7f {
                bytes.append(UInt8(rest & 0x7f) | 0x80)
                rest >>= 7
            }
            return bytes + [UInt8(rest)]
        }

        private static func number(_ value: Int) -> [UInt8] { number(UInt64(value)) }

        private static func block(_ bytes: [UInt8]) -> [UInt8] { number(bytes.count) + bytes }

        /// A number of four bytes, different for each index.
        private static func fixed(_ index: Int) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: index >> ($0 * 8)) }
        }

        private static func identity(_ index: Int) -> [UInt8] { [UInt8](repeating: 0, count: 12) + fixed(index) }

        /// A count, and elements until the size is reached.
        private static func elements(_ size: Int, _ element: (Int) -> [UInt8]) -> [UInt8] {
            var (bytes, count): ([UInt8], Int) = ([], 0)
            while bytes.count < size {
                bytes += element(count)
                count += 1
            }
            return number(count) + bytes
        }

        /// Names, devices, the base of the clocks, members, retired devices, receipts, and objects.
        private func payload(
            names: [UInt8]? = nil, devices: [UInt8]? = nil, members: [UInt8] = [0], receipts: [UInt8] = [0],
            objects: [UInt8]
        ) -> [UInt8] {
            (names ?? [1] + Self.block(Array("note".utf8))) + (devices ?? [1] + [UInt8](repeating: 0, count: 16)) + [0]
                + members + [0] + receipts + objects
        }

        /// An object with one part.
        private func object(_ tag: Int, _ part: [UInt8]) -> [UInt8] {
            payload(objects: [1, 0, 1, 1, 0x6B] + Self.block(Self.number(tag) + Self.block(part)))
        }

        private mutating func content(_ filling: Filling, _ size: Int) -> [UInt8] {
            let integer: (Int) -> [UInt8] = { [1] + Self.number($0) }
            let clock: [UInt8] = [0, 0]
            switch filling {
            case .names:
                return payload(names: Self.elements(size) { Self.block(Self.fixed($0)) }, objects: [0])
            case .devices, .receipts:
                let list = Self.elements(size, Self.identity)
                let count = size / 20
                let indices = Self.number(count) + (0..<count).flatMap { Self.number($0) }
                let receipts = Self.number(count) + (0..<count).flatMap { Self.number($0) + [1] }
                return filling == .devices
                    ? payload(devices: list, members: indices, objects: [0])
                    : payload(devices: list, receipts: receipts, objects: [0])
            case .objects:
                return payload(objects: Self.elements(size) { [0, 1, 4] + Self.fixed($0) + [0] })
            case .properties:
                let count = size / 12
                let names = Self.elements(size / 8) { Self.block(Self.fixed($0)) }
                let part = Self.number(count) + (0..<count).flatMap { Self.number($0) + [0] + clock }
                return payload(names: names, objects: [1, 0, 1, 1, 0x6B] + Self.block([3] + Self.block(part)))
            case .maxima:
                let names = Self.elements(size / 8) { Self.block(Self.fixed($0)) }
                let part = Self.elements(size / 2) { Self.number($0) + [0] }
                return payload(names: names, objects: [1, 0, 1, 1, 0x6B] + Self.block([5] + Self.block(part)))
            case .sets:
                return object(7, [1, 0] + Self.elements(size) { integer($0) + [1] })
            case .dictionaries:
                return object(8, [1, 0] + Self.elements(size) { integer($0) + [1, 0] + clock })
            case .arrays:
                return object(
                    9, [1, 0] + Self.elements(size) { [0] + Self.number($0) + [1, 1, 1] + clock + [0] + clock })
            case .counters:
                let devices = Self.elements(size * 3 / 4, Self.identity)
                let part = [1, 0] + Self.elements(size / 5) { Self.number($0) + [1, 0] }
                return payload(devices: devices, objects: [1, 0, 1, 1, 0x6B] + Self.block([4] + Self.block(part)))
            case .groups:
                return object(2, [0] + clock + Self.elements(size, Self.identity))
            case .texts:
                return object(7, [1, 0] + Self.elements(size) { [3] + Self.block(Self.fixed($0)) + [1] })
            case .longText:
                return object(3, [1, 0, 3] + Self.block(noise(size)) + clock)
            case .unknownParts:
                return payload(objects: [1, 0, 1, 1, 0x6B] + Self.block(Self.number(99) + Self.block(noise(size))))
            case .counts:
                let huge = Self.number(random.next() >> UInt64(random.below(64)))
                return payload(objects: huge + [0, 1] + huge) + noise(size)
            case .references:
                return object(7, [1, 0] + Self.elements(size) { [6, 0, 1, 4] + Self.fixed($0) + [1] })
            }
        }
    }
#endif

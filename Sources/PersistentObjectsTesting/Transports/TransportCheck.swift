#if Sync
    internal import PersistentSync
    internal import Synchronization

    /// One check of a transport: its groups, and what was found.
    final class TransportCheck<Transport: SyncTransport>: Sendable {
        let transport: Transport
        let group = TransportCheck.name()
        private let otherGroup = TransportCheck.name()
        let device = TransportCheck.name()
        private let found = Mutex<[String]>([])

        init(_ transport: Transport) { self.transport = transport }

        var problems: [String] { found.withLock { $0 } }

        /// Runs a part; its errors are problems.
        func run(_ part: String, _ body: () async throws -> Void) async {
            do {
                try await body()
            } catch {
                report("\(part): \(error)")
            }
        }

        func report(_ problem: String) { found.withLock { $0.append(problem) } }

        func check(_ condition: Bool, _ problem: @autoclosure () -> String) {
            if !condition { report(problem()) }
        }

        private func check(
            _ code: SyncError.Code, _ problem: String, _ body: () async throws -> Void
        ) async {
            do {
                try await body()
                report("\(problem), and does not throw")
            } catch {
                check(
                    (error as? SyncError)?.code == code, "\(problem), and throws another error than \(code): \(error)")
            }
        }

        // MARK: Names and bytes

        /// 32 random hexadecimal digits.
        private static func name() -> String {
            let digits = String(UInt64.random(in: .max / 2 ... .max), radix: 16)
            return digits + digits
        }

        func entry(_ name: String, _ bytes: [UInt8], of group: String? = nil) throws -> SyncEntry {
            guard let entry = SyncEntry(path: "\(group ?? self.group)/\(name)", size: bytes.count) else {
                throw SyncError(.notReachable, "\(name) is not the name of an entry")
            }
            return entry
        }

        func log(_ name: String, _ bytes: [UInt8]) throws -> SyncEntry { try entry("log/\(device)/\(name)", bytes) }

        /// Bytes in which every offset can be recognized; other ones for each number.
        static func bytes(_ count: Int, _ number: Int = 0) -> [UInt8] {
            let block = (0..<1021).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8) ^ number) }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count + block.count)
            while bytes.count < count {
                bytes += block
                bytes.append(UInt8(truncatingIfNeeded: bytes.count >> 10))
            }
            return Array(bytes.prefix(count))
        }

        func list(after cursor: String? = nil) async throws -> SyncListing {
            try await transport.list(group, after: cursor)
        }

        // MARK: One after another

        func checkUnknown() async throws {
            let unknown = try log("0-1-unknown", [1])
            check(try await list().entries.isEmpty, "A group to which no device wrote has entries")
            await check(.notReachable, "An entry that does not exist is read") {
                _ = try await transport.read(unknown, from: 0)
            }
            try await transport.remove(unknown)
            check(try await list().entries.isEmpty, "Removing an entry that does not exist added it")
        }

        func checkBytes() async throws {
            let names = ["log/\(device)/0-1-0a1b2c3d", "members/m-A", "members/m-a", "snapshots/S", "blobs/b"]
            let sizes = [1, 255, 256, 70_001, 8 << 20]
            var written: Set<SyncEntry> = []
            for (number, (name, size)) in zip(names, sizes).enumerated() {
                let bytes = Self.bytes(size, number)
                let new = try entry(name, bytes)
                try await transport.write(new, bytes)
                written.insert(new)
                for offset in Set([0, 1, size / 2, size - 1, size]) where offset <= size {
                    let read = try await transport.read(new, from: offset)
                    check(
                        read == Array(bytes[offset...]),
                        "Reading an entry of \(size) bytes from \(offset) returns \(read.count) bytes, or other bytes")
                }
            }
            let other = try entry("members/other", [1, 2], of: otherGroup)
            try await transport.write(other, [1, 2])
            let listed = try await list().entries
            check(
                Set(listed) == written, "A group lists other entries than were written to it, or other sizes: \(listed)"
            )
            check(listed.count == written.count, "Entries are listed twice in one listing")
            check(
                try await transport.list(otherGroup, after: nil).entries == [other],
                "A group lists the entries of another group")
        }

        func checkRepeated() async throws {
            let bytes = Self.bytes(3000)
            let first = try log("1-2-again", bytes)
            try await transport.write(first, bytes)
            try await transport.write(first, bytes)
            for others in [Self.bytes(3000, 1), Array(bytes.dropLast()), bytes + [0]] {
                let second = try log("1-2-again", others)
                await check(.clonedDevice, "An entry is written again with other bytes") {
                    try await transport.write(second, others)
                }
            }
            check(try await transport.read(first, from: 0) == bytes, "An entry was replaced by other bytes")
            let listed = try await list().entries.filter { $0.path == first.path }
            check(listed == [first], "An entry that was written again is listed \(listed.count) times: \(listed)")
        }

        func checkRemoved() async throws {
            let entry = try log("2-3-removed", [1, 2, 3])
            try await transport.write(entry, [1, 2, 3])
            let cursor = try await list().cursor
            try await transport.remove(entry)
            try await transport.remove(entry)
            check(try await !list().entries.contains(entry), "A removed entry is listed")
            await check(.notReachable, "A removed entry is read") { _ = try await transport.read(entry, from: 0) }
            let new = try log("2-3-removed", [4])
            try await transport.write(new, [4])
            check(try await transport.read(new, from: 0) == [4], "An entry that was removed and written again is wrong")
            check(
                try await list(after: cursor).entries.contains(new),
                "An entry that was removed and written again is not listed after a cursor")
        }

        func removeAll() async throws {
            for group in [group, otherGroup] {
                let all = try await transport.list(group, after: nil).entries
                for entry in all { try await transport.remove(entry) }
                let left = try await transport.list(group, after: nil).entries
                // A service can receive a write that was cancelled as late as this.
                for entry in left where entry.path.hasSuffix("-cancelled") { try await transport.remove(entry) }
                check(
                    left.allSatisfy { $0.path.hasSuffix("-cancelled") && !all.contains($0) },
                    "Removed entries are listed")
            }
        }
    }
#endif

#if Sync
    import PersistentSync
    import TestSupport
    import Testing

    /// Checks what `SyncTransport` requires of an implementation, on one that is empty.
    func checkTransport(
        _ transport: some SyncTransport, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        func check(_ condition: Bool, _ comment: Comment) {
            #expect(condition, comment, sourceLocation: sourceLocation)
        }
        func entry(_ kind: SyncEntry.Kind, _ name: String, _ bytes: [UInt8], group: UInt128 = 1) throws -> SyncEntry {
            try #require(SyncEntry(GroupID(group), kind, name: name, size: bytes.count))
        }
        func list(_ group: UInt128, after cursor: String? = nil) async throws -> SyncListing {
            try await transport.list(GroupID(group), after: cursor)
        }
        let bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let kinds: [SyncEntry.Kind] = [.log(DeviceID(1)), .log(DeviceID(.max)), .members, .snapshots, .blobs]
        check(try await list(1).entries.isEmpty, "an empty transport lists entries")
        try await transport.remove(entry(.members, "none", [1]))
        await #expect(throws: SyncError.self, sourceLocation: sourceLocation) {
            try await transport.read(entry(.members, "none", [1]), from: 0)
        }

        // Each kind, two groups, and sizes of a byte and more.
        var written: Set<SyncEntry> = []
        for (index, kind) in kinds.enumerated() {
            let content = index == 0 ? [9] : Array(bytes.prefix(index * 17_000))
            let new = try entry(kind, "1-\(index)-0a1b2c3d", content)
            try await transport.write(new, content)
            written.insert(new)
            check(try await transport.read(new, from: 0) == content, "an entry is read with other bytes")
            check(try await transport.read(new, from: content.count - 1) == content.suffix(1), "an offset is ignored")
            check(try await transport.read(new, from: content.count).isEmpty, "bytes are read beyond the end")
        }
        let other = try entry(.members, "other", [1, 2], group: 2)
        try await transport.write(other, [1, 2])
        let first = try await list(1)
        check(Set(first.entries) == written, "a group lists other entries than it has")
        check(try await list(2).entries == [other], "a group lists the entries of another group")
        check(try await list(3).entries.isEmpty, "a group that no device wrote to lists entries")

        // What is written after a cursor is listed.
        let late = try entry(.log(DeviceID(1)), "2-3-ffffffff", [3])
        try await transport.write(late, [3])
        let second = try await list(1, after: first.cursor)
        check(second.entries.contains(late), "an entry that was written after a cursor is not listed")
        check(Set(second.entries).isSubset(of: written.union([late])), "other entries are listed after a cursor")

        // Never replaced.
        try await transport.write(late, [3])
        let replaced = await #expect(throws: SyncError.self, sourceLocation: sourceLocation) {
            try await transport.write(try entry(.log(DeviceID(1)), "2-3-ffffffff", [4]), [4])
        }
        check(replaced?.code == .clonedDevice, "the error for other bytes has another code")
        check(try await transport.read(late, from: 0) == [3], "an entry was replaced")
        check(try await list(1).entries.filter { $0.name == late.name }.count == 1, "an entry is listed twice")

        // Many devices write at once, also the same entry.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<20 {
                let entry = try entry(.blobs, "blob\(index / 2)", bytes)
                group.addTask { try await transport.write(entry, bytes) }
            }
            try await group.waitForAll()
        }
        check(try await list(1).entries.count == 16, "entries that were written at once are missing")
        for index in 0..<10 {
            let blob = try entry(.blobs, "blob\(index)", bytes)
            check(try await transport.read(blob, from: 0) == bytes, "an entry that was written twice has other bytes")
        }

        try await transport.remove(late)
        try await transport.remove(late)
        check(try await !list(1).entries.contains(late), "a removed entry is listed")
        await #expect(throws: SyncError.self, sourceLocation: sourceLocation) {
            try await transport.read(late, from: 0)
        }
    }
#endif

#if Sync
    import Foundation
    import Synchronization
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// Objects that are too large for one file are sent in pieces.
    @Suite struct LargeObjectTests {
        private let large = LargeWorld.bytes(12_000)

        @Test func `a large object arrives between small ones, whose batches keep their format`() async throws {
            let made = try await LargeWorld()
            let (world, pair) = (made.world, made.pair)
            pair.ann.insert(first, 1, in: pair.group)
            let photo = ObjectKey("parent", .text("photo"))
            pair.ann.insert(photo, large, in: pair.group)
            pair.ann.insert(second, 2, in: pair.group)
            expect(try await pair.annDevice.meet().sentObjects, 3)
            // 12,000 bytes and at most 12 percent of padding.
            #expect((12...14).contains(try made.pieces().count))
            let formats = try world.files("/log/").filter { !$0.path.contains("-p-") }.map {
                try Data(contentsOf: $0)[4]
            }
            expect(formats.filter { $0 == 2 }.count, 1)
            #expect(formats.count > 1)
            try await world.meet(pair.bobDevice)
            expect(pair.bob.value("b", of: photo), large)
            expect([first, second].map { pair.bob.value(of: $0) }, [1, 2])
            // Nothing is sent again.
            expect(try await pair.annDevice.meet().sentObjects, 0)
            pair.bob.set(3, of: photo)
            try await world.meet(pair.bobDevice, pair.annDevice)
            expect(pair.ann.value(of: photo), 3)
        }

        @Test func `large strings, collections and many elements arrive`() async throws {
            let made = try await LargeWorld()
            let pair = made.pair
            pair.ann.insert(first, .text(Text(String(repeating: "ä", count: 4_000))), in: pair.group)
            pair.ann.insert(second, 2, in: pair.group)
            var random = SeededGenerator(seed: 3)
            for number in 0..<5 {
                let value = LargeWorld.bytes(2_000, seed: UInt64(number))
                _ = pair.ann.content.insertElement(value, at: number, in: "list", of: second, using: &random)
            }
            pair.ann.content.setValue(LargeWorld.bytes(3_000, seed: 9), for: .text("k"), in: "map", of: second)
            try await made.world.meet(pair.annDevice, pair.bobDevice)
            for key in [first, second] { expect(pair.bob.content.objects[key], pair.ann.content.objects[key]) }
        }

        @Test func `a batch whose piece has not arrived waits, and is applied when it arrives`() async throws {
            let made = try await LargeWorld()
            let (world, pair) = (made.world, made.pair)
            let cid = try await made.device(3, "Cid")
            try await world.meet(pair.bobDevice)
            pair.ann.insert(first, large, in: pair.group)
            pair.ann.insert(second, 2, in: pair.group)
            try await world.meet(pair.annDevice)
            let third = ObjectKey("parent", .text("third"))
            cid.store.insert(third, 3, in: pair.group)
            let away = world.root.appendingPathComponent("away")
            let piece = try #require(try made.pieces().last)
            try FileManager.default.moveItem(at: piece, to: away)
            _ = try await cid.device.meet()
            let report = try await pair.bobDevice.meet()
            expect(report.problems.map(\.error.code), [.notReachable])
            expect(report.problems.map(\.name), ["Ann"])
            expect([first, second, third].map { pair.bob.value(of: $0) }, [nil, nil, 3])
            try FileManager.default.moveItem(at: away, to: piece)
            try await world.meet(pair.bobDevice)
            expect(pair.bob.value("b", of: first), large)
            expect(pair.bob.value(of: second), 2)
        }

        @Test(arguments: [0, 1, 2])
        func `a piece that was changed, cut or exchanged is noticed`(_ kind: Int) async throws {
            let made = try await LargeWorld()
            let (world, pair) = (made.world, made.pair)
            pair.ann.insert(first, large, in: pair.group)
            try await world.meet(pair.annDevice)
            let pieces = try made.pieces()
            let original = try Data(contentsOf: pieces[1])
            var changed = original
            switch kind {
            case 0: changed[500] ^= 1
            case 1: changed = changed.prefix(999)
            default: changed = try Data(contentsOf: pieces[2])
            }
            try changed.write(to: pieces[1])
            let report = try await pair.bobDevice.meet()
            expect(report.problems.map(\.error.code), [.damagedBatch])
            expect(pair.bob.value(of: first), nil)
            try original.write(to: pieces[1])
            try await world.meet(pair.bobDevice)
            expect(pair.bob.value("b", of: first), large)
        }

        @Test func `an interrupted round continues after the pieces that it wrote, whatever happened meanwhile`()
            async throws
        {
            // The number of writes: pieces, the batch, and the batch that a later edit needs.
            for writes in 0..<16 {
                let made = try await LargeWorld()
                let (world, pair) = (made.world, made.pair)
                let folder = WatchedFolder(FolderTransport(world.folder.path))
                let device = world.device(pair.ann, "Ann", through: folder)
                pair.ann.insert(first, large, in: pair.group)
                folder.remaining.withLock { $0 = writes }
                _ = try await device.meet()
                // Another member's batch and another edit change the numbers and the receipt.
                pair.bob.insert(second, 2, in: pair.group)
                try await world.meet(pair.bobDevice)
                folder.remaining.withLock { $0 = nil }
                expect(try await device.meet().problems, [])
                try await world.meet(pair.bobDevice, device)
                expect(pair.bob.value("b", of: first), large, "after \(writes) writes")
                let pieces = folder.written.all.filter { $0.contains("-p-") }
                expect(pieces.count, Set(pieces).count, "after \(writes) writes")
                let log = "log/\(HexName.text(pair.ann.device.number))/"
                expect(try made.pieces().filter { $0.path.contains(log) }.count, pieces.count)
            }
        }

        @Test func `a download continues after the pieces that arrived`() async throws {
            let made = try await LargeWorld()
            let (world, pair) = (made.world, made.pair)
            let folder = WatchedFolder(FolderTransport(world.folder.path))
            let device = world.device(pair.bob, "Bob", through: folder)
            pair.ann.insert(first, large, in: pair.group)
            try await world.meet(pair.annDevice)
            _ = try await device.meet()
            pair.ann.set(LargeWorld.bytes(12_000, seed: 2), of: first)
            try await world.meet(pair.annDevice)
            _ = folder.read.take()
            folder.readable.withLock { $0 = 8 }
            expect(try await device.meet().problems.map(\.error.code), [.notReachable])
            expect(try await device.meet().problems, [])
            let pieces = folder.read.all.filter { $0.contains("-p-") }
            #expect(pieces.count >= 12)
            expect(pieces.count, Set(pieces).count)
            expect(pair.bob.value("b", of: first), LargeWorld.bytes(12_000, seed: 2))
        }

        @Test func `the pieces of a batch that another member has passed on are not read`() async throws {
            let made = try await LargeWorld()
            let (world, pair) = (made.world, made.pair)
            let cid = try await made.device(3, "Cid")
            try await world.meet(pair.annDevice, pair.bobDevice)
            let folder = WatchedFolder(FolderTransport(world.folder.path))
            let device = world.device(cid.store, "Cid", through: folder)
            pair.ann.insert(first, large, in: pair.group)
            // Bob passes the object on, and Ann's next batch acknowledges that.
            try await world.meet(pair.annDevice, pair.bobDevice, pair.annDevice)
            try await world.meet(device)
            let read = folder.read.all.filter { $0.contains("-p-") }
            let log = "log/\(HexName.text(pair.ann.device.number))/"
            #expect(read.count > 11 && read.allSatisfy { $0.contains(log) }, "\(read)")
            #expect(try made.pieces().count > read.count)
            for store in [pair.ann, pair.bob, cid.store] { expect(store.value("b", of: first), large) }
            // Later batches of both are applied.
            pair.bob.set(3, of: first)
            try await world.meet(pair.bobDevice, device)
            expect(cid.store.value(of: first), 3)
        }

        @Test func `cancellation takes effect between two pieces`() async throws {
            let made = try await LargeWorld()
            let (world, pair) = (made.world, made.pair)
            let folder = WatchedFolder(FolderTransport(world.folder.path))
            let device = world.device(pair.ann, "Ann", through: folder)
            pair.ann.insert(first, large, in: pair.group)
            let round = Task {
                folder.afterWrite.withLock { $0 = [{ _ in withUnsafeCurrentTask { $0?.cancel() } }] }
                return try await device.meet()
            }
            await #expect(throws: CancellationError.self) { try await round.value }
            expect(folder.written.all.count, 1)
        }

        @Test func `the pieces of an interrupted round are removed when the value becomes smaller`() async throws {
            let made = try await LargeWorld()
            let folder = WatchedFolder(FolderTransport(made.world.folder.path))
            let device = made.world.device(made.pair.ann, "Ann", through: folder)
            made.pair.ann.insert(first, large, in: made.pair.group)
            folder.remaining.withLock { $0 = 5 }
            _ = try await device.meet()
            expect(try made.pieces().count, 5)
            made.pair.ann.set(.integer(1), of: first)
            // They are removed before anything is written, because the space may be used up.
            folder.remaining.withLock { $0 = 0 }
            _ = try await device.meet()
            expect(try made.pieces().count, 0)
            try await made.world.meet(device, made.pair.bobDevice)
            expect(made.pair.bob.value("b", of: first), .integer(1))
        }

        @Test func `the objects after a large one are sent in few batches`() async throws {
            let made = try await LargeWorld()
            let pair = made.pair
            pair.ann.insert(first, large, in: pair.group)
            for number in 0..<100 {
                pair.ann.insert(ObjectKey("parent", .text(Text("\(number)"))), 1, in: pair.group)
            }
            let report = try await pair.annDevice.meet()
            expect(report.sentObjects, 101)
            #expect(report.sentBatches < 15, "\(report.sentBatches) batches")
            try await made.world.meet(pair.bobDevice)
            expect(pair.bob.content.objects.count, 101)
        }

        @Test func `pieces are removed with their batch, and those of an interrupted round that were not used`()
            async throws
        {
            let made = try await LargeWorld(threshold: 8_000)
            let (world, pair) = (made.world, made.pair)
            let folder = WatchedFolder(FolderTransport(world.folder.path))
            let device = world.device(pair.ann, "Ann", through: folder)
            pair.ann.insert(first, large, in: pair.group)
            folder.remaining.withLock { $0 = 5 }
            _ = try await device.meet()
            expect(try made.pieces().count, 5)
            // Another value, so the pieces of the first one are not used.
            pair.ann.set(LargeWorld.bytes(12_000, seed: 2), of: first)
            try await world.meet(device, pair.bobDevice, device)
            for number in 0..<20 {
                pair.ann.set(LargeWorld.bytes(12_000, seed: UInt64(number)), of: first)
                try await world.meet(device, pair.bobDevice, device, pair.bobDevice)
            }
            pair.ann.set(.integer(1), of: first)
            for _ in 0..<3 {
                pair.ann.set(Int64(1), of: first)
                try await world.meet(device, pair.bobDevice, device, pair.bobDevice)
            }
            // Both members passed the object on: 40 batches of more than 12,000 bytes were written.
            #expect(folder.written.all.count > 240)
            #expect(try made.size("") < 60_000)
            // A snapshot without the value replaces the rest.
            for number in 0..<40 {
                pair.ann.set(Int64(number), of: first)
                try await world.meet(device, pair.bobDevice)
            }
            expect(try made.pieces().count, 0)
            #expect(try made.size("") < 40_000)
        }

        @Test func `a device joins from a snapshot with large objects`() async throws {
            let made = try await LargeWorld(threshold: 3_000)
            let (world, pair) = (made.world, made.pair)
            pair.ann.insert(first, 1, in: pair.group)
            let photos = (0..<3).map { ObjectKey("parent", .text(Text("photo \($0)"))) }
            for (index, photo) in photos.enumerated() {
                pair.ann.insert(photo, LargeWorld.bytes(12_000, seed: UInt64(index)), in: pair.group)
            }
            for number in 0..<10 {
                pair.ann.set(Int64(number), of: first)
                try await world.meet(pair.annDevice, pair.bobDevice)
            }
            expect(try world.files("/snapshots/s-").count, 1)
            #expect(try world.files("/snapshots/p-").count > 36)
            #expect(try made.pieces().count < 2 * 3 * 14, "Logs that the snapshot replaces are removed.")
            let cid = try await made.device(3, "Cid")
            for (index, photo) in photos.enumerated() {
                expect(cid.store.value("b", of: photo), LargeWorld.bytes(12_000, seed: UInt64(index)))
            }
            expect(cid.store.value(of: first), 9)
        }
    }
#endif

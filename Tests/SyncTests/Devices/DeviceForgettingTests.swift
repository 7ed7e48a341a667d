#if Sync
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// Logs that all members have are removed, and a snapshot takes their place.
    @Suite struct DeviceForgettingTests {
        private static let day: UInt64 = 86_400_000

        /// Writes the object again and again, so that the logs would grow.
        private func edit(_ world: DeviceWorld, _ pair: Pair, _ count: Int) async throws {
            for number in 0..<count {
                pair.ann.set(Int64(number), of: first)
                try await world.meet(pair.annDevice, pair.bobDevice)
            }
        }

        private func bytes(_ world: DeviceWorld) throws -> Int {
            try world.files("").reduce(0) {
                $0 + (try $1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0)
            }
        }

        @Test func `logs that all members have are removed, and a new device starts from a snapshot`()
            async throws
        {
            let world = try DeviceWorld()
            world.snapshotThreshold = 3_000
            let pair = try await world.pair()
            pair.ann.insert(first, 1, in: pair.group)
            pair.ann.insert(second, 2, in: pair.group)
            try await edit(world, pair, 10)
            pair.bob.delete(second)
            try await edit(world, pair, 40)
            #expect(try bytes(world) < 15_000)
            #expect(try world.files("/log/").count < 20)
            expect(try world.files("/snapshots/s-").count, 1)
            let cid = world.device(3, "Cid")
            try await world.admit(cid.device, by: pair.annDevice, to: pair.group)
            expect([cid.store.value(of: first), cid.store.value(of: second)], [39, nil])
            cid.store.set(100, of: first)
            try await world.meet(cid.device, pair.annDevice, pair.bobDevice)
            expect([pair.ann.value(of: first), pair.bob.value(of: first)], [100, 100])
            // The new member's acknowledgements count.
            for number in 0..<30 {
                pair.ann.set(Int64(number), of: first)
                try await world.meet(pair.annDevice, pair.bobDevice, cid.device)
            }
            #expect(try bytes(world) < 20_000)
            for store in [pair.ann, pair.bob, cid.store] { expect(store.value(of: first), 29) }
        }

        @Test func `a device joins when all parts of a snapshot have arrived`() async throws {
            let world = try DeviceWorld()
            world.snapshotThreshold = 3_000
            let pair = try await world.pair()
            pair.ann.insert(first, 1, in: pair.group)
            try await edit(world, pair, 40)
            let part = try #require(try world.files("/snapshots/p-").first)
            let away = world.root.appendingPathComponent("away")
            try FileManager.default.moveItem(at: part, to: away)
            let cid = world.device(3, "Cid")
            let code = try await pair.annDevice.invite(to: pair.group, milliseconds: 86_400_000, uses: 1)
            let error = await #expect(throws: SyncError.self) { try await cid.device.join(code) }
            expect(error?.code, .notReachable)
            expect(try cid.device.currentState().groups.count, 0)
            try FileManager.default.moveItem(at: away, to: part)
            _ = try await cid.device.join(code)
            expect(cid.store.value(of: first), 39)
        }

        @Test func `a device that joins again continues its log, of which files were removed`() async throws {
            let world = try DeviceWorld()
            world.snapshotThreshold = 3_000
            let pair = try await world.pair()
            pair.ann.insert(first, 1, in: pair.group)
            for number in 0..<30 {
                pair.bob.set(Int64(number), of: first)
                try await edit(world, pair, 1)
            }
            try await world.meet(pair.annDevice, pair.bobDevice)
            try await pair.bobDevice.leave(pair.group, droppingUnsent: false)
            for number in 0..<40 {
                pair.ann.set(Int64(number), of: first)
                try await world.meet(pair.annDevice)
            }
            try await world.admit(pair.bobDevice, by: pair.annDevice, to: pair.group)
            pair.bob.set(70, of: first)
            try await world.meet(pair.bobDevice, pair.annDevice)
            expect([pair.ann.value(of: first), pair.bob.value(of: first)], [70, 70])
        }

        @Test func `nothing remains of objects whose deletion all members know`() async throws {
            let world = try DeviceWorld()
            world.snapshotThreshold = 20_000
            let pair = try await world.pair()
            let keys = (0..<500).map { ObjectKey("parent", .text(Text("\($0)"))) }
            for key in keys { pair.ann.insert(key, 1, in: pair.group) }
            try await world.meet(pair.annDevice, pair.bobDevice)
            for key in keys { pair.bob.delete(key) }
            pair.ann.insert(first, 1, in: pair.group)
            for _ in 0..<3 { try await world.meet(pair.bobDevice, pair.annDevice) }
            try await edit(world, pair, 60)
            for store in [pair.ann, pair.bob] { expect(Array(store.content.objects.keys), [first]) }
            #expect(try bytes(world) < 40_000)
        }

        @Test
        func `a member that is silent for 180 days is retired, and returns with its unsent edits`()
            async throws
        {
            let world = try DeviceWorld()
            world.snapshotThreshold = 3_000
            let pair = try await world.pair()
            let cid = world.device(3, "Cid")
            try await world.admit(cid.device, by: pair.annDevice, to: pair.group)
            pair.ann.insert(first, 1, in: pair.group)
            pair.ann.insert(second, 1, in: pair.group)
            for _ in 0..<2 { try await world.meet(pair.annDevice, pair.bobDevice, cid.device) }
            let former = cid.store.device
            cid.store.set(50, of: second)
            let third = ObjectKey("parent", .text("third"))
            cid.store.insert(third, 3, in: pair.group)
            try await edit(world, pair, 30)
            pair.bob.delete(first)
            try await world.meet(pair.bobDevice, pair.annDevice, pair.bobDevice)
            #expect(pair.ann.content.objects[first] != nil, "The deletion is kept for the silent member.")
            world.advance(181 * Self.day)
            for _ in 0..<3 { try await world.meet(pair.annDevice, pair.bobDevice) }
            pair.ann.set(2, of: second)
            for _ in 0..<30 {
                pair.ann.set(2, of: second)
                try await world.meet(pair.annDevice, pair.bobDevice)
            }
            expect(pair.ann.content.objects[first], nil)
            #expect(try bytes(world) < 20_000)
            for _ in 0..<3 { try await world.meet(cid.device, pair.annDevice, pair.bobDevice) }
            #expect(cid.store.device != former)
            for store in [pair.ann, pair.bob, cid.store] {
                expect([store.value(of: first), store.value(of: third)], [nil, 3])
                expect(store.value(of: second), pair.ann.value(of: second))
            }
            expect(
                try await pair.annDevice.members(of: pair.group).all.map(\.device),
                [
                    pair.ann.device, pair.bob.device, cid.store.device,
                ])
        }

        @Test func `members that have nothing to say are not retired`() async throws {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            pair.ann.insert(first, 1, in: pair.group)
            for _ in 0..<3 { try await world.meet(pair.annDevice, pair.bobDevice) }
            for _ in 0..<4 {
                world.advance(100 * Self.day)
                try await world.meet(pair.annDevice, pair.bobDevice)
            }
            expect([pair.ann.content.retired, pair.bob.content.retired], [[], []])
            pair.bob.set(2, of: first)
            try await world.meet(pair.bobDevice, pair.annDevice)
            expect(pair.ann.value(of: first), 2)
        }

        @Test func `a device restored with its state notices it although its log was removed`()
            async throws
        {
            let world = try DeviceWorld()
            world.snapshotThreshold = 3_000
            let pair = try await world.pair()
            let (ann, bob) = (pair.ann, pair.bob)
            ann.insert(first, 1, in: pair.group)
            try await world.meet(pair.annDevice, pair.bobDevice, pair.annDevice)
            let (backup, saved) = (ann.copy(), world.root.appendingPathComponent("saved"))
            try FileManager.default.copyItem(at: world.stateFolder("Ann"), to: saved)
            try await edit(world, pair, 40)
            ann.restore(backup)
            try FileManager.default.removeItem(at: world.stateFolder("Ann"))
            try FileManager.default.moveItem(at: saved, to: world.stateFolder("Ann"))
            let former = ann.device
            ann.insert(second, 7, in: pair.group)
            for _ in 0..<2 { try await world.meet(pair.annDevice, bobDevice(pair)) }
            #expect(ann.device != former)
            for store in [ann, bob] {
                expect([store.value(of: first), store.value(of: second)], [39, 7])
            }
        }

        private func bobDevice(_ pair: Pair) -> SyncDevice { pair.bobDevice }

        @Test func `a snapshot of a removed member is replaced, and an incomplete one is removed`()
            async throws
        {
            let world = try DeviceWorld()
            world.snapshotThreshold = 3_000
            let pair = try await world.pair()
            pair.ann.insert(first, 1, in: pair.group)
            try await edit(world, pair, 40)
            let parts = try world.files("/snapshots/p-")
            let orphan = try #require(parts.first)
            let name = orphan.lastPathComponent.split(separator: "-")
            let copy = orphan.deletingLastPathComponent()
                .appendingPathComponent("p-\(name[1])-\(String(repeating: "0", count: 32))-0.posb")
            try FileManager.default.copyItem(at: orphan, to: copy)
            try await edit(world, pair, 5)
            #expect(!FileManager.default.fileExists(atPath: copy.path))
            let members = try await pair.annDevice.members(of: pair.group).all
            let bob = try #require(members.first { $0.name == "Bob" })
            try await pair.annDevice.remove([bob.signing], from: pair.group)
            for _ in 0..<3 { try await world.meet(pair.annDevice) }
            let cid = world.device(3, "Cid")
            try await world.admit(cid.device, by: pair.annDevice, to: pair.group)
            expect(cid.store.value(of: first), 4)
        }
    }
#endif

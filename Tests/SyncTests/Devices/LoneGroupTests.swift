#if Sync
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// A group whose only member is also in another group, in which it receives batches.
    @Suite struct LoneGroupTests {
        /// Receiving is what makes a device forget deletions that all members know.
        private func receive(_ key: String, _ pair: Pair, _ world: DeviceWorld) async throws {
            pair.bob.insert(ObjectKey("parent", .text(Text(key))), 5, in: pair.group)
            try await world.meet(pair.bobDevice, pair.annDevice)
        }

        @Test func `a deletion in a group without other members reaches a device that joins`() async throws {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            let alone = try await pair.annDevice.makeGroup("Alone")
            for key in [first, second] { pair.ann.insert(key, 1, in: alone) }
            try await world.meet(pair.annDevice, pair.bobDevice)
            pair.ann.delete(first)
            try await receive("third", pair, world)
            let cid = world.device(3, "Cid")
            try await world.admit(cid.device, by: pair.annDevice, to: alone)
            expect([cid.store.value(of: first), cid.store.value(of: second)], [nil, 1])
            expect(cid.store.device, DeviceID(3))
        }

        @Test func `a deletion is forgotten when the log contains it, and the next round writes nothing`() async throws
        {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            let alone = try await pair.annDevice.makeGroup("Alone")
            pair.ann.insert(first, 1, in: alone)
            try await world.meet(pair.annDevice, pair.bobDevice)
            pair.ann.delete(first)
            for key in ["third", "fourth", "fifth"] { try await receive(key, pair, world) }
            expect(pair.ann.content.objects[first], nil)
            try await world.meet(pair.bobDevice, pair.annDevice, pair.annDevice)
            let writes = pair.ann.writes
            try await world.meet(pair.annDevice)
            expect(pair.ann.writes, writes)
        }
    }
#endif

#if Sync
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// What kills in the middle of rounds leave, and batches that the limits of their readers divide.
    @Suite struct DeviceCrashTests {
        /// Replaces the state of a device, as a kill would leave it.
        private func change(
            _ device: SyncDevice, _ world: DeviceWorld, _ name: String,
            _ body: (inout DeviceState) -> Void
        )
            throws
        {
            var state = try device.currentState()
            body(&state)
            try StateFile(state.device, in: world.stateFolder(name)).write(state)
        }

        @Test func `two kills while a round ends do not make a device a new one`() async throws {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            let (ann, device) = (pair.ann, pair.ann.device)
            // The first kill: the new token is in the file, and the state names both.
            let token = RoundToken(1, at: ann.number)
            try ann.setToken(token)
            try change(pair.annDevice, world, "Ann") { $0.nextToken = token }
            // The second one: the state names the next token, which is not in the file.
            ann.insert(first, 1, in: pair.group)
            ann.failsToSetToken = true
            _ = try? await pair.annDevice.meet()
            ann.failsToSetToken = false
            try await world.meet(pair.annDevice, pair.bobDevice)
            expect(ann.device, device)
            expect(pair.bob.value(of: first), 1)
        }

        @Test func `a kill after the record of an invitation was written leaves no problem`()
            async throws
        {
            let world = try DeviceWorld()
            let (ann, bob) = (world.device(1, "Ann"), world.device(2, "Bob"))
            let group = try await ann.device.makeGroup("Family")
            let code = try await ann.device.invite(to: group, milliseconds: 1000_000, uses: 1)
            try change(ann.device, world, "Ann") { $0[group]?.issued[0].epoch = nil }
            try await world.meet(ann.device)
            _ = try await bob.device.join(code)
            try await world.meet(ann.device, bob.device, ann.device)
            expect(try await ann.device.members(of: group).all.map(\.name), ["Ann", "Bob"])
            expect(try world.files("members/i-").count, 0)
        }

        @Test func `a kill before the objects of a joined group were stored loses none of them`()
            async throws
        {
            let world = try DeviceWorld()
            let (ann, bob) = (world.device(1, "Ann"), world.device(2, "Bob"))
            let group = try await ann.device.makeGroup("Family")
            ann.store.insert(first, 1, in: group)
            try await world.meet(ann.device)
            let code = try await ann.device.invite(to: group, milliseconds: 1000_000, uses: 1)
            bob.store.failsToJoin = true
            _ = try? await bob.device.join(code)
            bob.store.failsToJoin = false
            try await world.meet(bob.device, ann.device, bob.device)
            expect(bob.store.value(of: first), 1)
            expect(try await ann.device.members(of: group).all.map(\.name), ["Ann", "Bob"])
        }

        @Test
        func `an object is sent although thousands of objects of other groups were changed before it`()
            async throws
        {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            for number in 0..<4100 {
                pair.ann.insert(ObjectKey("parent", .text(Text("\(number)"))), 1, in: MemoryStore.own)
            }
            pair.ann.insert(first, 1, in: pair.group)
            try await world.meet(pair.annDevice, pair.bobDevice)
            expect(pair.bob.value(of: first), 1)
            expect(pair.bob.content.objects.count, 1)
        }

        @Test func `batches are divided until their readers have the memory for them`() async throws {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            // The limit of 24 MiB counts 320 bytes for each element, which has three bytes in the batch.
            let set = Dictionary(uniqueKeysWithValues: (0..<40_000).map { (SyncValue.integer($0), Int64(1)) })
            for key in [first, second] { pair.ann.insert(key, set: set, in: pair.group) }
            let report = try await pair.annDevice.meet()
            expect([report.sentBatches, report.sentObjects], [2, 2])
            try await world.meet(pair.bobDevice)
            expect([first, second].map { pair.bob.content.objects[$0]?.sets["c"]?.count }, [40_000, 40_000])
        }
    }
#endif

#if Sync
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// A device that joins and is admitted late: meanwhile the members do not await it before they forget deletions.
    @Suite struct LateAdmissionTests {
        private typealias Two = Members<StandardRules>
        private let third = ObjectKey("parent", .text("third"))

        /// Two members, and a device that has joined, but whose request the inviting member has not seen.
        private struct Waiting {
            let world: DeviceWorld
            let pair: Pair
            /// The inviting member, which sees the request when it arrives.
            let ann: SyncDevice
            let folder: LateFolder
            let cid: (store: MemoryStore, device: SyncDevice)

            init(_ objects: [ObjectKey], threshold: Int) async throws {
                world = try DeviceWorld()
                world.snapshotThreshold = threshold
                pair = try await world.pair()
                for key in objects { pair.ann.insert(key, 1, in: pair.group) }
                try await world.meet(pair.annDevice, pair.bobDevice, pair.annDevice)
                folder = LateFolder(FolderTransport(world.folder.path), .hides)
                ann = world.device(pair.ann, "Ann", through: folder)
                cid = world.device(3, "Cid")
                let code = try await ann.invite(to: pair.group, milliseconds: 86_400_000, uses: 1)
                _ = try await cid.device.join(code)
                folder.withhold(try world.files("/members/j-"))
            }

            /// The members delete an object, and forget it.
            func forget(_ key: ObjectKey) async throws {
                pair.bob.delete(key)
                for number in 0..<20 {
                    pair.ann.set(Int64(number), of: second)
                    try await world.meet(pair.bobDevice, ann)
                }
                for store in [pair.ann, pair.bob] { expect(store.content.objects[key], nil) }
            }

            func admit() async throws {
                folder.withhold([])
                for _ in 0..<3 { try await world.meet(ann, pair.bobDevice, cid.device) }
                try await world.meet(ann, pair.bobDevice)
            }

            var stores: [MemoryStore] { [pair.ann, pair.bob, cid.store] }
        }

        @Test(arguments: [false, true], [3_000, 1_000_000])
        func `an edit before the admission does not bring back an object that the members forgot`(
            meetsMeanwhile: Bool, threshold: Int
        ) async throws {
            let waiting = try await Waiting([first, second], threshold: threshold)
            let cid = waiting.cid
            cid.store.set(50, of: first)
            cid.store.insert(third, 7, in: waiting.pair.group)
            try await waiting.world.meet(cid.device)
            try await waiting.forget(first)
            if meetsMeanwhile { try await waiting.world.meet(cid.device) }
            try await waiting.admit()
            for store in waiting.stores {
                expect([store.value(of: first), store.value(of: second), store.value(of: third)], [nil, 19, 7])
            }
            // The device is an ordinary member now, with the identity that asked again.
            cid.store.set(60, of: second)
            try await waiting.world.meet(cid.device, waiting.ann, waiting.pair.bobDevice)
            expect(waiting.stores.map { $0.value(of: second) }, [60, 60, 60])
            #expect(cid.store.device != DeviceID(3))
        }

        @Test func `an edit of a forgotten object is reported as lost`() async throws {
            let waiting = try await Waiting([first, second], threshold: 3_000)
            waiting.cid.store.set(50, of: first)
            try await waiting.forget(first)
            waiting.folder.withhold([])
            try await waiting.world.meet(waiting.ann)
            expect(try await waiting.cid.device.meet().lost, [first])
        }

        /// A member that joins after the deletion was forgotten has all numbers, and does not know of the deletion.
        @Test func `the log of a member that never had the object does not replace the deletion`() async throws {
            let waiting = try await Waiting([first, second], threshold: 3_000)
            waiting.cid.store.set(50, of: first)
            try await waiting.world.meet(waiting.cid.device)
            try await waiting.forget(first)
            let dan = waiting.world.device(4, "Dan")
            try await waiting.world.admit(dan.device, by: waiting.pair.bobDevice, to: waiting.pair.group)
            dan.store.set(70, of: second)
            try await waiting.world.meet(dan.device, waiting.cid.device)
            expect(waiting.cid.store.value(of: second), 70)
            try await waiting.admit()
            try await waiting.world.meet(dan.device)
            for store in waiting.stores + [dan.store] {
                expect([store.value(of: first), store.value(of: second)], [nil, 70])
            }
        }

        @Test func `an edit before the admission arrives with it, also if earlier deletions were forgotten`()
            async throws
        {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            for key in [first, second] { pair.ann.insert(key, 1, in: pair.group) }
            try await world.meet(pair.annDevice, pair.bobDevice, pair.annDevice)
            pair.ann.delete(first)
            for _ in 0..<3 { try await world.meet(pair.annDevice, pair.bobDevice) }
            expect(pair.ann.content.objects[first], nil)
            expect(pair.ann.progress(of: pair.group)?.forgotten ?? 0 > 0, true)
            let cid = world.device(3, "Cid")
            _ = try await cid.device.join(
                try await pair.annDevice.invite(to: pair.group, milliseconds: 86_400_000, uses: 1))
            cid.store.set(50, of: second)
            pair.ann.insert(third, 7, in: pair.group)
            try await world.meet(cid.device, pair.annDevice, cid.device)
            expect(pair.ann.value(of: second), 50)
            expect([cid.store.value(of: second), cid.store.value(of: third)], [50, 7])
            expect(cid.store.device, DeviceID(3))
        }

        @Test func `a member that was removed before it knew of its admission does not ask again`() async throws {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            let cid = world.device(3, "Cid")
            let code = try await pair.annDevice.invite(to: pair.group, milliseconds: 86_400_000, uses: 2)
            _ = try await cid.device.join(code)
            try await world.meet(pair.annDevice)
            let members = try await pair.annDevice.members(of: pair.group).all
            let key = try #require(members.first { $0.name == "Cid" }).signing
            try await pair.annDevice.remove([key], from: pair.group)
            for _ in 0..<2 { expect(try await cid.device.meet().problems.map(\.error.code), [.retired]) }
            expect(cid.store.device, DeviceID(3))
        }
    }
#endif

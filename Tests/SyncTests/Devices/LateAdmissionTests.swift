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
            // The device is an ordinary member now.
            cid.store.set(60, of: second)
            try await waiting.world.meet(cid.device, waiting.ann, waiting.pair.bobDevice)
            expect(waiting.stores.map { $0.value(of: second) }, [60, 60, 60])
            expect(cid.store.device, DeviceID(3))
        }

        @Test func `an edit of a forgotten object is reported as lost, and deletions are not`() async throws {
            let waiting = try await Waiting([first, second, third], threshold: 3_000)
            waiting.cid.store.set(50, of: first)
            waiting.cid.store.delete(third)
            waiting.pair.bob.delete(third)
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

        @Test func `a device that was admitted sends nothing before it has what the admitting member had`() async throws
        {
            let waiting = try await Waiting([first, second], threshold: 1_000_000)
            let (world, pair) = (waiting.world, waiting.pair)
            let late = LateFolder(FolderTransport(world.folder.path), .hides)
            let cid = world.device(waiting.cid.store, "Cid", through: late)
            let early = Set(try world.files("/log/"))
            waiting.cid.store.set(50, of: first)
            try await waiting.forget(first)
            waiting.folder.withhold([])
            try await world.meet(waiting.ann)
            // The record that admits the device arrives before the logs of both members.
            let rest = try world.files("/log/").filter { !early.contains($0) }
            #expect(rest.count > 20)
            late.withhold(rest)
            let before = try world.files("/log/").count
            for _ in 0..<2 {
                let report = try await cid.meet()
                expect(report.problems.map(\.error.code), [.notReachable])
                expect(report.sentBatches, 0)
            }
            expect(try world.files("/log/").count, before)
            // One of both logs is not enough.
            let own = HexName.text(pair.ann.device.number)
            late.withhold(rest.filter { !$0.path.contains("/log/\(own)/") })
            expect(try await cid.meet().problems.map(\.error.code), [.notReachable])
            late.withhold([])
            for _ in 0..<2 { try await world.meet(cid, waiting.ann, pair.bobDevice) }
            for store in waiting.stores { expect([store.value(of: first), store.value(of: second)], [nil, 19]) }
        }

        @Test func `objects that the device created or moved into the group stay when it takes the group again`() throws
        {
            var members = Two(groups: [[Two.one, Two.two], [Two.one]])
            let keys = ["theirs", "edited", "moved", "created", "again"].map { Two.key(Text($0)) }
            for key in keys.prefix(2) { members.insert(key, on: 0) }
            members.insert(keys[4], on: 0)
            let snapshot = try #require(members.devices[0].snapshot(of: Two.one))
            var joining = Replica<StandardRules>(DeviceID(9), classes: members.devices[0].classes)
            joining.now = 1_000_000
            joining.enter(Two.two)
            joining.join(snapshot)
            joining.insert(keys[2], ["a": .integer(1)], in: Two.two)
            joining.move(keys[2], to: Two.one)
            joining.insert(keys[3], ["a": .integer(1)], in: Two.one)
            joining.set("a", of: keys[1], to: .integer(5))
            var later = snapshot
            for key in keys.prefix(2) { later.objects[key] = nil }
            later.floor["parent"] = 8
            expect(joining.retake(later), [keys[1]])
            expect(Set(joining.objects.keys), Set(keys.dropFirst(2)))
            // Keys that may have been forgotten meanwhile begin a later life; an object of the snapshot goes on.
            expect(keys.dropFirst(2).map { joining.objects[$0]?.life }, [9, 9, 1])
            expect(joining.objects.keys.allSatisfy { joining.isHere($0) }, true)
        }
    }
#endif

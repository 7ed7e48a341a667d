#if Sync
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// Values with which an object would be too large wait, and nothing else does.
    @Suite struct TooLargeObjectTests {
        private let tooLarge = LargeWorld.bytes(30_000)

        @Test func `a value that is too large is reported by name, and everything else is sent`() async throws {
            let made = try await LargeWorld()
            let (world, pair) = (made.world, made.pair)
            pair.ann.insert(first, 1, in: pair.group)
            try await world.meet(pair.annDevice, pair.bobDevice)
            pair.ann.set(tooLarge, of: first)
            pair.ann.set(5, of: first)
            pair.ann.insert(second, 2, in: pair.group)
            for _ in 0..<2 {
                let problems = try await pair.annDevice.meet().problems
                expect(problems.map(\.error.code), [.quota])
                expect(problems.map(\.object), [first])
                expect(problems.map(\.group), [pair.group])
                let message = try #require(problems.first?.error.message)
                #expect(message.contains("b of an object of the class parent has 30000 bytes"), "\(message)")
                #expect(!message.contains("first"))
                try await world.meet(pair.bobDevice)
            }
            // The rest of the object, and later changes.
            expect([first, second].map { pair.bob.value(of: $0) }, [5, 2])
            expect(pair.bob.value("b", of: first), .integer(2))
            expect(try pair.annDevice.unsentCount(in: pair.group), 1)
            let error = await #expect(throws: SyncError.self) {
                try await pair.annDevice.leave(pair.group, droppingUnsent: false)
            }
            expect(error?.code, .unsentChanges)

            let smaller = LargeWorld.bytes(15_000)
            pair.ann.set(smaller, of: first)
            try await world.meet(pair.annDevice, pair.bobDevice, pair.annDevice)
            expect(pair.bob.value("b", of: first), smaller)
            expect(try pair.annDevice.unsentCount(in: pair.group), 0)
            expect(try pair.annDevice.currentState()[pair.group]?.withheld, nil)
        }

        @Test func `a new object arrives without the value, and is shown when it arrives`() async throws {
            let made = try await LargeWorld()
            let (world, pair) = (made.world, made.pair)
            pair.ann.insert(first, tooLarge, in: pair.group)
            _ = try await pair.annDevice.meet()
            try await world.meet(pair.bobDevice)
            expect(pair.bob.value("a", of: first), .integer(1))
            expect(pair.bob.content.presentation.waiting[first], .incomplete)
            pair.ann.set(.integer(7), of: first)
            try await world.meet(pair.annDevice, pair.bobDevice)
            expect(pair.bob.value("b", of: first), .integer(7))
            expect(pair.bob.value(of: first), 1)
        }

        @Test func `the largest values and collections are left out until the rest fits`() async throws {
            let made = try await LargeWorld()
            let (world, pair) = (made.world, made.pair)
            pair.ann.insert(first, LargeWorld.bytes(9_000), in: pair.group)
            pair.ann.set(LargeWorld.bytes(14_000, seed: 2), "c", of: first)
            pair.ann.content.setElement(LargeWorld.bytes(12_000, seed: 3), in: "tags", of: first, isPresent: true)
            let report = try await pair.annDevice.meet()
            let withheld = try #require(pair.annDevice.currentState()[pair.group]?.withheld)
            expect(withheld.map(\.name), ["c", "tags"])
            expect(withheld.map(\.size), [14_000, 12_000])
            expect(withheld.map(\.key), [first, first])
            expect(report.problems.count, 2)
            try await world.meet(pair.bobDevice)
            expect(pair.bob.value("b", of: first), LargeWorld.bytes(9_000))
            expect(pair.bob.value("c", of: first), nil)
            expect(pair.bob.content.objects[first]?.sets, [:])
        }

        @Test func `an object with a key that is too large is left out`() async throws {
            let made = try await LargeWorld()
            let (world, pair) = (made.world, made.pair)
            let key = ObjectKey("parent", .text(Text(String(repeating: "k", count: 21_000))))
            pair.ann.insert(key, 1, in: pair.group)
            pair.ann.insert(second, 2, in: pair.group)
            let problems = try await pair.annDevice.meet().problems
            expect(problems.map(\.object), [key, key, key])
            expect(problems.map(\.error.code), [.quota, .quota, .quota])
            try await world.meet(pair.bobDevice)
            expect(Array(pair.bob.content.objects.keys), [second])
        }

        @Test func `the deletion of an object with such a value arrives, and nothing is reported then`() async throws {
            let made = try await LargeWorld()
            let (world, pair) = (made.world, made.pair)
            pair.ann.insert(first, 1, in: pair.group)
            try await world.meet(pair.annDevice, pair.bobDevice)
            pair.ann.set(tooLarge, of: first)
            _ = try await pair.annDevice.meet()
            try await world.meet(pair.bobDevice)
            pair.ann.delete(first)
            try await world.meet(pair.annDevice, pair.bobDevice)
            expect(pair.bob.value(of: first), nil)
            expect(try pair.annDevice.unsentCount(in: pair.group), 1)
            try await world.meet(pair.annDevice, pair.bobDevice, pair.annDevice)
            for store in [pair.ann, pair.bob] { #expect(store.content.objects.isEmpty, "It is forgotten.") }
            expect(try pair.annDevice.unsentCount(in: pair.group), 0)
            expect(try pair.annDevice.currentState()[pair.group]?.withheld, nil)
        }

        /// Ann's object has values of Bob that Ann cannot pass on. Her receipt must not stop Cid from reading Bob's log.
        @Test func `a member that cannot pass on a value does not hide it from the others`() async throws {
            let made = try await LargeWorld()
            let (world, pair) = (made.world, made.pair)
            let cid = try await made.device(3, "Cid")
            pair.ann.insert(first, 1, in: pair.group)
            for _ in 0..<2 { try await world.meet(pair.annDevice, pair.bobDevice, cid.device) }
            pair.ann.set(LargeWorld.bytes(11_000), "c", of: first)
            pair.bob.set(LargeWorld.bytes(15_000, seed: 2), of: first)
            try await world.meet(pair.bobDevice)
            // Ann receives Bob's value, and leaves it out.
            expect(try await pair.annDevice.meet().problems.map(\.error.code), [.quota])
            // Cid sees Ann's log first.
            let away = world.root.appendingPathComponent("away")
            let log = world.folder.appendingPathComponent(
                "\(HexName.text(pair.group.number))/log/\(HexName.text(pair.bob.device.number))")
            try FileManager.default.moveItem(at: log, to: away)
            _ = try await cid.device.meet()
            expect(cid.store.value("c", of: first), LargeWorld.bytes(11_000))
            try FileManager.default.moveItem(at: away, to: log)
            _ = try await cid.device.meet()
            expect(cid.store.value("b", of: first), LargeWorld.bytes(15_000, seed: 2))
            // Ann acknowledges it all the same. Now Bob has both values, too.
            expect(try await pair.bobDevice.meet().problems.map(\.object), [first])
            expect(try pair.bobDevice.unsentCount(in: pair.group), 0)
        }

        @Test func `while a value waits its device writes no snapshot, and a later one contains the value`()
            async throws
        {
            let made = try await LargeWorld(threshold: 2_000)
            let (world, pair) = (made.world, made.pair)
            pair.ann.insert(first, tooLarge, in: pair.group)
            pair.ann.insert(second, 2, in: pair.group)
            for number in 0..<20 {
                pair.ann.set(Int64(number), of: second)
                expect(try await pair.annDevice.meet().problems.count, 1)
            }
            expect(try world.files("/snapshots/").count, 0)
            let value = LargeWorld.bytes(15_000)
            pair.ann.set(value, of: first)
            try await world.meet(pair.annDevice)
            expect(try world.files("/snapshots/s-").count, 1)
            let cid = try await made.device(3, "Cid")
            expect(cid.store.value("b", of: first), value)
        }

        @Test func `a restored file keeps the value`() async throws {
            let made = try await LargeWorld()
            let (world, pair) = (made.world, made.pair)
            pair.ann.insert(first, tooLarge, in: pair.group)
            _ = try await pair.annDevice.meet()
            let backup = pair.ann.copy()
            pair.ann.insert(second, 2, in: pair.group)
            _ = try await pair.annDevice.meet()
            try await world.meet(pair.bobDevice)
            let former = pair.ann.device
            pair.ann.restore(backup)
            expect(try await pair.annDevice.meet().problems.map(\.error.code), [.quota])
            #expect(pair.ann.device != former)
            expect(pair.ann.value("b", of: first), tooLarge)
            let value = LargeWorld.bytes(15_000)
            pair.ann.set(value, of: first)
            try await world.meet(pair.annDevice, pair.bobDevice)
            expect(pair.bob.value("b", of: first), value)
        }
    }
#endif

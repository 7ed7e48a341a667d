#if Sync
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// Devices that exchange batches over a folder: groups, invitations, members.
    @Suite struct DeviceTests {
        @Test func `an invited device has all objects at once, and its edits arrive after its admission`() async throws
        {
            let world = try DeviceWorld()
            let (ann, bob) = (world.device(1, "Ann"), world.device(2, "Bob"))
            let group = try await ann.device.makeGroup("Family")
            ann.store.insert(first, 1, in: group)
            try await world.meet(ann.device)
            let code = try await ann.device.invite(to: group, milliseconds: 1000_000, uses: 1)
            #expect(code.hasPrefix("PO1-") && code.count == 56)
            let joined = try await bob.device.join(code.lowercased())
            expect(joined.group, group)
            expect(bob.store.value(of: first), 1)
            bob.store.set(2, of: first)
            bob.store.insert(second, 3, in: group)
            try await world.meet(bob.device)
            expect(ann.store.value(of: first), 1)
            try await world.meet(ann.device, ann.device, bob.device, ann.device)
            expect([ann.store.value(of: first), ann.store.value(of: second)], [2, 3])
            expect(try await ann.device.members(of: group).all.map(\.name), ["Ann", "Bob"])
            expect(try await bob.device.members(of: group).all.map(\.name), ["Ann", "Bob"])
            try await world.meet(ann.device)
            expect(try world.files("members/i-").count + world.files("members/j-").count, 0)
        }

        @Test func `a round without changes writes nothing`() async throws {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            let (annDevice, bobDevice, group) = (pair.annDevice, pair.bobDevice, pair.group)
            let (ann, bob) = (pair.ann, pair.bob)
            ann.insert(first, 1, in: group)
            try await world.meet(annDevice, bobDevice, annDevice, bobDevice, annDevice, bobDevice)
            let files = try FileManager.default.subpathsOfDirectory(atPath: world.root.path)
            let state = try annDevice.currentState()
            let writes = (ann.writes, bob.writes)
            for _ in 0..<3 {
                let report = try await annDevice.meet()
                expect(report.sentBatches + report.receivedBatches, 0)
                _ = try await bobDevice.meet()
            }
            expect(try FileManager.default.subpathsOfDirectory(atPath: world.root.path), files)
            expect(try annDevice.currentState(), state)
            #expect(writes == (ann.writes, bob.writes))
        }

        @Test func `an invitation is used once, ends, and does not open another group`() async throws {
            let world = try DeviceWorld()
            let (ann, bob, cid) = (world.device(1, "Ann"), world.device(2, "Bob"), world.device(3, "Cid"))
            let group = try await ann.device.makeGroup("Family")
            let code = try await ann.device.invite(to: group, milliseconds: 1000_000, uses: 1)
            _ = try await bob.device.join(code)
            _ = try await cid.device.join(code)
            try await world.meet(ann.device)
            let names = try await ann.device.members(of: group).all.map(\.name)
            // The inviting device decides which of the two it admits.
            #expect(names == ["Ann", "Bob"] || names == ["Ann", "Cid"])
            let late = try await ann.device.invite(to: group, milliseconds: 5000, uses: 1)
            world.advance(6000)
            let dan = world.device(4, "Dan")
            for wrong in [late, "PO1-\(String(repeating: "0", count: 52))", "PO1-", "hello", String(late.dropLast())] {
                let error = await #expect(throws: SyncError.self) { try await dan.device.join(wrong) }
                expect(error?.code, .notAuthorised)
            }
            expect(dan.store.enteredGroups, [])
            try await world.meet(ann.device)
            expect(try world.files("members/i-").count, 1)  // of the first, until the requests are gone
        }

        @Test func `a removed device reads no later batch, learns of it, and can join again`() async throws {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            let (annDevice, bobDevice, group) = (pair.annDevice, pair.bobDevice, pair.group)
            let (ann, bob) = (pair.ann, pair.bob)
            let cid = world.device(3, "Cid")
            try await world.admit(cid.device, by: annDevice, to: group)
            try await world.meet(bobDevice)
            ann.insert(first, 1, in: group)
            try await world.meet(annDevice, bobDevice, cid.device)
            let members = try await annDevice.members(of: group).all
            let key = try #require(members.first { $0.name == "Bob" }).signing
            try await annDevice.remove([key], from: group)
            ann.set(2, of: first)
            try await world.meet(annDevice, cid.device)
            expect(cid.store.value(of: first), 2)
            bob.set(9, of: first)
            let report = try await bobDevice.meet()
            expect(report.problems.map(\.error.code), [.retired])
            expect(bob.value(of: first), 9)
            // Nor can it read what it did not read as a member.
            let newest = try #require(
                try world.files("log/\(String(repeating: "0", count: 31))1").max { $0.path < $1.path })
            let state = try #require(bobDevice.currentState()[group])
            let header = try SealedBatch.header(of: Array(Data(contentsOf: newest)))
            #expect(state.secrets[Int(header.epoch)] == nil)
            try await world.meet(annDevice, cid.device)
            expect([ann.value(of: first), cid.store.value(of: first)], [2, 2])

            try await bobDevice.leave(group, droppingUnsent: true)
            expect(bob.value(of: first), nil)
            try await world.admit(bobDevice, by: annDevice, to: group)
            expect(bob.value(of: first), 2)
            bob.set(5, of: first)
            try await world.meet(bobDevice, annDevice, cid.device)
            expect([ann.value(of: first), cid.store.value(of: first)], [5, 5])
        }

        @Test func `two members remove two others at once, and neither reads later batches`() async throws {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            let (annDevice, bobDevice, group) = (pair.annDevice, pair.bobDevice, pair.group)
            let others = [world.device(3, "Cid"), world.device(4, "Dan")]
            for other in others { try await world.admit(other.device, by: annDevice, to: group) }
            try await world.meet(bobDevice)
            let members = try await annDevice.members(of: group).all
            let keys = try ["Cid", "Dan"].map { name in try #require(members.first { $0.name == name }).signing }
            try await annDevice.remove([keys[0]], from: group)
            try FileManager.default.moveItem(at: world.folder, to: world.root.appendingPathComponent("aside"))
            // Bob does not see the first removal.
            try FileManager.default.copyItem(at: world.root.appendingPathComponent("aside"), to: world.folder)
            let latest = try #require(
                try world.files("members/m-").max { try date($0) < date($1) })
            let hidden = world.root.appendingPathComponent("hidden")
            try FileManager.default.moveItem(at: latest, to: hidden)
            try await bobDevice.remove([keys[1]], from: group)
            try FileManager.default.moveItem(at: hidden, to: latest)
            try await world.meet(annDevice, bobDevice, annDevice)
            expect(try await annDevice.members(of: group).all.map(\.name), ["Ann", "Bob"])
            expect(try await bobDevice.members(of: group).all.map(\.name), ["Ann", "Bob"])
            for other in others {
                expect(try await other.device.meet().problems.map(\.error.code), [.retired])
                let state = try #require(other.device.currentState()[group])
                var problems: [RoundProblem] = []
                let roster = try await other.device.roster(state, other.device.list(group), &problems)
                let present = try await annDevice.roster(
                    #require(annDevice.currentState()[group]), annDevice.list(group), &problems)
                #expect(roster.secrets[present.epoch] == nil)
            }
        }

        @Test func `a device that is admitted while another one is removed gets the new key`() async throws {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            let (cid, dan) = (world.device(3, "Cid"), world.device(4, "Dan"))
            try await world.admit(cid.device, by: pair.annDevice, to: pair.group)
            try await world.meet(pair.bobDevice)
            let members = try await pair.annDevice.members(of: pair.group).all
            let key = try #require(members.first { $0.name == "Cid" }).signing
            // Bob admits Dan, and Ann removes Cid, without knowing of each other.
            _ = try await dan.device.join(
                try await pair.bobDevice.invite(to: pair.group, milliseconds: 1_000_000, uses: 1))
            let before = Set(try world.files("members/m-"))
            try await world.meet(pair.bobDevice)
            let admission = try #require(Set(try world.files("members/m-")).subtracting(before).first)
            let hidden = world.root.appendingPathComponent("hidden")
            try FileManager.default.moveItem(at: admission, to: hidden)
            try await pair.annDevice.remove([key], from: pair.group)
            try FileManager.default.moveItem(at: hidden, to: admission)
            pair.ann.insert(first, 1, in: pair.group)
            try await world.meet(pair.annDevice, pair.bobDevice, pair.annDevice, dan.device)
            expect(dan.store.value(of: first), 1)
            dan.store.set(2, of: first)
            try await world.meet(dan.device, pair.annDevice, pair.bobDevice)
            expect([pair.ann.value(of: first), pair.bob.value(of: first)], [2, 2])
        }

        private func date(_ file: URL) throws -> Date {
            try #require(try file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate)
        }

        @Test func `leaving is refused while changes have not reached another member`() async throws {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            let (annDevice, bobDevice, group) = (pair.annDevice, pair.bobDevice, pair.group)
            let (ann, bob) = (pair.ann, pair.bob)
            ann.insert(first, 1, in: group)
            let error = await #expect(throws: SyncError.self) {
                try await annDevice.leave(group, droppingUnsent: false)
            }
            expect(error?.code, .unsentChanges)
            #expect(error?.message.contains("1 changed object") == true)
            expect(ann.value(of: first), 1)
            try await world.meet(bobDevice)
            try await annDevice.leave(group, droppingUnsent: false)
            expect([ann.value(of: first), bob.value(of: first)], [nil, 1])
            expect(ann.enteredGroups, [])
            try await world.meet(bobDevice)
            expect(try await bobDevice.members(of: group).all.map(\.name), ["Bob"])
            try await bobDevice.leave(group, droppingUnsent: true)
            expect(bob.value(of: first), nil)
        }
    }
#endif

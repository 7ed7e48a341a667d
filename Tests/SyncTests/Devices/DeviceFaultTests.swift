#if Sync
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// Files that were damaged, restored or copied, and rounds that were interrupted.
    @Suite struct DeviceFaultTests {
        @Test func `a restored file takes part as a new device, and keeps its unsent edits`() async throws {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            let (ann, bob, group) = (pair.ann, pair.bob, pair.group)
            ann.insert(first, 1, in: group)
            try await world.meet(pair.annDevice, pair.bobDevice, pair.annDevice)
            let backup = ann.copy()
            ann.set(2, of: first)
            try await world.meet(pair.annDevice, pair.bobDevice)
            ann.restore(backup)
            ann.insert(second, 5, in: group)
            let former = ann.device
            try await world.meet(pair.annDevice)
            #expect(ann.device != former)
            expect([ann.value(of: first), ann.value(of: second)], [2, 5])
            try await world.meet(pair.bobDevice, pair.annDevice, pair.bobDevice)
            expect([bob.value(of: first), bob.value(of: second)], [2, 5])
            expect(try await pair.bobDevice.members(of: group).all.map(\.device), [ann.device, bob.device])
            bob.set(7, of: second)
            try await world.meet(pair.bobDevice, pair.annDevice)
            expect(ann.value(of: second), 7)
        }

        @Test func `the state of a device may be restored with its file`() async throws {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            let (ann, bob, group) = (pair.ann, pair.bob, pair.group)
            ann.insert(first, 1, in: group)
            try await world.meet(pair.annDevice, pair.bobDevice, pair.annDevice)
            let (backup, saved) = (ann.copy(), world.root.appendingPathComponent("saved"))
            try FileManager.default.copyItem(at: world.stateFolder("Ann"), to: saved)
            ann.set(2, of: first)
            try await world.meet(pair.annDevice, pair.bobDevice)
            ann.restore(backup)
            try FileManager.default.removeItem(at: world.stateFolder("Ann"))
            try FileManager.default.moveItem(at: saved, to: world.stateFolder("Ann"))
            ann.set(3, of: first)
            let former = ann.device
            try await world.meet(pair.annDevice, pair.bobDevice, pair.annDevice, pair.bobDevice)
            #expect(ann.device != former)
            expect(ann.value(of: first), bob.value(of: first))
        }

        @Test func `a copied file sends nothing, and joins again as a new device`() async throws {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            let (ann, bob, group) = (pair.ann, pair.bob, pair.group)
            ann.insert(first, 1, in: group)
            try await world.meet(pair.annDevice, pair.bobDevice)
            let copy = ann.copy()
            copy.insert(second, 5, in: group)
            let device = world.device(copy, "Copy")
            let files = try world.files("")
            expect(try await device.meet().problems.map(\.error.code), [.clonedDevice])
            expect(try world.files(""), files)
            expect(copy.value(of: second), 5)
            try await world.admit(device, by: pair.annDevice, to: group)
            #expect(copy.device != ann.device)
            try await world.meet(pair.bobDevice)
            expect([ann.value(of: second), bob.value(of: second)], [5, 5])
            expect(try await pair.bobDevice.members(of: group).all.map(\.name), ["Ann", "Bob", "Copy"])
        }

        @Test func `a copied file beside the original takes part as a new device`() async throws {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            let (ann, bob, group) = (pair.ann, pair.bob, pair.group)
            ann.path = world.stateFolder("Ann").path
            ann.insert(first, 1, in: group)
            try await world.meet(pair.annDevice, pair.bobDevice, pair.annDevice)
            let copy = ann.copy()
            copy.path = world.stateFolder("Bob").path
            copy.set(2, of: first)
            ann.insert(second, 3, in: group)
            let copyDevice = world.device(copy, "Ann")
            try await world.meet(copyDevice, pair.annDevice)
            #expect(copy.device != ann.device)
            try await world.meet(pair.bobDevice, copyDevice, pair.annDevice, pair.bobDevice)
            for store in [ann, bob, copy] { expect([store.value(of: first), store.value(of: second)], [2, 3]) }
            expect(try await pair.bobDevice.members(of: group).all.map(\.name), ["Ann", "Ann", "Bob"])
        }

        @Test func `a damaged batch stops only the log of its device, and is read again`() async throws {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            let (ann, bob, group) = (pair.ann, pair.bob, pair.group)
            let cid = world.device(3, "Cid")
            try await world.admit(cid.device, by: pair.annDevice, to: group)
            try await world.meet(pair.bobDevice, cid.device)
            ann.insert(first, 1, in: group)
            cid.store.insert(second, 2, in: group)
            try await world.meet(cid.device)
            let before = Set(try world.files("/log/"))
            try await world.meet(pair.annDevice)
            let file = try #require(Set(try world.files("/log/")).subtracting(before).first)
            let bytes = try Data(contentsOf: file)
            var changed = bytes
            changed[bytes.count / 2] ^= 1
            for damage in [changed, bytes.prefix(bytes.count - 1), bytes.prefix(20), Data([0]), bytes + [0]] {
                try damage.write(to: file)
                let report = try await pair.bobDevice.meet()
                expect(report.problems.map(\.error.code), [.damagedBatch])
                expect(report.problems.map(\.name), ["Ann"])
                expect(report.problems.map(\.file), [String(file.lastPathComponent.dropLast(5))])
                // Cid received Ann's earlier batches, and nothing of this one.
                expect([bob.value(of: first), bob.value(of: second)], [nil, 2])
            }
            try bytes.write(to: file)
            try await world.meet(pair.bobDevice)
            expect(bob.value(of: first), 1)
        }

        @Test func `copies and foreign files in a log disturb nothing`() async throws {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            let (ann, bob, group) = (pair.ann, pair.bob, pair.group)
            let before = Set(try world.files("/log/"))
            ann.insert(first, 1, in: group)
            try await world.meet(pair.annDevice)
            let file = try #require(Set(try world.files("/log/")).subtracting(before).first)
            let (log, name) = (file.deletingLastPathComponent(), file.lastPathComponent)
            let bytes = try Data(contentsOf: file)
            let numbers = name.split(separator: "-").prefix(2).joined(separator: "-")
            // A copy that was cut short comes first by name.
            try bytes.prefix(40).write(to: log.appendingPathComponent("\(numbers)-0000000000000000.posb"))
            try bytes.write(to: log.appendingPathComponent("\(numbers)-ffffffffffffffff.posb"))
            try bytes.write(to: log.appendingPathComponent(name.replacingOccurrences(of: ".posb", with: " (2).posb")))
            for foreign in ["0-999-0000000000000000.posb", "x-y-z.posb", "9-3-0.posb", "letter.posb", "-1-2-0.posb"] {
                try Data("hello".utf8).write(to: log.appendingPathComponent(foreign))
            }
            try Data("hello".utf8).write(
                to: log.deletingLastPathComponent().deletingLastPathComponent()
                    .appendingPathComponent("members/m-0000.posb"))
            let report = try await pair.bobDevice.meet()
            expect(report.problems.map(\.file), ["m-0000"])
            expect(bob.value(of: first), 1)
            ann.set(2, of: first)
            _ = try await pair.annDevice.meet()
            _ = try await pair.bobDevice.meet()
            expect(bob.value(of: first), 2)
        }

        @Test func `a batch in another device's log is refused, and a missing batch is waited for`() async throws {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            let (ann, bob, group) = (pair.ann, pair.bob, pair.group)
            bob.insert(second, 1, in: group)
            try await world.meet(pair.bobDevice, pair.annDevice)
            let before = Set(try world.files("/log/"))
            ann.insert(first, 1, in: group)
            try await world.meet(pair.annDevice)
            let file = try #require(Set(try world.files("/log/")).subtracting(before).first)
            ann.set(2, of: first)
            try await world.meet(pair.annDevice)
            let hidden = world.root.appendingPathComponent("hidden")
            try FileManager.default.moveItem(at: file, to: hidden)
            expect(try await pair.bobDevice.meet().problems.map(\.error.code), [.notReachable])
            expect(bob.value(of: first), nil)
            let own = try #require(
                try world.files("/log/").first { !$0.path.contains(file.deletingLastPathComponent().path) })
            try FileManager.default.copyItem(at: own, to: file)
            expect(try await pair.bobDevice.meet().problems.map(\.error.code), [.damagedBatch])
            try FileManager.default.removeItem(at: file)
            try FileManager.default.moveItem(at: hidden, to: file)
            try await world.meet(pair.bobDevice)
            expect(bob.value(of: first), 2)
        }

        @Test func `a round that ended after sending is continued, and nothing is sent twice`() async throws {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            let (ann, bob, group) = (pair.ann, pair.bob, pair.group)
            let transport = FailingTransport(FolderTransport(world.folder.path))
            let failing = world.device(ann, "Ann", through: transport)
            ann.insert(first, 1, in: group)
            expect(try await failing.meet().problems.map(\.error.code), [.notReachable])
            let files = try world.files("/log/")
            try await world.meet(pair.annDevice)
            expect(try world.files("/log/"), files)
            expect(ann.device, DeviceID(1))
            ann.set(2, of: first)
            try await world.meet(pair.annDevice, pair.bobDevice)
            expect(bob.value(of: first), 2)
        }

        @Test func `keys that other users can read are not used`() async throws {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            let folder = world.stateFolder("Ann")
            let file = try #require(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix(".json") })
            let path = folder.appendingPathComponent(file).path
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            expect(mode, 0o600)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            let error = await #expect(throws: SyncError.self) { try await pair.annDevice.meet() }
            expect(error?.code, .stateUnavailable)
            #expect(error?.message.contains("chmod 600") == true)
        }

        @Test func `the folder contains no values and no names`()
            async throws
        {
            let world = try DeviceWorld()
            let pair = try await world.pair()
            pair.ann.insert(ObjectKey("parent", .text("recognizable")), 1, in: pair.group)
            try await world.meet(pair.annDevice, pair.bobDevice)
            for file in try world.files("") {
                let bytes = try Data(contentsOf: file)
                for word in ["recognizable", "parent", "Family"] {
                    #expect(bytes.range(of: Data(word.utf8)) == nil, "\(file.lastPathComponent) contains \(word)")
                }
            }
        }
    }
#endif

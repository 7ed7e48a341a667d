#if Sync
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// A call of the file system fails in the middle of each step of a round. The step is then repeated, by the same
    /// program or by the next one.
    @Suite(.onSQLite("a server is not a device"))
    struct StoreFaultTests {
        @Test(arguments: SyncFaults.Step.allCases, [false, true])
        func `a step that fails loses nothing, and succeeds when it is repeated`(
            _ step: SyncFaults.Step, _ isReopened: Bool
        ) throws {
            let faults = try SyncFaults(step)
            let calls = try faults.withDevices { devices, act in try faults.folder.calls { try act() }.calls }
            #expect(calls.count > 3)
            let expected = try faults.withDevices { devices, act in
                try act()
                return try faults.end(devices)
            }
            let limit = FaultPoint.triesAll ? nil : Scale.rounds(15)
            var failureCount = 0
            for point in FaultPoint.points(of: calls, atMost: limit, seed: isReopened ? 1 : 2) {
                let place = "\(step), \(point) of \(calls.count)"
                try faults.withDevices { devices, act in
                    faults.folder.arm(point)
                    defer { faults.folder.disarm() }
                    do { try act() } catch {
                        failureCount += 1
                        let codes: Set<StoreError.Code> = [.inputOutput, .diskFull, .cannotOpen, .busy, .outOfMemory]
                        #expect((error as? StoreError).map { codes.contains($0.code) } ?? false, "\(place): \(error)")
                    }
                    faults.folder.disarm()
                    guard !isReopened else { return }
                    try act()
                    try #expect(faults.end(devices) == expected, "\(place)")
                }
                guard isReopened else { continue }
                try faults.withDevices(afresh: false) { devices, act in
                    try act()
                    try #expect(faults.end(devices) == expected, "\(place)")
                }
            }
            #expect(failureCount > 0)
        }
    }

    /// The files of two devices that have met and then edited different objects and properties, and of a third device
    /// that is going to join.
    struct SyncFaults {
        typealias Player = StoreModel.Player
        typealias Note = StoreModel.Note

        /// What a device does with its file.
        enum Step: CaseIterable, Sendable {
            case convertsEdits, makesBatch, receives, makesSnapshot, joins, resets
        }

        let folder: FaultyFolder
        private let step: Step
        private let files: [URL: Data]

        init(_ step: Step) throws {
            self.step = step
            folder = try FaultyFolder()
            let place = folder.file.folder
            do {
                let devices = try StoreDevices(2, in: place)
                defer { devices.close() }
                try SyncFaults.fill(devices)
                try devices.add(inGroup: false)
            }
            let names = try FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)
            files = Dictionary(uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: $0)) })
        }

        private static func fill(_ devices: StoreDevices) throws {
            try devices[0].use {
                for number in 1...3 {
                    let player = number == 3 ? StoreModel.Keeper() : Player()
                    (player.name, player.tags, player.codes) = ("player \(number)", ["a", "b"], [number])
                    (player.scores, player.photo) = (["k": number], Data(repeating: 7, count: 20_000))
                    try player.save()
                    let note = try Note(key: "n\(number)")
                    (note.number, note.text) = (number, "text")
                    try note.save()
                }
            }
            try devices.meet()
            for index in 0...1 {
                try devices[index].use {
                    let players = try Player.query.order(by: \.name).all()
                    if index == 0 {
                        (players[0].name, players[0].tags) = ("Ann", ["b", "c"])
                        try players[2].delete()
                        try #require(try Note.find("n1")).deleteForever()
                    } else {
                        (players[0].age, players[1].friend, players[1].bench) = (20, players[0], players)
                        try #require(try Note.find("n2")).delete()
                        let note = try Note(key: "n4")
                        (note.number, note.text) = (4, "new")
                        try note.save()
                    }
                    for player in players where !player.isDeleted { player.stars += index + 1 }
                    try Store.saveChanges()
                }
            }
        }

        /// Calls `body` with the devices, whose files are as at first unless they are kept, and with the step.
        func withDevices<R>(
            afresh: Bool = true, _ body: (StoreDevices, _ act: () throws -> Void) throws -> R
        ) throws -> R {
            let place = folder.file.folder
            if afresh {
                for file in try FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil) {
                    try FileManager.default.removeItem(at: file)
                }
                for (file, data) in files { try data.write(to: file) }
            }
            let devices = try StoreDevices(opening: place, 3)
            defer { devices.close() }
            let act = try act(devices)
            // The objects of the devices are in memory, and follow what is received.
            let held = try devices.devices.map { device in
                try device.use { try (Player.all() as [PersistentObject], Note.unscoped.all()) }
            }
            return try withExtendedLifetime(held) { try body(devices, act) }
        }

        /// The step, whose preparations are made.
        private func act(_ devices: StoreDevices) throws -> () throws -> Void {
            let (one, two, third, group) = (devices[0].replica, devices[1].replica, devices[2].replica, devices.group)
            switch step {
            case .convertsEdits: return { try one.absorb() }
            case .makesBatch: return { _ = try one.batch(for: group, after: 0) }
            case .receives:
                let batch = try #require(try one.batch(for: group, after: 0))
                return { _ = try two.receive(batch, from: "one") }
            case .makesSnapshot: return { _ = try one.snapshot(of: group) }
            case .joins:
                try one.admit(third.device, to: group)
                let snapshot = try #require(try one.snapshot(of: group))
                return {
                    _ = try third.join(snapshot, from: "one")
                    try third.useAsOwn(group)
                }
            case .resets:
                let snapshot = try #require(try one.snapshot(of: group))
                let device = DeviceID(77)
                try one.admit(device, to: group)
                return { _ = try two.reset(as: device, to: [snapshot], from: "one") }
            }
        }

        /// What all devices show after they have met.
        func end(_ devices: StoreDevices) throws -> [String] {
            if step != .joins {
                try devices[0].replica.admit(devices[2].replica.device, to: devices.group)
                let snapshot = try #require(try devices[0].replica.snapshot(of: devices.group))
                _ = try devices[2].replica.join(snapshot, from: "one")
            }
            try devices.meet()
            try devices.expectEqual("\(step)")
            for device in devices.devices {
                #expect(try device.session.rows("SELECT 1 FROM po_sync_mark").isEmpty)
                #expect(try device.store.checkIntegrity().problems.isEmpty)
            }
            return try devices.dump(0)
        }
    }
#endif

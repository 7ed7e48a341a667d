#if Sync
    import PersistentSync
    import TestSupport

    @testable import PersistentSync

    /// A property that was written.
    struct Written: Hashable {
        let key: ObjectKey
        let name: Text
    }

    /// A deletion, by the length of the life that it ended.
    struct Death: Hashable {
        let key: ObjectKey
        let life: Int64
    }

    /// Devices with their users, a network that loses, repeats and reorders batches, and a clock, all from one seed.
    ///
    /// It is `sim.py` and `sim-2.py` of the design, over the library's own merge.
    final class SimulatedWorld<Rules: SyncRules> {
        struct Counts {
            var (forgotten, returned, resets, joins, restores, clones, held) = (0, 0, 0, 0, 0, 0, 0)
        }

        static var groups: [GroupID] { [GroupID(1), GroupID(2)] }

        let mistake: SimulatedMistake?
        var random: SeededGenerator
        var time: Int64 = 1_000_000_000
        private(set) var devices: [SimulatedDevice<Rules>] = []
        private var network: [(receiver: Int, batch: Batch)] = []
        /// The devices that are away, and since which step.
        private var away: [Int: Int] = [:]
        private var lastID: UInt128 = 0
        /// Whether some clocks are days ahead, so that batches wait.
        private let hasFarClocks: Bool
        var counts = Counts()

        // What happened, beside the replicas.
        private(set) var lives: [ObjectKey: Int64] = [:]
        var reborn: Set<ObjectKey> = []
        /// The objects of which a reset reported lost edits.
        private(set) var lost: Set<ObjectKey> = []
        var sums: [ObjectKey: Int64] = [:]
        var tops: [ObjectKey: Int64] = [:]
        var written: [Written: Clock] = [:]
        var inserted: [ObjectKey: Set<ElementID>] = [:]
        var removed: [ObjectKey: Set<ElementID>] = [:]
        /// What each deletion saw, of all devices that made it.
        var seen: [Death: [Text: Clock]] = [:]
        var deletedBy: [Int: Set<ObjectKey>] = [:]

        init(seed: UInt64, devices count: Int = 5, steps: Int = 260, mistake: SimulatedMistake? = nil) {
            self.mistake = mistake
            random = SeededGenerator(seed: seed)
            hasFarClocks = seed % 4 == 3
            for index in 0..<count { _ = addDevice(version: index == 0 ? 2 : .random(in: 1...2, using: &random)) }
            for group in Self.groups {
                let members = devices.filter { $0.index < 2 || chance(0.7) }
                for device in members { device.replica.enter(group, members: Set(members.map(\.replica.device))) }
            }
            for device in devices where device.replica.groups.isEmpty {
                for other in devices where other.replica.groups[Self.groups[0]] != nil {
                    other.replica.admit(device.replica.device, to: Self.groups[0])
                }
                device.replica.enter(
                    Self.groups[0], members: devices[0].replica.groups[Self.groups[0]]?.members ?? [])
            }
            for step in 0..<steps { run(step) }
            finish()
        }

        func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &random) < probability }

        func anySkew() -> Int64 {
            [0, 0, -10_000_000, 1_000_000, 300_000, hasFarClocks ? 1_000_000_000 : 10_000_000]
                .randomElement(using: &random) ?? 0
        }

        func record(life: Int64, of key: ObjectKey) { lives[key] = max(lives[key] ?? 0, life) }

        private func newID() -> DeviceID {
            lastID += 1
            return DeviceID(lastID)
        }

        private func addDevice(version: Int) -> SimulatedDevice<Rules> {
            let device = SimulatedDevice(devices.count, self, id: newID(), version: version)
            devices.append(device)
            return device
        }

        private func isPresent(_ device: SimulatedDevice<Rules>) -> Bool {
            away[device.index] == nil && !device.replica.isRetired
        }

        // MARK: Steps

        private func run(_ step: Int) {
            time += .random(in: 0..<2000, using: &random)
            guard let device = devices.randomElement(using: &random) else { return }
            let dice = Double.random(in: 0..<1, using: &random)
            if dice < 0.55 {
                device.act()
            } else if dice < 0.76 {
                post(from: device)
            } else if dice < 0.97 {
                deliver()
            } else if dice < 0.98 {
                device.skew = anySkew()
            } else {
                device.replica.restart()
            }
            happen(to: device, step)
            for (index, since) in away.sorted(by: { $0.key < $1.key }) where step - since > 40 {
                bringBack(devices[index])
            }
        }

        private func post(from device: SimulatedDevice<Rules>) {
            guard let receiver = devices.randomElement(using: &random), receiver !== device,
                let group = Self.groups.randomElement(using: &random), isPresent(device),
                let membership = receiver.replica.groups[group]
            else { return }
            let after = chance(0.7) ? membership.received[device.replica.device] ?? 0 : 0
            if let batch = device.replica.batch(for: group, after: after) { network.append((receiver.index, batch)) }
        }

        private func deliver() {
            guard let index = network.indices.randomElement(using: &random) else { return }
            let (receiver, batch) = network[index]
            if chance(0.5) { network.remove(at: index) }  // otherwise it is delivered again
            if chance(0.9), away[receiver] == nil { devices[receiver].receive(batch) }
        }

        /// What happens to devices beside edits and batches.
        private func happen(to device: SimulatedDevice<Rules>, _ step: Int) {
            let dice = Double.random(in: 0..<1, using: &random)
            switch dice {
            case ..<0.02: meetAll(2)
            case ..<0.03:
                device.version = min(3, device.version + 1)
                device.perform { $0.update(classes: SimulatedModel.classes(version: device.version)) }
            case ..<0.04: changeGroups(of: device)
            case ..<0.045: if device.index > 1, isPresent(device) { away[device.index] = step }
            case ..<0.065: if isPresent(device) { device.image = device.replica }
            case ..<0.072: restoreImage(of: device)
            case ..<0.074: clone(device)
            default: break
            }
        }

        private func changeGroups(of device: SimulatedDevice<Rules>) {
            guard device.index > 1, isPresent(device), let group = Self.groups.randomElement(using: &random),
                let peer = devices[..<2].randomElement(using: &random)
            else { return }
            device.image = nil
            if device.replica.groups[group] == nil {
                join(device, group, peer)
            } else if device.replica.groups.count > 1 {
                meet(device, 3)
                guard (try? device.replica.leave(group)) != nil else { return }
                for other in devices { other.replica.groups[group]?.members.remove(device.replica.device) }
            }
        }

        private func join(_ device: SimulatedDevice<Rules>, _ group: GroupID, _ peer: SimulatedDevice<Rules>) {
            counts.joins += 1
            peer.replica.admit(device.replica.device, to: group)
            guard let snapshot = peer.replica.snapshot(of: group) else { return }
            device.perform { replica in
                if mistake == .joinsEmpty {
                    replica.enter(group, members: snapshot.members)
                } else {
                    replica.join(snapshot)
                }
            }
        }

        /// The members retired the device because it was silent, and it returns with unsent edits.
        private func bringBack(_ device: SimulatedDevice<Rules>) {
            away[device.index] = nil
            devices[0].replica.retire(device.replica.device)
            device.replica.isRetired = true
            meetAll(2)
            counts.resets += 1
            reset(device, devices[0])
        }

        private func reset(_ device: SimulatedDevice<Rules>, _ peer: SimulatedDevice<Rules>) {
            let id = newID()
            device.image = nil
            let groups = device.replica.groups.keys.sorted()
            for group in groups { peer.replica.admit(id, to: group) }
            let snapshots = groups.compactMap { peer.replica.snapshot(of: $0) }
            lost.formUnion(device.perform { $0.reset(as: id, to: snapshots) })
        }

        /// The device sends what it has, and then an old copy of its file is put in the place of the current one.
        private func restoreImage(of device: SimulatedDevice<Rules>) {
            let peer = device.index == 0 ? devices[1] : devices[0]
            guard let image = device.image, isPresent(device) else { return }
            let groups = device.replica.groups.keys
            for group in groups { device.send(to: peer, in: group) }
            let isSent = groups.allSatisfy {
                peer.replica.groups[$0]?.received[device.replica.device] ?? 0 >= device.replica.number
            }
            guard isSent else { return }
            counts.restores += 1
            device.image = nil
            peer.replica.retire(device.replica.device)
            device.replica = image
            if mistake == .keepsIdentity {
                peer.replica.retired.remove(device.replica.device)
            } else {
                reset(device, peer)
            }
        }

        /// A copy of the device's file is used on another device.
        private func clone(_ device: SimulatedDevice<Rules>) {
            guard devices.count < 7, isPresent(device) else { return }
            counts.clones += 1
            let copy = addDevice(version: device.version)
            copy.replica = device.replica
            reset(copy, device.index == 0 ? devices[1] : devices[0])
        }

        // MARK: Meeting

        /// Runs all batches that two present devices have for each other.
        private func exchange(_ isConcerned: (SimulatedDevice<Rules>) -> Bool = { _ in true }) {
            for sender in devices where isPresent(sender) {
                for receiver in devices where receiver !== sender && isPresent(receiver) {
                    guard isConcerned(sender) || isConcerned(receiver) else { continue }
                    for group in Self.groups { sender.send(to: receiver, in: group) }
                }
            }
        }

        func meetAll(_ rounds: Int) { for _ in 0..<rounds { exchange() } }
        private func meet(_ device: SimulatedDevice<Rules>, _ rounds: Int) {
            for _ in 0..<rounds { exchange { $0 === device } }
        }

        /// All devices return, all batches arrive, all programs are updated, and enough time passes for the clocks that
        /// are ahead.
        private func finish() {
            for index in away.keys.sorted() { bringBack(devices[index]) }
            time += 3_000_000_000
            for (receiver, batch) in network { devices[receiver].receive(batch) }
            for device in devices {
                device.version = 3
                device.perform { $0.update(classes: SimulatedModel.classes(version: 3)) }
            }
            meetAll(6)
            for device in devices { counts.held += device.replica.presentation.waitingValues.count }
        }
    }
#endif

#if Sync
    import PersistentSync
    import TestSupport

    @testable import PersistentSync

    /// A device of a simulated world: the library's replica, and a user who edits.
    final class SimulatedDevice<Rules: SyncRules> {
        let index: Int
        unowned let world: SimulatedWorld<Rules>
        var replica: Replica<Rules>
        /// How far the device's clock is from the world's, in milliseconds.
        var skew: Int64
        var version: Int
        /// An old copy of the file.
        var image: Replica<Rules>?
        private var lastKey = 0

        init(_ index: Int, _ world: SimulatedWorld<Rules>, id: DeviceID, version: Int) {
            self.index = index
            self.world = world
            self.version = version
            skew = world.anySkew()
            replica = Replica(id, classes: SimulatedModel.classes(version: version))
        }

        /// Runs a change of the replica at the device's time, and records what it reached.
        @discardableResult
        func perform<R>(_ body: (inout Replica<Rules>) throws -> R) rethrows -> R {
            let before = replica.number
            replica.now = UInt64(max(0, world.time + skew))
            let result = try body(&replica)
            for (key, _) in replica.objects.touched(in: (before + 1)...) {
                world.record(life: replica.objects[key]?.life ?? 0, of: key)
            }
            return result
        }

        func receive(_ batch: Batch) {
            var batch = batch
            if world.mistake == .dropsUnknown, version == 1 {
                for key in batch.objects.keys { batch.objects[key]?.properties["c"] = nil }
            }
            let reception = perform { replica in
                let reception = replica.receive(batch)
                if world.mistake == .sendsInitialValues, version > 1 {
                    for key in batch.objects.keys where replica.objects[key]?.properties["c"] == nil {
                        guard let clock = replica.objects[key]?.properties["a"]?.clock else { continue }
                        replica.objects[key]?.properties["c"] = Register(SimulatedModel.initialC(version), clock)
                    }
                }
                return reception
            }
            if case .applied(let changes) = reception {
                world.counts.returned += changes.returned.count
                world.counts.forgotten += changes.forgotten.count
                world.reborn.formUnion(changes.forgotten)
            }
        }

        /// Sends a batch directly, if the receiver is a member.
        func send(to other: SimulatedDevice, in group: GroupID) {
            guard let membership = other.replica.groups[group],
                let batch = replica.batch(for: group, after: membership.received[replica.device] ?? 0)
            else { return }
            other.receive(batch)
        }

        private func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &world.random) }
        private func number(_ range: Range<Int64>) -> SyncValue { .integer(.random(in: range, using: &world.random)) }

        private enum Operation: CaseIterable {
            case new, set, delete, add, insert, move, removeElement, refer, restore, unique, group, setC, tag, entry,
                widen

            var weight: Double {
                switch self {
                case .set: 8
                case .insert, .unique: 4
                case .new, .add, .refer, .setC: 3
                case .move, .tag, .entry: 2
                case .delete: 1.4
                case .restore: 0.7
                case .removeElement, .group, .widen: 1
                }
            }
        }

        /// One edit of the user.
        func act() {
            let shown = replica.presentation
            let keys = shown.rows.keys.sorted()
            let operation = anyOperation()
            guard let key = pick(keys), operation != .new else { return create(among: keys) }
            switch operation {
            case .new: break
            case .set: write(pick(["a", "b"]) ?? "a", of: key, number(0..<1_000_000_000))
            case .setC: if version > 1 { write("c", of: key, number(0..<1_000_000_000)) }
            case .unique: writeUnique(key, shown)
            case .refer:
                write(
                    "friend", of: key,
                    Bool.random(using: &world.random) ? pick(keys).map { .object($0) } ?? .null : .null)
            case .add:
                let difference = Int64.random(in: -3..<9, using: &world.random)
                world.sums[key, default: 0] += difference
                perform { $0.add(.integer(difference), to: "count", of: key) }
            case .widen:
                let value = Int64.random(in: 1..<1_000_000, using: &world.random)
                world.tops[key] = max(world.tops[key] ?? 0, value)
                perform { $0.widen("top", of: key, to: .integer(value)) }
            case .tag:
                let (tag, isPresent) = (number(0..<5), Double.random(in: 0..<1, using: &world.random) < 0.7)
                perform { $0.setElement(tag, in: "tags", of: key, isPresent: isPresent) }
            case .entry:
                let (entry, value) = (
                    number(0..<4), Double.random(in: 0..<1, using: &world.random) < 0.7 ? number(0..<100) : nil
                )
                perform { $0.setValue(value, for: entry, in: "map", of: key) }
            case .delete: delete(key, shown)
            case .insert, .move: changeArray(key, keys, isMove: operation == .move)
            case .removeElement: removeElement(key, shown)
            case .restore:
                let deleted = replica.objects.filter {
                    $1.isDeleted && replica.isHere($0) && world.deletedBy[index]?.contains($0) == true
                }
                if let deleted = pick(deleted.keys.sorted()) { _ = perform { $0.restore(deleted) } }
            case .group: move(key, shown)
            }
        }

        private func anyOperation() -> Operation {
            var number = Double.random(in: 0..<Operation.allCases.map(\.weight).reduce(0, +), using: &world.random)
            return Operation.allCases.first {
                number -= $0.weight
                return number < 0
            } ?? .set
        }

        private func create(among keys: [ObjectKey]) {
            lastKey += 1
            let isOwn = Double.random(in: 0..<1, using: &world.random) < 0.1
            let name = Int.random(in: 0..<6, using: &world.random)
            let type = isOwn ? name % 4 : Int.random(in: 0..<4, using: &world.random)
            let key = ObjectKey(
                SimulatedModel.types[type],
                isOwn ? .text(Text("K\(name)")) : .uuid(replica.device.number << 32 | UInt128(lastKey)))
            if let object = replica.objects[key], object.isAlive || !replica.isHere(key) { return }
            var values: [Text: SyncValue] = ["a": number(0..<1000), "b": number(0..<1000)]
            if let owner = SimulatedModel.owners[key.type] {
                values["parent"] = pick(keys.filter { $0.type == owner && $0 != key }).map { .object($0) } ?? .null
            }
            if world.mistake == .sendsInitialValues, version > 1 { values["c"] = SimulatedModel.initialC(version) }
            guard let group = pick(replica.groups.keys.sorted()) else { return }
            perform { $0.insert(key, values, in: group) }
        }

        private func write(_ name: Text, of key: ObjectKey, _ value: SyncValue) {
            perform { $0.set(name, of: key, to: value) }
            let clock = replica.objects[key]?.clock(of: name) ?? .none
            world.written[Written(key: key, name: name), default: .none] = max(
                world.written[Written(key: key, name: name)] ?? .none, clock)
        }

        private func writeUnique(_ key: ObjectKey, _ shown: Presentation) {
            let value = Bool.random(using: &world.random) ? number(0..<3) : number(3..<6)
            let new = Int.random(in: 0..<7, using: &world.random) == 0 ? SyncValue.null : value
            // The unique index rejects the value, or the column does not change, so that there is no mark.
            let isTaken =
                new != .null && shown.rows.keys.contains { $0.type == key.type && shown.value($0, "u") == new }
            guard !isTaken, shown.value(key, "u") != new else { return }
            write("u", of: key, new)
        }

        private func delete(_ key: ObjectKey, _ shown: Presentation) {
            var deletions: [(key: ObjectKey, owner: ObjectKey?)] = [(key, nil)]
            var next = 0
            while next < deletions.count {
                let owner = deletions[next].key
                next += 1
                let owned = shown.rows.keys.filter { child in
                    shown.target(child, "parent") == owner && !deletions.contains { $0.key == child }
                }
                deletions += owned.sorted().map { ($0, owner) }
            }
            for (key, _) in deletions {
                guard let object = replica.objects[key] else { continue }
                let death = Death(key: key, life: Life.next(object.life))
                world.seen[death, default: [:]].merge(object.properties.mapValues(\.clock), uniquingKeysWith: max)
                world.deletedBy[index, default: []].insert(key)
            }
            perform { $0.delete(deletions) }
            guard world.mistake == .removesElements else { return }
            for (key, object) in replica.objects.sorted(by: { $0.key < $1.key }) {
                for (id, element) in object.arrays["list"] ?? [:] where element.isPresent {
                    guard deletions.contains(where: { element.value.value == .object($0.key) }) else { continue }
                    perform { $0.removeElement(id, in: "list", of: key) }
                }
            }
        }

        private func changeArray(_ key: ObjectKey, _ keys: [ObjectKey], isMove: Bool) {
            let order = replica.objects[key]?.order(of: "list") ?? []
            let position = Int.random(in: 0...order.count, using: &world.random)
            if isMove {
                guard let element = pick(order) else { return }
                perform { $0.moveElement(element, to: position, in: "list", of: key, using: &world.random) }
            } else if let target = pick(keys) {
                let id = perform {
                    $0.insertElement(.object(target), at: position, in: "list", of: key, using: &world.random)
                }
                if let id { world.inserted[key, default: []].insert(id) }
            }
        }

        private func removeElement(_ key: ObjectKey, _ shown: Presentation) {
            guard let object = replica.objects[key], let elements = object.arrays["list"] else { return }
            let visible = object.order(of: "list").filter { id in
                guard case .object(let target)? = elements[id]?.value.value else { return false }
                return shown.rows[target] != nil
            }
            guard let element = pick(visible) else { return }
            world.removed[key, default: []].insert(element)
            perform { $0.removeElement(element, in: "list", of: key) }
        }

        private func move(_ key: ObjectKey, _ shown: Presentation) {
            guard replica.groups.count > 1, shown.target(key, "parent") == nil,
                SimulatedModel.owners[key.type] == nil || replica.objects[key]?.target(of: "parent") == nil
            else { return }
            let group = replica.group(of: key)
            if let new = pick(replica.groups.keys.filter { $0 != group }.sorted()) { perform { $0.move(key, to: new) } }
        }
    }
#endif

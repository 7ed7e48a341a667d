#if Sync
    import PersistentSync

    @testable import PersistentSync

    /// What must be true when all devices have met.
    extension SimulatedWorld {
        /// The first invariant that is violated, or nil.
        func problem() -> String? {
            let shown = devices.map(\.replica.presentation)
            return shown.lazy.compactMap(self.problem(of:)).first ?? differences(shown) ?? lifeProblem()
                ?? shown.first.flatMap(valueProblem) ?? repetitionProblem(shown) ?? silenceProblem()
        }

        /// No device shows an incomplete object, a unique value twice or never, or a reference to nothing.
        private func problem(of shown: Presentation) -> String? {
            if shown.waiting.values.contains(.incomplete) { return "an incomplete object is alive" }
            for type in SimulatedModel.types {
                let keys = shown.rows.keys.filter { $0.type == type }
                let values = keys.compactMap { shown.value($0, "u") }.filter { $0 != .null }
                if Set(values).count != values.count { return "a unique value is shown twice" }
                let held = keys.filter { shown.waitingValues[$0]?["u"] != nil }
                for key in held {
                    guard case .held(let holder)? = shown.waitingValues[key]?["u"] else {
                        return "a value is held for no reason"
                    }
                    if shown.rows[holder] == nil { return "a unique value is shown by no object" }
                }
            }
            for (key, row) in shown.rows {
                for name in ["friend", "parent"] as [Text] where row[name] != nil {
                    if let target = shown.target(key, name), shown.rows[target] == nil { return "a reference dangles" }
                }
            }
            return nil
        }

        /// Devices that share a group know the same of its objects, and those that share all groups show the same.
        private func differences(_ shown: [Presentation]) -> String? {
            for (index, device) in devices.enumerated() {
                let replica = device.replica
                for key in shown[index].rows.keys where !replica.isHere(key) {
                    return "\(key) is shown outside its group"
                }
                for other in devices[..<index] {
                    for key in Set(replica.objects.keys).union(other.replica.objects.keys) {
                        if let problem = difference(key, replica, other.replica) { return problem }
                    }
                    let isSameSet = replica.groups.keys == other.replica.groups.keys
                    if isSameSet, shown[index] != shown[other.index] {
                        return "\(index) and \(other.index) show different tables"
                    }
                }
            }
            return nil
        }

        private func difference(_ key: ObjectKey, _ one: Replica<Rules>, _ other: Replica<Rules>) -> String? {
            guard let group = one.group(of: key) ?? other.group(of: key), one.groups[group] != nil,
                other.groups[group] != nil
            else { return nil }
            // A stub is nothing yet.
            let states = [one.objects[key], other.objects[key]].map { $0.flatMap { $0.life == 0 ? nil : $0 } }
            switch (states[0], states[1]) {
            case (let first?, let second?):
                if first.isSame(as: second) { return nil }
                // A key that was deleted, forgotten and used again in a group that a device cannot know of.
                let isEarlier = { (state: ObjectState, mine: Replica<Rules>, theirs: Replica<Rules>) in
                    state.isDeleted && theirs.group(of: key).map { mine.groups[$0] == nil } == true
                }
                if isEarlier(first, one, other) || isEarlier(second, other, one) { return nil }
                // A deletion that was forgotten can return without the values.
                if first.life == second.life, first.isDeleted, reborn.contains(key) { return nil }
                return "the states of \(key) differ in \(differences(first, second))"
            case (let state?, nil), (nil, let state?): return state.isAlive ? "\(key) is on one device only" : nil
            default: return nil
            }
        }

        private func differences(_ one: ObjectState, _ other: ObjectState) -> [String] {
            var found = one.life == other.life ? [] : ["life"]
            if one.group != other.group { found.append("group") }
            if one.seen != other.seen || one.deletedWith != other.deletedWith { found.append("deletion") }
            found += one.properties.filter { other.properties[$0] != $1 }.map(\.key.string).sorted()
            return found + (one.arrays == other.arrays ? [] : ["list"])
        }

        /// Each life is the longest that it reached, unless an edit or an owner brought the object back.
        private func lifeProblem() -> String? {
            let objects = devices[0].replica.objects
            // Edits that a reset reported as lost can be deletions.
            for (key, longest) in lives where !reborn.contains(key) && !lost.contains(key) {
                guard let object = objects[key] else {
                    if Life.isAlive(longest) { return "\(key) is lost" }
                    continue
                }
                if object.isDeleted, SimulatedModel.keepsEdited(key.type) {
                    let seen = seen[Death(key: key, life: object.life)] ?? [:]
                    if object.properties.contains(where: { $1.clock > seen[$0] ?? .none }) {
                        return "an edit of \(key) that the deletion did not see is lost"
                    }
                }
                if object.isDeleted, let cascade = object.deletedWith, let owner = objects[cascade.owner],
                    owner.isAlive,
                    owner.life > cascade.life
                {
                    return "\(key) stayed deleted when its owner returned"
                }
                if object.life != longest { return "the life of \(key) is \(object.life), and was \(longest)" }
            }
            return nil
        }

        /// Each counter is the sum of all additions, each array has what was inserted and not removed, and the last write
        /// counts.
        private func valueProblem(_ shown: Presentation) -> String? {
            let objects = devices[0].replica.objects
            for key in shown.rows.keys where !reborn.contains(key) {
                guard let object = objects[key] else { return "\(key) is shown and unknown" }
                if lost.isEmpty {
                    if shown.value(key, "count") != .integer(sums[key] ?? 0) { return "the counter of \(key) is wrong" }
                    if shown.value(key, "top") != .integer(tops[key] ?? 0) { return "the maximum of \(key) is wrong" }
                    let elements = Set((object.arrays["list"] ?? [:]).filter(\.value.isPresent).keys)
                    let expected = (inserted[key] ?? []).subtracting(removed[key] ?? [])
                    if elements != expected { return "the array of \(key) is wrong" }
                }
                for name in ["a", "b", "c", "u", "friend"] as [Text] where !lost.contains(key) {
                    let last = written[Written(key: key, name: name)] ?? .none
                    if object.clock(of: name) < last { return "the last write of \(name) in \(key) is lost" }
                }
            }
            return nil
        }

        /// Without edits, the devices have nothing left to send after some more rounds.
        private func silenceProblem() -> String? {
            meetAll(12)
            let numbers = devices.map(\.replica.number)
            meetAll(1)
            return devices.map(\.replica.number) == numbers ? nil : "the devices send the same again and again"
        }

        /// Receiving everything again changes nothing. A key that was forgotten and used again can get values of its
        /// earlier life, from a device that has not forgotten it.
        private func repetitionProblem(_ shown: [Presentation]) -> String? {
            for sender in devices {
                for receiver in devices where receiver !== sender {
                    for group in Self.groups where receiver.replica.groups[group] != nil {
                        var replica = receiver.replica
                        guard let batch = sender.replica.batch(for: group, after: 0) else { continue }
                        replica.groups[group]?.received[sender.replica.device] = nil
                        _ = replica.receive(batch)
                        let (before, after) = (shown[receiver.index].rows, replica.presentation.rows)
                        let keys = Set(before.keys).union(after.keys).subtracting(reborn)
                        if keys.contains(where: { before[$0] != after[$0] }) {
                            return "a repeated batch changes \(receiver.index)"
                        }
                    }
                }
            }
            return nil
        }
    }
#endif

#if Sync
    import PersistentSync

    @testable import PersistentSync

    /// A few devices that exchange their batches when a test calls for it.
    struct Members<Rules: SyncRules> {
        static var one: GroupID { GroupID(1) }
        static var two: GroupID { GroupID(2) }

        var devices: [Replica<Rules>]

        /// Creates devices, each in the groups of its number, with the classes of `SimulatedModel`.
        init(_ rules: Rules.Type = StandardRules.self, groups: [Set<GroupID>], version: Int = 2) {
            let ids = groups.indices.map { DeviceID(UInt128($0 + 1)) }
            devices = zip(ids, groups).map { id, own in
                var device = Replica<Rules>(id, classes: SimulatedModel.classes(version: version))
                device.now = 1_000_000
                for group in own {
                    device.enter(group, members: Set(zip(ids, groups).filter { $1.contains(group) }.map(\.0)))
                }
                return device
            }
        }

        /// Gives one device what another one has for it.
        @discardableResult
        mutating func send(_ sender: Int, to receiver: Int, in group: GroupID) -> Reception? {
            guard let membership = devices[receiver].groups[group],
                let batch = devices[sender].batch(
                    for: group, after: membership.received[devices[sender].device] ?? 0)
            else { return nil }
            return devices[receiver].receive(batch)
        }

        /// All devices, or the given ones, exchange all that they have.
        mutating func meet(_ chosen: [Int]? = nil, rounds: Int = 5) {
            let chosen = chosen ?? Array(devices.indices)
            for _ in 0..<rounds {
                for sender in chosen {
                    for receiver in chosen where receiver != sender {
                        for group in [Self.one, Self.two] { send(sender, to: receiver, in: group) }
                    }
                }
            }
        }

        static func key(_ name: Text, _ type: Text = "parent") -> ObjectKey { ObjectKey(type, .text(name)) }

        /// Creates an object on a device.
        mutating func insert(_ key: ObjectKey, on device: Int, owner: ObjectKey? = nil, in group: GroupID = one) {
            var values: [Text: SyncValue] = ["a": .integer(1), "b": .integer(2)]
            if let owner { values["parent"] = .object(owner) }
            devices[device].insert(key, values, in: group)
        }

        func value(_ name: Text, of key: ObjectKey, on device: Int) -> SyncValue? {
            devices[device].presentation.value(key, name)
        }
    }
#endif

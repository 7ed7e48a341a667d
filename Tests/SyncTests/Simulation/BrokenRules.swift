#if Sync
    import PersistentSync

    // Each type breaks one rule.

    /// Ties between devices are decided by arrival.
    enum TiesByArrival: SyncRules {
        static func supersedes(_ one: Clock, _ other: Clock) -> Bool { one.time >= other.time }
    }

    /// An edit does not beat what its author saw.
    enum OwnTime: SyncRules {
        static func exceeded(_ overwritten: Clock) -> Clock { .none }
    }

    /// Deleted objects are forgotten before all members know of them.
    enum ForgetsEarly: SyncRules {
        static func forgets(isAcknowledged: Bool, hasDeletedChildren: Bool) -> Bool { !hasDeletedChildren }
    }

    /// Old batches are joined again.
    enum AppliesRepeated: SyncRules {
        static var dropsRepeatedBatches: Bool { false }
    }

    /// A restored or retired device brings back what all others have forgotten.
    enum MergesAll: SyncRules {
        static func staysAfterReset(isCreatedHereAndUnsent: Bool) -> Bool { true }
    }

    /// An owned object stays in its own group.
    enum OwnGroups: SyncRules {
        static func group(of object: ObjectState, owner: GroupID) -> GroupID { object.group.value }
    }

    /// The members of the old group receive the values of a moved object.
    enum FullStubs: SyncRules {
        static func stub(of object: ObjectState, owners: [Text]) -> ObjectState { object }
    }

    /// A stub has a life.
    enum LivingStubs: SyncRules {
        static func stub(of object: ObjectState, owners: [Text]) -> ObjectState {
            var stub = StandardRules.stub(of: object, owners: owners)
            (stub.life, stub.seen, stub.deletedWith) = (object.life, object.seen, object.deletedWith)
            return stub
        }
    }

    /// An object that left the device's groups is dropped at once.
    enum DropsMoved: SyncRules {
        static func dropsMoved(isAcknowledged: Bool) -> Bool { true }
    }

    /// A deletion has one clock for all properties.
    enum SeenAsOne: SyncRules {
        static func seen(by deletion: ObjectState) -> [Text: Clock] {
            let latest = deletion.properties.values.map(\.clock).max() ?? .none
            return Dictionary(
                uniqueKeysWithValues: (["a", "b", "c", "u", "friend", "parent"] as [Text]).map { ($0, latest) })
        }
    }

    /// A deletion wins against each edit.
    enum NoReturn: SyncRules {
        static func returns(_ deleted: ObjectState) -> Bool { false }
    }

    /// The owner is forgotten before its deleted children.
    enum Orphans: SyncRules {
        static func forgets(isAcknowledged: Bool, hasDeletedChildren: Bool) -> Bool { isAcknowledged }
    }

    /// A reset loses what was not sent.
    enum LosesWork: SyncRules {
        static func rejoin(
            _ earlier: ObjectState, of earlierDevice: DeviceID, into object: inout ObjectState, as device: DeviceID
        ) {}
        static func staysAfterReset(isCreatedHereAndUnsent: Bool) -> Bool { false }
    }

    /// A reset repeats what was not sent as new edits.
    enum SendsAgain: SyncRules {
        static func rejoin(
            _ earlier: ObjectState, of earlierDevice: DeviceID, into object: inout ObjectState, as device: DeviceID
        ) {
            for (name, parts) in earlier.counters {
                guard case .integer(let sum)? = parts[earlierDevice]?.sum else { continue }
                var known: Int64 = 0
                if case .integer(let sum)? = object.counters[name]?[earlierDevice]?.sum { known = sum }
                guard sum != known else { continue }
                object.counters[name, default: [:]][device] = CounterPart(count: 1, sum: .integer(sum - known))
            }
            var values = earlier
            values.counters = [:]
            object.join(values, by: StandardRules.self)
        }
    }
#endif

// What changed since a time, without a copy of all objects.
extension Replica {
    /// The states that changed objects had at a time.
    struct Journal: Sendable {
        /// The number of the replica at that time. An object that has no earlier number is new.
        let number: Int64
        var states: [ObjectKey: ObjectState] = [:]
    }

    /// What is known of devices and groups, without the objects.
    var withoutObjects: Replica {
        var replica = self
        (replica.objects, replica.journal) = ([:], nil)
        return replica
    }

    /// Remembers the state of an object before its first change. Call it before each change of `objects`.
    mutating func remember(_ key: ObjectKey) {
        guard let number = journal?.number, let touched = objects[touched: key], touched <= number,
            journal?.states[key] == nil
        else { return }
        var state = objects[key]
        if let properties = state?.properties { state?.properties = properties.alone }
        journal?.states[key] = state
    }

    /// The states of the objects that changed since `journal` began; nil if these are not known, if the groups changed, or
    /// if most of many objects changed, so that determining everything again takes less time and memory.
    ///
    /// An object that is in no group of the device has no state.
    ///
    /// - Parameter old: The replica at that time, without its objects.
    func changes(since old: Replica) -> [ObjectKey: (before: ObjectState?, now: ObjectState?)]? {
        guard let journal, device == old.device, groups.keys == old.groups.keys else { return nil }
        let limit = max(4096, objects.count / 2)
        guard objects.count(touchedAfter: old.number) <= limit, journal.states.count <= limit else { return nil }
        var changes: [ObjectKey: (before: ObjectState?, now: ObjectState?)] = [:]
        objects.forEach(touchedAfter: old.number) { key in
            changes[key] = (journal.states[key], isHere(key) ? objects[key] : nil)
        }
        for (key, state) in journal.states where objects[key] == nil { changes[key] = (state, nil) }
        return changes
    }
}

// What changed since a time, without a copy of all objects.
extension Replica {
    /// The state that an object had.
    struct Earlier: Sendable {
        /// Nil if nothing was known of the object.
        let state: ObjectState?
    }

    /// What is known of devices and groups, without the objects.
    var withoutObjects: Replica {
        var replica = self
        (replica.objects, replica.touched, replica.created, replica.edited, replica.places) = ([:], [:], [:], [:], [:])
        replica.earlier = nil
        return replica
    }

    /// Remembers the state of an object before its first change. Call it before each change of `objects`.
    mutating func remember(_ key: ObjectKey) {
        guard earlier != nil, earlier?[key] == nil else { return }
        earlier?[key] = Earlier(state: objects[key])
    }

    /// The states of the objects that changed since `earlier` was emptied; nil if these are not known, if the groups
    /// changed, or if most of many objects changed, so that determining everything again takes less time and memory.
    ///
    /// An object that is in no group of the device has no state.
    ///
    /// - Parameter old: The replica at that time, without its objects.
    func changes(since old: Replica) -> [ObjectKey: (before: ObjectState?, now: ObjectState?)]? {
        guard let earlier, device == old.device, groups.keys == old.groups.keys,
            earlier.count <= max(4096, objects.count / 2)
        else { return nil }
        var changes: [ObjectKey: (before: ObjectState?, now: ObjectState?)] = [:]
        for (key, known) in earlier {
            if touched[key] ?? 0 > old.number {
                changes[key] = (known.state, isHere(key) ? objects[key] : nil)
            } else if known.state != nil, objects[key] == nil {
                changes[key] = (known.state, nil)
            }
        }
        return changes
    }
}

// What no device needs any more.
extension Replica {
    /// Whether all members of a group have acknowledged the last change of an object.
    func isAcknowledged(_ key: ObjectKey, in group: GroupID) -> Bool {
        guard let membership = groups[group] else { return true }
        let number = objects[touched: key] ?? 0
        let others = membership.members.subtracting(retired).subtracting([device])
        // Without other members, those that join later read the log.
        guard !others.isEmpty else { return membership.receipts[device]?[device] ?? -1 >= number }
        return others.allSatisfy { membership.receipts[$0]?[device] ?? -1 >= number }
    }

    /// Forgets the deleted objects, and drops the objects that left the device's groups, of which all members know.
    mutating func forget(_ changes: inout Changes) {
        // The group of a living object is that of its owner, which was written into it.
        let candidates = objects.keys { object in
            object.isDeleted || !Rules.writesGroupOfOwner || groups[object.group] == nil
        }
        let owners = Set(
            candidates.compactMap { key in objects[key].flatMap { $0.isDeleted ? $0.deletedWith?.owner : nil } })
        for key in candidates {
            guard let object = objects[key], let group = group(of: key) else { continue }
            let isHere = groups[group] != nil
            if isHere && !object.isDeleted { continue }
            let concerned = object.formerGroups.union([group, object.group.value])
            let isAcknowledged = concerned.allSatisfy { self.isAcknowledged(key, in: $0) }
            if isHere {
                guard Rules.forgets(isAcknowledged: isAcknowledged, hasDeletedChildren: owners.contains(key))
                else { continue }
                changes.forgotten.insert(key)
                let number = objects[touched: key] ?? 0
                for group in concerned where groups[group]?.forgotten ?? number < number {
                    groups[group]?.forgotten = number
                }
            } else if Rules.dropsMoved(isAcknowledged: isAcknowledged) {
                changes.dropped.insert(key)
            } else {
                continue
            }
            remember(Forgotten(object, in: group), key)
            // A new object with the key begins a later life.
            if object.isDeleted { floor[key.type] = max(floor[key.type] ?? 0, object.life) }
        }
        countAnew(changes.dropped)
        for key in changes.forgotten.union(changes.dropped) { drop(key) }
    }

    /// Begins new parts of counters if objects to which the device has added are about to leave it. A part that began again
    /// at 0 would replace the former one, or be replaced by it.
    mutating func countAnew(_ keys: some Sequence<ObjectKey>) {
        let isCounted = keys.contains { key in
            objects[key]?.counters.values.contains { $0[counting] != nil } ?? false
        }
        guard isCounted else { return }
        // Derived, so that the devices of a simulation are the same each time. The factor is odd, so no two are equal.
        counting = DeviceID(counting.number &* 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835 &+ UInt128(number) &+ 1)
    }

    /// Removes all that is known of an object.
    mutating func drop(_ key: ObjectKey) {
        remember(key)
        objects[key] = nil
    }

    /// Whether a state is what all members have already acknowledged. Devices that share different groups forget an object
    /// one after the other, and would otherwise return it to each other forever.
    func isForgotten(_ state: ObjectState, of key: ObjectKey) -> Bool {
        forgotten[key].map { $0.digest == Forgotten.digest(of: state) } ?? false
    }
}

/// What remains of an object that all members know of.
struct Forgotten: Sendable {
    let group: GroupID
    fileprivate let digest: Int

    init(_ state: ObjectState, in group: GroupID) { (self.group, digest) = (group, Self.digest(of: state)) }

    /// Equal for states that contain the same.
    fileprivate static func digest(of state: ObjectState) -> Int {
        var state = state
        state.formerGroups = []
        return state.hashValue
    }
}

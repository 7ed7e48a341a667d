// What no device needs any more.
extension Replica {
    /// Whether all members of a group have acknowledged the last change of an object.
    func isAcknowledged(_ key: ObjectKey, in group: GroupID) -> Bool {
        guard let membership = groups[group] else { return true }
        let number = objects[touched: key] ?? 0
        return membership.members.subtracting(retired).allSatisfy {
            $0 == device || membership.receipts[$0]?[device] ?? -1 >= number
        }
    }

    /// Forgets the deleted objects, and drops the objects that left the device's groups, of which all members know.
    mutating func forget(_ changes: inout Changes) {
        // The group of a living object is that of its owner, which was written into it.
        let candidates = objects.keys { object in
            object.isDeleted || !Rules.writesGroupOfOwner || groups[object.group.value] == nil
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
                floor[key.type] = max(floor[key.type] ?? 0, object.life)
                changes.forgotten.insert(key)
                rememberForgotten(key, in: group)
            } else if Rules.dropsMoved(isAcknowledged: isAcknowledged) {
                changes.dropped.insert(key)
            }
        }
        for key in changes.forgotten.union(changes.dropped) { drop(key) }
    }

    /// Removes all that is known of an object.
    mutating func drop(_ key: ObjectKey) {
        remember(key)
        objects[key] = nil
    }
}

// Groups: their members, and their objects.
extension Replica {
    /// Writes the group of the owner into each owned object, so that the device sends all of it to the members.
    ///
    /// - Parameter changed: The objects that changed; nil for all. An object without an owner moves only if it changes.
    mutating func followOwners(_ changed: KeySet? = nil) {
        let owned = Set(classes.filter { !$0.value.owners.isEmpty }.keys)
        guard let changed else { return followOwners(of: objects.keys) }
        let others = owned.isEmpty ? [] : objects.keys.filter { owned.contains($0.type) && !changed.contains($0) }
        // An array of all changed keys would need as much memory as the numbers of the objects.
        if others.isEmpty { followOwners(of: changed) } else { followOwners(of: changed + others) }
    }

    private mutating func followOwners(of keys: some Sequence<ObjectKey>) {
        var moved: [(key: ObjectKey, group: GroupID)] = []
        for key in keys {
            guard let object = objects[key], let group = group(of: key) else { continue }
            let isElsewhere = objects[place: key] ?? group != group && classes[key.type]?.owners.isEmpty == false
            if group != object.group.value {
                if Rules.writesGroupOfOwner || isElsewhere || !object.formerGroups.contains(group) {
                    moved.append((key, group))
                }
            } else if isElsewhere {
                moved.append((key, group))
            }
        }
        for (key, group) in moved.sorted(by: { $0.key < $1.key }) {
            guard let object = objects[key] else { continue }
            remember(key)
            let former: Set<GroupID> = [object.group.value, objects[place: key] ?? group]
            objects[key]?.formerGroups.formUnion(former)
            if Rules.writesGroupOfOwner, group != object.group.value {
                objects[key]?.group = Register(group, Clock(min(object.group.clock.time + 1, Clock.latest), device))
            }
            touch(key)
        }
        for key in keys {
            let group = group(of: key)
            guard group != objects[place: key] else { continue }
            if let group { followCreation(of: key, to: group) }
            objects[place: key] = group
        }
    }

    /// If an object moves before a member has acknowledged its creation, only the members of the new group receive all of
    /// it, so it is unsent until they have.
    private mutating func followCreation(of key: ObjectKey, to group: GroupID) {
        guard let creation = objects[created: key], creation.group != group,
            let sent = sentNumber(in: creation.group), creation.number > sent
        else { return }
        objects[created: key] = .init(number: objects[touched: key] ?? number, group: group)
    }

    /// Founds a group, or enters one whose members are known, with nothing in it.
    package mutating func enter(_ group: GroupID, members: Set<DeviceID> = []) {
        groups[group, default: Membership()].members.formUnion(members.union([device]))
    }

    /// Admits another device to a group.
    package mutating func admit(_ other: DeviceID, to group: GroupID) { groups[group]?.members.insert(other) }

    /// Whether `setMembers` would change nothing.
    package func hasMembers(_ members: Set<DeviceID>, of group: GroupID, sent: Int64) -> Bool {
        guard let membership = groups[group] else { return true }
        return membership.members == members && membership.receipts[device] == receipt(members, sent)
    }

    private func receipt(_ members: Set<DeviceID>, _ sent: Int64) -> [DeviceID: Int64]? {
        members.subtracting(retired) == [device] ? [device: sent] : nil
    }

    /// Replaces the members of a group whose acknowledgements count.
    ///
    /// - Parameter sent: The last number in this device's log. It counts while there are no other members.
    package mutating func setMembers(_ members: Set<DeviceID>, of group: GroupID, sent: Int64) {
        guard var membership = groups[group] else { return }
        membership.receipts[device] = receipt(members, sent)
        membership.former = membership.former.union(membership.members).subtracting(members)
        membership.members = members
        groups[group] = membership
    }

    /// Ends the membership of a device in all groups.
    package mutating func retire(_ other: DeviceID) {
        // The number lets the next batch name the device.
        if retired.insert(other).inserted { number += 1 }
    }

    /// The last number of this device that any other member has acknowledged; nil if the device is not in the group.
    func sentNumber(in group: GroupID) -> Int64? {
        guard let membership = groups[group] else { return nil }
        let others = membership.members.subtracting(retired).subtracting([device])
        return others.map { membership.receipts[$0]?[device] ?? 0 }.max() ?? 0
    }

    /// How many changed objects no other member of the group has acknowledged.
    package func unsentCount(in group: GroupID) -> Int {
        guard let sent = sentNumber(in: group) else { return 0 }
        return objects.count(editedAfter: sent) { self.group(of: $0) == group }
    }

    /// Leaves a group, and drops its objects. It throws `unsentChanges` if changes were not sent.
    package mutating func leave(_ group: GroupID, droppingUnsent: Bool = false) throws(SyncError) {
        let unsent = unsentCount(in: group)
        guard unsent == 0 || droppingUnsent else {
            throw SyncError(
                .unsentChanges,
                "\(unsent) changed objects of the group have not been sent. Nothing was dropped. Synchronize first, "
                    + "or leave with droppingUnsent: true")
        }
        let dropped = objects.keys.filter { self.group(of: $0) == group }
        groups[group] = nil
        countAnew(dropped)
        for key in dropped { drop(key) }
    }

    /// All objects of a group, for a device that joins it.
    package func snapshot(of group: GroupID) -> Snapshot? {
        guard let membership = groups[group] else { return nil }
        // Not copied, if all objects are in the group.
        var objects = objects
        for (key, object) in self.objects
        where self.group(of: key) != group && !object.formerGroups.contains(group) { objects[key] = nil }
        return Snapshot(
            group: group, objects: objects,
            received: membership.received.merging([device: number], uniquingKeysWith: max),
            members: membership.members, retired: retired, floor: floor)
    }

    /// Joins the group of a snapshot.
    package mutating func join(_ snapshot: Snapshot) {
        enter(snapshot.group, members: snapshot.members)
        groups[snapshot.group]?.received = snapshot.received
        groups[snapshot.group]?.receipts = [:]
        // The states are shared with the snapshot if they are the only ones.
        let isWhole = objects.isEmpty && !classes.values.contains(where: \.hasRenames)
        if isWhole { objects = snapshot.objects.withoutNumbers } else { objects.reserve(more: snapshot.objects.count) }
        for key in snapshot.objects.keys.sorted() {
            guard let state = snapshot.objects[key]?.renamed(by: classes[key.type], Rules.self) else { continue }
            state.forEachClock { seen in heard[seen.device] = max(heard[seen.device] ?? 0, seen.time) }
            remember(key)
            if !isWhole, objects[key]?.join(state, by: Rules.self) == nil { objects[key] = state }
            touch(key)
        }
        floor.merge(snapshot.floor, uniquingKeysWith: max)
        retired.formUnion(snapshot.retired)
        followOwners()
    }
}

// Batches between members.
extension Replica {
    /// The objects of a group that were touched after a number, at most a limit; of the objects that have left the group,
    /// stubs.
    package func batch(for group: GroupID, after: Int64, limit: Int = .max) -> Batch? {
        guard let membership = groups[group] else { return nil }
        var sent: [ObjectKey: ObjectState] = [:]
        var (last, isComplete) = (after, true)
        if after < number {
            // Other groups' objects do not count, because a part without objects is not sent.
            forEachTouched(after: after, inPartsOf: limit) { key, number in
                guard let state = content(of: key, for: group) else { return true }
                isComplete = sent.count < limit
                if isComplete { (sent[key], last) = (state, number) }
                return isComplete
            }
        }
        return Batch(
            from: device, in: group, after: after, last: isComplete ? number : last, objects: sent,
            // A part does not contain all that the device has received.
            received: isComplete ? membership.received : [:], members: membership.members, retired: retired)
    }

    /// Calls `body` for the objects that were touched after a number, in the order of their numbers, until it returns
    /// false. It sorts only so many at once as are probably needed.
    private func forEachTouched(
        after number: Int64, inPartsOf size: Int, _ body: (ObjectKey, Int64) -> Bool
    ) {
        let numbers = objects.numbers(after: number).sorted()
        var rest = numbers[...]
        while let first = rest.first, let last = rest.prefix(max(1, size)).last {
            let part = first...last
            rest = rest.drop { $0 <= last }
            let found = objects.touched(in: part).sorted { $0.number < $1.number }
            for (key, number) in found where !body(key, number) { return }
        }
    }

    /// What the members of a group are sent of an object; nil if it was never in the group.
    func content(of key: ObjectKey, for group: GroupID) -> ObjectState? {
        guard let object = objects[key], let current = self.group(of: key) else { return nil }
        if current == group { return object }
        guard object.formerGroups.contains(group) || object.group.value == group else { return nil }
        // A device that is not in the new group still has the values only for the old one.
        return groups[current] == nil ? object : Rules.stub(of: object, owners: classes[key.type]?.owners ?? [])
    }

    /// Joins what another member sent.
    package mutating func receive(_ batch: Batch) -> Reception {
        if isRetired { return .retired }
        guard let membership = groups[batch.group], !identities.contains(batch.device), !retired.contains(batch.device)
        else { return .ignored }
        let received = membership.received[batch.device] ?? 0
        if has(batch), Rules.dropsRepeatedBatches {
            guard hasNewReceipts(batch) else { return .repeated }
            var changes = Changes()
            groups[batch.group]?.receipts[batch.device, default: [:]].merge(batch.received, uniquingKeysWith: max)
            forget(&changes)
            return .applied(changes)
        }
        if batch.after > received { return .incomplete }
        var isEarly = false
        for object in batch.objects.values {
            object.forEachClock { clock in
                if DeviceClock.isEarly(for: clock, at: now) { isEarly = true }
            }
        }
        if isEarly { return .early }
        retired.formUnion(batch.retired)
        groups[batch.group]?.members.formUnion(batch.members.subtracting(membership.former))
        if retired.contains(device) {
            isRetired = true
            return .retired
        }
        var changes = Changes(changed: join(batch.objects, in: batch.group))
        for object in batch.objects.values {
            object.forEachClock { seen in
                clock.follow(seen, at: now)
                heard[seen.device] = max(heard[seen.device] ?? 0, seen.time)
            }
        }
        let changed = KeySet(changes.changed)
        followOwners(changed)
        changes.returned = returnObjects(changed)
        groups[batch.group]?.received[batch.device] = max(received, batch.last)
        groups[batch.group]?.receipts[batch.device, default: [:]].merge(batch.received, uniquingKeysWith: max)
        if Rules.closesVectors, batch.passesOnAll {
            groups[batch.group]?.received.merge(batch.received, uniquingKeysWith: max)
        }
        // Without a change to pass on, a number alone lets the next batch acknowledge this one.
        if changes.changed.isEmpty, !batch.objects.isEmpty { number += 1 }
        forget(&changes)
        return .applied(changes)
    }

    /// Whether a batch has arrived, also if another member passed its objects on.
    func has(_ batch: Batch) -> Bool { batch.last <= groups[batch.group]?.received[batch.device] ?? 0 }

    /// Whether a batch acknowledges more than its author's batches that arrived before. Other members do not pass that on.
    func hasNewReceipts(_ batch: Batch) -> Bool {
        let known = groups[batch.group]?.receipts[batch.device] ?? [:]
        return batch.received.contains { $0.value > known[$0.key] ?? -1 }
    }

    private mutating func join(_ others: [ObjectKey: ObjectState], in group: GroupID) -> Set<ObjectKey> {
        var changed: Set<ObjectKey> = []
        for (key, other) in others {
            let other = other.renamed(by: classes[key.type], Rules.self)
            remember(key)
            if objects[key] == nil {
                if isForgotten(other, of: key) { continue }
                // The members of its group send the whole object, and this device is one of their receivers.
                if other.group.value != group, groups[other.group.value] != nil, isStub(other, of: key) { continue }
                objects[key] = ObjectState(in: other.group.value, since: .none)
            }
            let former = objects[key]?.formerGroups
            // The members of a former group must receive a stub.
            if objects[key]?.join(other, by: Rules.self) == true || objects[key]?.formerGroups != former {
                changed.insert(key)
            }
        }
        for key in changed.sorted() { touch(key) }
        return changed
    }

    /// Whether a state contains no values.
    private func isStub(_ state: ObjectState, of key: ObjectKey) -> Bool {
        let owners = classes[key.type]?.owners ?? []
        return !state.isAlive && state.properties.keys.allSatisfy(owners.contains)
    }

    /// Brings back the objects whose edits their deletions did not see, and those that were deleted with owners that
    /// are alive again.
    mutating func returnObjects(_ changed: KeySet) -> Set<ObjectKey> {
        var returned: Set<ObjectKey> = []
        let edited = changed.filter { key in
            guard let object = objects[key], object.isDeleted, classes[key.type]?.keepsEdited == true else {
                return false
            }
            return Rules.returns(object)
        }
        for key in edited.sorted() { returned.formUnion(restore(key)) }
        let dependent = objects.keys { $0.deletedWith != nil }.filter { key in
            guard let object = objects[key], let owner = object.deletedWith.flatMap({ objects[$0.owner] }) else {
                return false
            }
            return Rules.returns(object, with: owner)
        }
        for key in dependent.sorted() { returned.formUnion(restore(key)) }
        return returned
    }
}

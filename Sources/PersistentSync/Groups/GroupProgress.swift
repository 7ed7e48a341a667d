/// How far the members of a group are.
package struct GroupProgress: Hashable, Sendable {
    /// The last number of each device that this device has; of itself, its own number.
    package var received: [DeviceID: Int64]
    /// The last number of each device that all members have.
    package var common: [DeviceID: Int64]
    /// The last number of this device that each other member has. Retired members do not count.
    package var acknowledged: [DeviceID: Int64]
    /// The greatest number of a deletion that this device forgot.
    package var forgotten: Int64
}

extension Replica {
    /// How far the members of a group are; nil if the device is not in it.
    package func progress(of group: GroupID) -> GroupProgress? {
        guard let membership = groups[group] else { return nil }
        let others = membership.members.subtracting(retired).subtracting([device])
        var received = membership.received
        received[device] = number
        var common = received
        for (writer, number) in received {
            let numbers = others.filter { $0 != writer }.map { membership.receipts[$0]?[writer] ?? 0 }
            common[writer] = min(number, numbers.min() ?? number)
        }
        let acknowledged = Dictionary(
            others.map { ($0, membership.receipts[$0]?[device] ?? 0) }, uniquingKeysWith: { first, _ in first })
        return GroupProgress(
            received: received, common: common, acknowledged: acknowledged, forgotten: membership.forgotten)
    }

    /// All objects of a group as its members may see them, for a file that later members read.
    package func sharedSnapshot(of group: GroupID) -> Snapshot? {
        guard var snapshot = snapshot(of: group) else { return nil }
        for key in snapshot.objects.keys where self.group(of: key) != group {
            snapshot.objects[key] = content(of: key, for: group)
        }
        return snapshot
    }
}

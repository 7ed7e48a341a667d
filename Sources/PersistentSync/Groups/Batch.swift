/// What a device sends to the members of a group: the objects that it touched after a number, up to another one.
package struct Batch: Hashable, Sendable {
    package var device: DeviceID
    package var group: GroupID
    /// The receiver must have all up to this number.
    package var after: Int64
    package var last: Int64
    package var objects: [ObjectKey: ObjectState]
    /// The last number of each device that the sender has received: its receipt.
    package var received: [DeviceID: Int64]
    package var members: Set<DeviceID>
    package var retired: Set<DeviceID>
    /// Whether the batches of the device contain all that it has received. If it leaves out values that are too large, its
    /// receipt is no promise that it passed them on.
    package var passesOnAll = true

    package init(
        from device: DeviceID, in group: GroupID, after: Int64, last: Int64, objects: [ObjectKey: ObjectState],
        received: [DeviceID: Int64] = [:], members: Set<DeviceID> = [], retired: Set<DeviceID> = []
    ) {
        (self.device, self.group, self.after, self.last, self.objects) = (device, group, after, last, objects)
        (self.received, self.members, self.retired) = (received, members, retired)
    }
}

/// All objects of a group, for a device that joins it or is reset.
package struct Snapshot: Hashable, Sendable {
    package var group: GroupID
    package var objects: ObjectMap
    /// The last number of each device that the snapshot contains.
    package var received: [DeviceID: Int64]
    package var members: Set<DeviceID>
    package var retired: Set<DeviceID>
    /// The greatest length of a life that was forgotten, by class.
    package var floor: [Text: Int64]
}

/// What a batch did.
package enum Reception: Hashable, Sendable {
    /// The batch was joined, with these results.
    case applied(Changes)
    /// It was applied before.
    case repeated
    /// A batch before it is missing.
    case incomplete
    /// A clock in it is more than a day ahead; it can be applied later.
    case early
    /// The device is not in the group, the sender was retired, or it is this device itself.
    case ignored
    /// The members have retired this device; it must be reset.
    case retired
}

/// What a batch changed.
package struct Changes: Hashable, Sendable {
    package var changed: Set<ObjectKey> = []
    /// The objects that returned from deletion.
    package var returned: Set<ObjectKey> = []
    /// The deleted objects of which all members know, so that nothing is kept of them.
    package var forgotten: Set<ObjectKey> = []
    /// The objects that left the device's groups, and whose values are no longer kept for the members.
    package var dropped: Set<ObjectKey> = []
}

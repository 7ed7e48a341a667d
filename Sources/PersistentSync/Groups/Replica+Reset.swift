// The way back for a device that was retired, and for a copied or restored file.
extension Replica {
    /// Gives the device a new identity and the objects of snapshots, one of each of its groups. Changes that were not
    /// sent are joined as state, with their clocks and their author, so that they count once if they also arrive in
    /// another way.
    ///
    /// Returns the edited objects that were deleted and forgotten meanwhile, whose changes are lost.
    package mutating func reset(as newDevice: DeviceID, to snapshots: [Snapshot]) -> Set<ObjectKey> {
        let (earlier, earlierDevice, earlierNumber) = (self, device, number)
        let known = Dictionary(
            snapshots.map { ($0.group, $0.received[earlierDevice] ?? 0) }, uniquingKeysWith: max)
        // All objects are written again.
        journal = nil
        (device, counting) = (newDevice, newDevice)
        identities.insert(newDevice)
        (isRetired, clock, number, lastElement) = (false, DeviceClock(), 0, 0)
        (objects, groups) = ([:], [:])
        (clocks, lastEdit) = ([:], 0)
        for snapshot in snapshots.sorted(by: { $0.group < $1.group }) {
            join(snapshot)
        }
        // The number of an edit is compared with the batches of the object's group: those of other groups lack the object.
        func isEditUnsent(_ key: ObjectKey) -> Bool {
            guard let last = earlier.objects[edited: key] else { return false }
            return last > earlier.group(of: key).flatMap { known[$0] } ?? known.values.max() ?? 0
        }
        var lost: Set<ObjectKey> = []
        for (key, state) in earlier.objects.sorted(by: { $0.key < $1.key }) {
            let creation = earlier.objects[created: key]
            let isUnsent = creation.map { $0.number > known[$0.group] ?? earlierNumber } ?? false
            if var object = objects[key] {
                Rules.rejoin(state, of: earlierDevice, into: &object, as: device)
                objects[key] = object
            } else if Rules.staysAfterReset(isCreatedHereAndUnsent: isUnsent) {
                objects[key] = state
                exceedFloor(key)
            } else {
                if isEditUnsent(key) { lost.insert(key) }
                continue
            }
            touch(key)
            if isUnsent, let group = group(of: key) { objects[created: key] = .init(number: number, group: group) }
            if isEditUnsent(key) {
                (objects[edited: key], lastEdit) = (number, number)
            }
        }
        followOwners()
        _ = returnObjects(KeySet(objects.keys))
        return lost
    }

    /// Raises the life of an object whose key was given by the program, and may have been forgotten meanwhile.
    private mutating func exceedFloor(_ key: ObjectKey) {
        guard let object = objects[key], object.isAlive, object.life <= floor[key.type] ?? 0 else { return }
        remember(key)
        objects[key]?.life = Rules.firstLife(after: object.life, floor: floor[key.type] ?? 0)
    }
}

// Rounds: one exchange of a device with the other members of its groups. It knows batches, records and transports, and must
// not know classes and sessions.

/// The replica of a device, as a round uses it. A store keeps it in its file; tests keep it in memory.
package protocol SyncedStore: AnyObject, Sendable {
    var device: DeviceID { get throws }
    /// How many changes the device made or passed on.
    var number: Int64 { get throws }
    /// The path of the store's file; nil in memory.
    var path: String? { get }
    /// What `setToken` stored last in the file. Another token than that of the last round means that the file was restored
    /// or copied.
    var token: RoundToken? { get throws }
    func setToken(_ token: RoundToken) throws
    /// Whether the members have retired the device.
    var isRetired: Bool { get throws }
    /// The group of the objects for which no group was chosen.
    var ownGroup: GroupID { get throws }
    /// The groups that the device has entered, without its own.
    var enteredGroups: Set<GroupID> { get throws }
    /// Converts the edits since the last call to states; returns the number of changed objects.
    @discardableResult
    func absorb() throws -> Int
    func enter(_ group: GroupID, members: Set<DeviceID>) throws
    /// Replaces the members of a group whose acknowledgements count.
    func setMembers(_ members: Set<DeviceID>, of group: GroupID, sent: Int64) throws
    func join(_ snapshot: Snapshot, from name: String) throws -> ChangedObjects
    @discardableResult
    func leave(_ group: GroupID, droppingUnsent: Bool) throws -> ChangedObjects
    func unsentCount(in group: GroupID) throws -> Int
    /// Which of some objects the device has, or has a deletion of.
    func known(_ keys: Set<ObjectKey>) throws -> Set<ObjectKey>
    func batch(for group: GroupID, after number: Int64, limit: Int) throws -> Batch?
    func receive(_ batch: Batch, from name: String) throws -> StoredReception
    func snapshot(of group: GroupID) throws -> Snapshot?
    /// The objects of a group as its members may see them.
    func sharedSnapshot(of group: GroupID) throws -> Snapshot?
    /// How far the members of a group are; nil if the device is not in it.
    func progress(of group: GroupID) throws -> GroupProgress?
    /// Ends the membership of a device whose acknowledgements do not arrive.
    func retire(_ other: DeviceID) throws
    func reset(
        as newDevice: DeviceID, to snapshots: [Snapshot], from name: String
    ) throws -> (changed: ChangedObjects, lost: Set<ObjectKey>)
}

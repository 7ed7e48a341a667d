// Stored: the replica of a store, which is kept in the store's file. It knows the rules and the file,
// and must not know files and networks of transports.

internal import Foundation
package import PersistentObjects
internal import StoreEngine
internal import Synchronization

/// The replica of a store: what this device knows of the objects on all devices, kept in the store's file.
///
/// Each call is one transaction of a separate session, which first converts the captured changes to states, so that a
/// local edit is never lost and never taken for another device's edit. Calls can come from any thread and any process.
/// A call that changes rows is announced as every commit is. Nothing is written if nothing changes.
package final class StoredReplica: Sendable {
    package typealias Rules = StandardRules

    package let store: Store
    /// The device's time, in milliseconds since 1970.
    let time: @Sendable () -> UInt64
    /// The replica as the file had it last.
    let known = Mutex<KnownReplica?>(nil)
    /// The classes as they were determined last.
    let declared = Mutex<DeclaredClasses?>(nil)

    /// Opens the replica of a store. In a file without one, it creates the tables, a new identity of the device and the
    /// device's own group.
    ///
    /// - Throws: `StoreError`, with the code `unsupported` for a store on a server; `SyncError` with the code
    ///   `newerFormat` for a file that a later version of the library has synchronized.
    package init(_ store: Store, time: @escaping @Sendable () -> UInt64 = { StoredReplica.systemTime }) throws {
        (self.store, self.time) = (store, time)
        let exists = try withSession { session in
            try session.connection.require(.capture)
            let tables = StateTables(session.connection)
            guard try tables.exist else { return false }
            try tables.checkFormat()
            return true
        }
        if !exists { try update { _ in } }
    }

    /// The system's time, in milliseconds since 1970.
    package static var systemTime: UInt64 { UInt64(max(0, Date().timeIntervalSince1970 * 1000)) }
}

// The device and its groups.
extension StoredReplica {
    /// The identity of the device. A reset changes it.
    package var device: DeviceID {
        get throws { try single("device") { value in UInt128(value).map { DeviceID($0) } } }
    }

    /// How many changes the device made or passed on, without those that are captured only. It never decreases, except
    /// in a file that was restored.
    package var number: Int64 { get throws { try single("number") { $0.integer } } }

    /// Whether the members have retired the device, so that it must be reset.
    package var isRetired: Bool { get throws { try single("retired") { $0.integer == 1 } } }

    /// The device's own group, which contains the objects for which no group was chosen.
    package var ownGroup: GroupID {
        get throws { try single("group") { value in UInt128(value).map { GroupID($0) } } }
    }

    /// All groups of the device, with what it knows of their members.
    package var groups: [GroupID: Replica<Rules>.Membership] {
        get throws { try readGroups { replica, _ in replica.groups } }
    }

    /// The groups that the device has entered, without its own.
    package var enteredGroups: Set<GroupID> {
        get throws {
            let own = try ownGroup
            return try withSession { Set(try StateTables($0.connection).groups).subtracting([own]) }
        }
    }

    /// The path of the store's file; nil in memory.
    package var path: String? { store.path }

    /// Replaces the members of a group whose acknowledgements count.
    package func setMembers(_ members: Set<DeviceID>, of group: GroupID, sent: Int64) throws {
        guard try readGroups({ replica, _ in !replica.hasMembers(members, of: group, sent: sent) }) else { return }
        try update { $0.setMembers(members, of: group, sent: sent) }
    }

    /// Founds a group, or enters one whose members are known, with nothing in it.
    package func enter(_ group: GroupID, members: Set<DeviceID> = []) throws {
        try update { $0.enter(group, members: members) }
    }

    /// Makes a group of the device the one that contains the objects for which no group was chosen.
    package func useAsOwn(_ group: GroupID) throws { try update(ownGroup: group) { _ in } }

    /// Admits another device to a group.
    package func admit(_ other: DeviceID, to group: GroupID) throws { try update { $0.admit(other, to: group) } }

    /// Ends the membership of a device in all groups.
    package func retire(_ other: DeviceID) throws { try update { $0.retire(other) } }

    /// Joins the group of a snapshot, and shows its objects.
    ///
    /// - Parameter name: The name of the sender, for the history.
    package func join(_ snapshot: Snapshot, from name: String) throws -> ChangedObjects {
        try update(from: name) { $0.join(snapshot) }.changed
    }

    /// Leaves a group. Its rows are removed from this device, and from no other.
    ///
    /// - Throws: `SyncError` with the code `unsentChanges` if changes were not sent, unless `droppingUnsent`.
    @discardableResult
    package func leave(_ group: GroupID, droppingUnsent: Bool = false) throws -> ChangedObjects {
        try update { try $0.leave(group, droppingUnsent: droppingUnsent) }.changed
    }

    /// The number of changed objects of a group that no other member has acknowledged.
    package func unsentCount(in group: GroupID) throws -> Int {
        try absorb()
        return try readGroups { replica, tables in
            guard let tables else { return replica.unsentCount(in: group) }
            guard let sent = replica.sentNumber(in: group), sent < replica.lastEdit else { return 0 }
            return try tables.editedCount(in: group, after: sent)
        }
    }
}

// Rounds.
extension StoredReplica {
    /// Converts the captured changes to states; returns the number of changed objects.
    @discardableResult
    package func absorb() throws -> Int {
        guard try hasWork else { return 0 }
        return try update { _ in }.absorbed
    }

    /// The objects of a group that the device made or changed, or learned of, after a number; nil if the device is not
    /// in the group.
    ///
    /// - Parameters:
    ///   - number: A number of this device; 0 for all objects.
    ///   - limit: The greatest number of objects. The batch's `last` is where the next one begins.
    package func batch(for group: GroupID, after number: Int64, limit: Int = .max) throws -> Batch? {
        try absorb()
        // Without changes, the objects are not needed.
        let batch: Batch?? = try readGroups { replica, tables in
            tables != nil && replica.number > number
                ? .none : .some(replica.batch(for: group, after: number, limit: limit))
        }
        return try batch ?? read { $0.batch(for: group, after: number, limit: limit) }
    }

    /// Which of some objects the device has, or has a deletion of.
    package func known(_ keys: Set<ObjectKey>) throws -> Set<ObjectKey> {
        try read { replica in keys.filter { replica.objects[$0] != nil } }
    }

    /// Joins a batch of another member with the captured changes, and writes the rows that it changes.
    ///
    /// - Parameter name: The sender's name: the author of the entries in histories is "sync: NAME".
    /// - Throws: `StoreError` if the file cannot be written. No content of a batch throws.
    package func receive(_ batch: Batch, from name: String) throws -> StoredReception {
        if let known = known.withLock({ $0 }), try !hasWork,
            known.replica.has(batch), !known.replica.hasNewReceipts(batch), !known.replica.isRetired
        {
            return StoredReception(reception: .repeated, changed: ChangedObjects(), conflicts: [])
        }
        var conflicts: [SyncConflict] = []
        let result = try update(from: name) { replica in
            let edits = replica.has(batch) ? nil : ContestedEdits(replica, batch)
            let reception = replica.receive(batch)
            if let edits, case .applied = reception { conflicts = edits.conflicts(with: batch, in: replica) }
            return reception
        }
        return StoredReception(reception: result.value, changed: result.changed, conflicts: conflicts + result.held)
    }

    /// All objects of a group, for a device that joins it; nil if the device is not in the group.
    package func snapshot(of group: GroupID) throws -> Snapshot? {
        try absorb()
        return try read { $0.snapshot(of: group) }
    }

    /// All objects of a group as its members may see them; nil if the device is not in the group.
    package func sharedSnapshot(of group: GroupID) throws -> Snapshot? {
        try absorb()
        return try read { $0.sharedSnapshot(of: group) }
    }

    /// How far the members of a group are; nil if the device is not in it.
    package func progress(of group: GroupID) throws -> GroupProgress? {
        try readGroups { replica, _ in replica.progress(of: group) }
    }

    /// The data that is known and not shown, with the reasons.
    package func waiting() throws -> [WaitingData] {
        try absorb()
        return try withKnown { WaitingData.all($0.visibility) }
    }

    /// Gives a device that was retired, copied or restored a new identity and the objects of snapshots, one for each of
    /// its groups. Changes that were not sent are kept.
    ///
    /// - Returns: The changed rows, and the objects whose unsent changes are lost.
    package func reset(
        as newDevice: DeviceID, to snapshots: [Snapshot], from name: String
    ) throws -> (changed: ChangedObjects, lost: Set<ObjectKey>) {
        let result = try update(from: name) { $0.reset(as: newDevice, to: snapshots) }
        return (result.changed, result.value)
    }
}

// Single objects.
extension StoredReplica {
    /// What other devices know an object by; nil if it has no row, or its class is not synced.
    package func key(of object: PersistentObject) throws -> ObjectKey? {
        guard let id = object.id else { return nil }
        return try withSession { try FileObjects($0).key(of: id, String(describing: type(of: object))) }
    }

    /// The name of an object's class in this program.
    func className(of key: ObjectKey) -> String { SyncedShape.className(of: key.type.string, in: store) }

    /// The group of an object; nil if it is not known.
    package func group(of key: ObjectKey) throws -> GroupID? {
        try absorb()
        return try read { $0.group(of: key) }
    }

    /// Moves objects, and the objects that they own, to another group of the device.
    package func move(_ keys: [ObjectKey], to group: GroupID) throws {
        try update { replica in replica.move(keys.map { ($0, group) }) }
    }

    /// Chooses the group of an object, in the current transaction of its session: the next call of a replica moves the
    /// object. A rollback restores the earlier choice.
    ///
    /// - Parameter group: A group of the device; nil for its own one.
    package static func choose(_ group: GroupID?, for object: PersistentObject, in session: Session) throws {
        guard let id = object.id else { return }
        try ChosenGroups.choose(group, for: id, of: String(describing: type(of: object)), in: session)
    }

    /// Writes a property again: what the user decides about a conflict.
    package func write(_ value: SyncValue, to property: Text, of key: ObjectKey) throws -> ChangedObjects {
        try update { $0.set(property, of: key, to: value) }.changed
    }

    /// Gives up a value, shown or not, unless it was overwritten meanwhile.
    package func giveUp(
        _ value: SyncValue, for other: SyncValue, in property: Text, of key: ObjectKey
    ) throws -> ChangedObjects {
        try update { replica in
            guard replica.objects[key]?.properties[property]?.value == value else { return }
            replica.set(property, of: key, to: other)
        }.changed
    }
}

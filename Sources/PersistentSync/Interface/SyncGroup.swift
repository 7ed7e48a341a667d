internal import Foundation
public import PersistentObjects

/// A group of devices that have the same objects.
///
/// ```swift
/// let family = try await sync.makeGroup("Family")
/// for member in try await family.members { print(member.name) }
/// ```
public final class SyncGroup: Sendable {
    let sync: Sync
    let id: GroupID
    /// The name that its founder gave it.
    public let name: String

    init(_ sync: Sync, _ id: GroupID, _ name: String) { (self.sync, self.id, self.name) = (sync, id, name) }

    /// Moves a saved object to the group, in the current transaction of its session.
    ///
    /// Objects that refer to it and are deleted with it follow. Objects in its collections do not, so add them, too. The
    /// object leaves the group in which it was. Objects that were never added to a group stay on this device.
    ///
    /// ```swift
    /// try note.save()
    /// try family.add(note)
    /// ```
    ///
    /// `note.setSyncGroup(family)` does the same, also for an object that was not saved yet.
    ///
    /// - Throws: `SyncError` with the code `needsKey` if the object has no row, or if its class is not synced;
    ///   `notAuthorised` if the device of the object's store is not in the group.
    public func add(_ object: PersistentObject) throws {
        let className = String(describing: type(of: object))
        guard type(of: object).isSynced, let session = object.savingSession else {
            throw SyncError(
                .needsKey,
                "The object of the class \(className) has no row, or its class is not synced. Nothing was changed. Save it "
                    + "first, or override isSynced in its class")
        }
        try StoredReplica.choose(id, for: object, in: session)
    }

    /// Makes an invitation to the group, and returns its code: "PO1-" and 52 more characters.
    ///
    /// The code permits to read the group and to join it, so send it in a way that you trust. The device that made it
    /// admits the other device in its next round.
    ///
    /// ```swift
    /// print(try await family.invitation(validFor: .seconds(3600)))
    /// ```
    ///
    /// - Parameters:
    ///   - duration: How long the code is valid; 7 days by default.
    ///   - uses: How many devices may join by it.
    public func invitation(validFor duration: Duration = .seconds(7 * 86_400), uses: Int = 1) async throws -> String {
        try await sync.device.invite(
            to: id, milliseconds: UInt64(max(1, duration.components.seconds)) * 1000, uses: uses)
    }

    /// The members, by name.
    public var members: [SyncMember] {
        get async throws {
            let (own, all) = try await sync.device.members(of: id)
            return all.map { SyncMember(name: $0.name, isThisDevice: $0.signing == own, key: $0.signing) }
        }
    }

    /// Removes a member. It keeps the objects that it has, and can read no later changes.
    ///
    /// Unused invitations stay valid.
    ///
    /// ```swift
    /// for member in try await family.members where member.name == "Lost phone" { try await family.remove(member) }
    /// ```
    public func remove(_ member: SyncMember) async throws { try await sync.device.remove([member.key], from: id) }

    /// Leaves the group: its objects are removed from this device, and from no other one.
    ///
    /// - Parameter droppingUnsent: Whether to leave although changes have not reached another member.
    /// - Throws: `SyncError` with the code `unsentChanges` if changes have not reached another member.
    public func leave(droppingUnsent: Bool = false) async throws {
        try await sync.device.leave(id, droppingUnsent: droppingUnsent)
    }
}

/// A member of a group: a device.
public struct SyncMember: Sendable, Hashable {
    /// The name that the device gave itself.
    public let name: String
    /// Whether it is this device.
    public let isThisDevice: Bool
    let key: Data
}

extension Sync {
    /// The groups of the device, in the order in which it founded or joined them.
    public var groups: [SyncGroup] {
        get throws {
            try device.currentState().groups.filter { !$0.isLeaving }.map { SyncGroup(self, $0.id, $0.name) }
        }
    }

    /// Founds a group, with this device as its only member.
    public func makeGroup(_ name: String) async throws -> SyncGroup {
        SyncGroup(self, try await device.makeGroup(name), name)
    }

    /// Joins the group of an invitation. Its objects arrive at once.
    ///
    /// Changes of this device reach the members when the device that made the invitation has admitted this one, which it
    /// does in its next round.
    ///
    /// ```swift
    /// let family = try await sync.join("PO1-…")
    /// ```
    ///
    /// - Throws: `SyncError` with the code `notAuthorised` if the code is not valid, has ended, or was used.
    public func join(_ invitation: String) async throws -> SyncGroup {
        let (id, report) = try await metering { try await device.join(invitation) }
        _ = finish(report)
        return SyncGroup(self, id, try device.currentState()[id]?.name ?? "")
    }

    /// The group of an object; nil if it is on this device only, or if its class is not synced.
    ///
    /// Of an object that was not saved yet, it is the group that `setSyncGroup(_:)` has set.
    public func group(of object: PersistentObject) throws -> SyncGroup? {
        if object.isNew { return (FirstSaves.work(of: object) as? GroupOfFirstSave)?.group }
        guard let key = try replica.key(of: object), let group = try replica.group(of: key) else { return nil }
        return try groups.first { $0.id == group }
    }
}

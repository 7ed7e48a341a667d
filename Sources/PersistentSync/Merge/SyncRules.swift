// Merge: the rules by which states are joined and shown. It knows states, and must not know devices and batches.

/// The decisions on which all devices must agree.
///
/// Programs use `StandardRules`. Tests replace one decision, to show that a wrong one is noticed.
package protocol SyncRules: Sendable {
    /// Whether a write wins against another one.
    static func supersedes(_ one: Clock, _ other: Clock) -> Bool
    /// The clock that an edit must exceed, given the clock of what it overwrites.
    static func exceeded(_ overwritten: Clock) -> Clock
    /// The clocks that a deletion saw, in a class that declares `keepsEdited`.
    static func seen(by deletion: ObjectState) -> [Text: Clock]
    /// Whether a deleted object of a class that declares `keepsEdited` has an edit that the deletion did not see.
    static func returns(_ deleted: ObjectState) -> Bool
    /// Whether a deleted object returns with the owner whose deletion deleted it.
    static func returns(_ deleted: ObjectState, with owner: ObjectState) -> Bool
    /// The length of the life of an object that is created above all lengths that were forgotten.
    static func firstLife(after life: Int64, floor: Int64) -> Int64
    /// The group of an object whose owner is in another one.
    static func group(of object: ObjectState, owner: GroupID) -> GroupID
    /// Whether a device writes the group of the owner into the owned object.
    static var writesGroupOfOwner: Bool { get }
    /// What the members of a group are sent of an object that left it.
    static func stub(of object: ObjectState, owners: [Text]) -> ObjectState
    /// Whether a device that received a batch knows all that the sender knew.
    static var closesVectors: Bool { get }
    /// Whether a batch that was applied before is dropped.
    static var dropsRepeatedBatches: Bool { get }
    /// Whether a deleted object is forgotten.
    static func forgets(isAcknowledged: Bool, hasDeletedChildren: Bool) -> Bool
    /// Whether an object that left the device's groups is dropped.
    static func dropsMoved(isAcknowledged: Bool) -> Bool
    /// Joins the state before a reset into the state of the snapshot.
    static func rejoin(
        _ earlier: ObjectState, of earlierDevice: DeviceID, into object: inout ObjectState, as device: DeviceID)
    /// Whether an object that the snapshot of a reset lacks stays.
    static func staysAfterReset(isCreatedHereAndUnsent: Bool) -> Bool
}

/// The rules of all programs.
package enum StandardRules: SyncRules {}

extension SyncRules {
    package static func supersedes(_ one: Clock, _ other: Clock) -> Bool { one > other }

    package static func exceeded(_ overwritten: Clock) -> Clock { overwritten }

    package static func seen(by deletion: ObjectState) -> [Text: Clock] { deletion.properties.mapValues(\.clock) }

    package static func returns(_ deleted: ObjectState) -> Bool {
        deleted.properties.contains { $0.value.clock > deleted.seen[$0.key] ?? .none }
    }

    package static func returns(_ deleted: ObjectState, with owner: ObjectState) -> Bool {
        deleted.isDeleted && owner.isAlive && deleted.deletedWith.map { owner.life > $0.life } == true
    }

    package static func firstLife(after life: Int64, floor: Int64) -> Int64 {
        let first = Life.next(max(life, floor))
        return Life.isAlive(first) ? first : Life.next(first)
    }

    package static func group(of object: ObjectState, owner: GroupID) -> GroupID { owner }

    package static var writesGroupOfOwner: Bool { true }

    package static func stub(of object: ObjectState, owners: [Text]) -> ObjectState {
        var stub = ObjectState(in: object.group.value, since: object.group.clock)
        // A life in a stub would be shown without values. A deletion is never shown, and a device that has earlier
        // values must know of it: after the deletion is forgotten, it could bring the object back.
        if object.isDeleted {
            (stub.life, stub.seen, stub.deletedWith) = (object.life, object.seen, object.deletedWith)
        }
        stub.properties = object.properties.only { owners.contains($0) }
        stub.formerGroups = object.formerGroups
        return stub
    }

    package static var closesVectors: Bool { true }

    package static var dropsRepeatedBatches: Bool { true }

    package static func forgets(isAcknowledged: Bool, hasDeletedChildren: Bool) -> Bool {
        isAcknowledged && !hasDeletedChildren
    }

    package static func dropsMoved(isAcknowledged: Bool) -> Bool { isAcknowledged }

    package static func rejoin(
        _ earlier: ObjectState, of earlierDevice: DeviceID, into object: inout ObjectState, as device: DeviceID
    ) { object.join(earlier, by: Self.self) }

    package static func staysAfterReset(isCreatedHereAndUnsent: Bool) -> Bool { isCreatedHereAndUnsent }
}

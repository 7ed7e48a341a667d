package import Foundation
internal import Sealing

// Groups: founding, inviting, joining, removing, leaving.
extension SyncDevice {
    private static let firstEpoch = 1 << 16

    /// Founds a group with this device as its only member.
    package func makeGroup(_ name: String) async throws -> GroupID {
        let group = GroupID(.random(in: .min ... .max))
        try await withState { state in
            let keys = MemberKeys()
            let own = Member(try store.device, name: self.name, keys: keys)
            state[group] = GroupState(
                group, name: name, keys: keys, roots: [own],
                secrets: [Self.firstEpoch: Data(Sealing.random(Sealing.keySize))])
            try write(state)
            try store.enter(group, members: [own.device])
        }
        return group
    }

    /// The members of a group; of this device, the key.
    package func members(of group: GroupID) async throws -> (own: Data, all: [Member]) {
        try await withState { state in
            let own = try self.state(of: group, in: state)
            var problems: [RoundProblem] = []
            let roster = try await roster(own, try await list(group), &problems)
            return (Data(Sealing.publicKey(of: own.keys.signing.bytes)), roster.list)
        }
    }

    func state(of group: GroupID, in state: DeviceState) throws(SyncError) -> GroupState {
        guard let own = state[group], !own.isLeaving else {
            throw SyncError(
                .notAuthorised, "The device is not in the group. Nothing was changed. Join the group with an invitation"
            )
        }
        return own
    }

    /// Removes members from a group, whose later batches they cannot read.
    package func remove(_ keys: Set<Data>, from group: GroupID) async throws {
        try await withState { state in
            let own = try self.state(of: group, in: state)
            var problems: [RoundProblem] = []
            var roster = try await roster(own, try await list(group), &problems)
            let present = keys.intersection(roster.members.keys)
            guard !present.isEmpty else { return }
            guard roster.members[Data(Sealing.publicKey(of: own.keys.signing.bytes))] != nil else {
                throw SyncError(
                    .notAuthorised,
                    "No member has admitted this device to the group yet. Nothing was changed. Try again after a meeting"
                )
            }
            roster = try await write(
                roster.removal(of: present, secret: Data(Sealing.random(Sealing.keySize))), own, roster)
            try setMembers(of: own, to: roster)
        }
    }

    /// Leaves a group: its objects leave this device. The other members keep them.
    package func leave(_ group: GroupID, droppingUnsent: Bool) async throws {
        if !droppingUnsent { _ = try await meet() }
        try await withState { state in
            guard var own = state[group] else {
                // The keys of a copied file's groups are on another device.
                if try store.enteredGroups.contains(group) {
                    try store.leave(group, droppingUnsent: droppingUnsent)
                }
                return
            }
            let unsent = try unsentCount(of: own, in: group)
            guard droppingUnsent || unsent == 0 else {
                throw SyncError(
                    .unsentChanges,
                    "\(unsent) changed objects of the group have not reached another member. Nothing was dropped. Leave when "
                        + "another member has received them, or with droppingUnsent: true")
            }
            own.isLeaving = true
            state[group] = own
            try write(state)
            try await end(own)
            try store.leave(group, droppingUnsent: true)
            state[group] = nil
        }
    }

    /// Reports the end of the membership. If the transport cannot be reached, the other members wait for this member's
    /// receipts until they remove it.
    private func end(_ own: GroupState) async throws {
        var problems: [RoundProblem] = []
        let key = Data(Sealing.publicKey(of: own.keys.signing.bytes))
        guard let entries = try? await list(own.id),
            let roster = try? await roster(own, entries, &problems), roster.members[key] != nil
        else { return }
        var record = MemberRecord(members: [])
        record.removed = [roster.endedMembership(of: key)]
        _ = try? await write(record, own, roster)
    }
}

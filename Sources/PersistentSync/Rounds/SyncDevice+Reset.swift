internal import Foundation
internal import Sealing

// Restored and copied files.
extension SyncDevice {
    /// Gives the device a new identity, and the objects that the logs of its groups contain. Unsent changes are kept.
    ///
    /// - Parameter joining: A group that the device joins, with its content.
    func reset(
        _ state: inout DeviceState, _ report: inout RoundReport, joining: (own: GroupState, content: Snapshot)? = nil
    ) async throws {
        let device = DeviceID(.random(in: .min ... .max))
        var next = DeviceState(device)
        var snapshots: [Snapshot] = []
        // The file of the last round goes on as the former member.
        let isCopy = state.path.map { $0 != location && FileManager.default.fileExists(atPath: $0) } ?? false
        for own in state.groups where !own.isLeaving {
            let (new, content) = try await succeed(own, as: device, endsFormer: !isCopy, &report)
            next[own.id] = new
            snapshots.append(content)
        }
        if let joining {
            next[joining.own.id] = joining.own
            snapshots.append(joining.content)
        }
        // Another version of this file may have sent other changes under the same numbers.
        let (former, sent) = (try store.device, try store.token?.number ?? 0)
        for index in snapshots.indices {
            if let known = snapshots[index].received[former] { snapshots[index].received[former] = min(known, sent) }
        }
        // There are no logs of the device's group, and it cannot read those of groups without keys. Their content counts as
        // unsent.
        let known = Set(snapshots.map(\.group))
        for group in try store.enteredGroups.union([try store.ownGroup]).subtracting(known).sorted() {
            guard var content = try store.snapshot(of: group) else { continue }
            content.received[former] = nil
            snapshots.append(content)
        }
        try write(next)
        let result = try store.reset(as: device, to: snapshots, from: name)
        try renewToken(&next)
        report.changed.append(result.changed)
        report.lost.formUnion(result.lost)
        state = next
    }

    /// Stores a new token in the file and in the state, so that an earlier copy of the file is noticed.
    func renewToken(_ state: inout DeviceState) throws {
        let token = RoundToken(.random(in: .min ... .max), at: try store.number)
        state.nextToken = token
        try write(state)
        try store.setToken(token)
        (state.token, state.nextToken) = (token, nil)
    }

    /// Replaces this member by one with the new identity. The former member admits its successor, which then ends the former
    /// membership.
    private func succeed(
        _ own: GroupState, as device: DeviceID, endsFormer: Bool, _ report: inout RoundReport
    ) async throws -> (GroupState, Snapshot) {
        let entries = try await list(own.id)
        var roster = try await roster(own, entries, &report.problems)
        // The author of a snapshot may be the former member. If something cannot be read, no record was written yet.
        let history = try await history(roster, entries)
        let former = Data(Sealing.publicKey(of: own.keys.signing.bytes))
        var new = GroupState(own.id, name: own.name, keys: MemberKeys(), roots: roster.list, secrets: roster.secrets)
        new.request = own.request
        if roster.members[former] != nil {
            new.request = nil
            let member = Member(device, name: name, keys: new.keys)
            roster = try await write(roster.admission(of: member), own, roster)
            new.roots = roster.list
            if endsFormer {
                let secret = Data(Sealing.random(Sealing.keySize))
                roster = try await write(roster.removal(of: [former], secret: secret), new, roster)
            }
        } else {
            // The invitation admits the new identity.
            try await withdraw(own, entries)
        }
        report.problems += history.problems
        (new.received, new.joined) = (history.chains, new.request == nil ? nil : history.read)
        return (new, history.snapshot)
    }
}

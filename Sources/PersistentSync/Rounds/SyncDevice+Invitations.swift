internal import Foundation
internal import Sealing

// Invitations.
extension SyncDevice {
    /// Makes an invitation, and writes what its holder needs.
    ///
    /// - Returns: The code of the invitation.
    package func invite(to group: GroupID, milliseconds: UInt64, uses: Int) async throws -> String {
        try await withState { state in
            var own = try self.state(of: group, in: state)
            let invitation = Invitation(to: group)
            own.issued.append(
                GroupState.Issued(
                    invitation: invitation, uses: max(1, uses), end: time() + max(1000, milliseconds), epoch: nil))
            state[group] = own
            try write(state)
            let entries = try await list(group)
            var problems: [RoundProblem] = []
            let roster = try await roster(own, entries, &problems)
            try await publish(&own, roster, entries)
            state[group] = own
            return invitation.code
        }
    }

    private func invitationName(_ invitation: Invitation, _ epoch: Int) -> String { "i-\(invitation.name)-\(epoch)" }

    private func requestName(_ invitation: Invitation, _ key: some Sequence<UInt8>) -> String {
        "j-\(invitation.name)-\(HexName.text(key.prefix(8)))"
    }

    private func requests(_ invitation: Invitation, _ entries: [SyncEntry]) -> [SyncEntry] {
        entries.filter { $0.kind == .members && $0.name.hasPrefix("j-\(invitation.name)-") }
    }

    /// Writes the records of invitations for the present epoch, and removes those of ended ones.
    func publish(_ own: inout GroupState, _ roster: Roster, _ entries: [SyncEntry]) async throws {
        for index in own.issued.indices.reversed() {
            let issued = own.issued[index]
            let isUsed = issued.uses == 0 && requests(issued.invitation, entries).isEmpty
            if isUsed || issued.end <= time() {
                try await remove(issued, of: own.id)
                own.issued.remove(at: index)
            } else if issued.epoch != roster.epoch {
                // A crash can leave the record of this epoch without a note of it in the state.
                if let written = try await read(issued.invitation, entries), written.epoch == roster.epoch {
                    own.issued[index].epoch = written.epoch
                    continue
                }
                let record = InvitationRecord(
                    name: own.name, members: roster.list, secrets: roster.secrets, end: issued.end)
                let bytes = SealedRecord.bytes(
                    .invitation, try RecordJSON.bytes(of: record), in: own.id, epoch: 0,
                    secret: issued.invitation.secret, signedBy: own.keys.signing.bytes)
                try await write(bytes, invitationName(issued.invitation, roster.epoch), to: own.id)
                try await remove(issued, of: own.id)
                own.issued[index].epoch = roster.epoch
            }
        }
    }

    /// Removes the record of an invitation.
    private func remove(_ issued: GroupState.Issued, of group: GroupID) async throws {
        guard let epoch = issued.epoch,
            let entry = SyncEntry(group, .members, name: invitationName(issued.invitation, epoch), size: 1)
        else { return }
        try await transport.remove(entry)
    }

    /// Admits the devices that ask with an invitation of this device.
    func admit(
        _ own: inout GroupState, _ roster: Roster, _ entries: [SyncEntry], _ report: inout RoundReport
    ) async throws -> Roster {
        var roster = roster
        for index in own.issued.indices where own.issued[index].end > time() {
            let invitation = own.issued[index].invitation
            for entry in requests(invitation, entries) where own.issued[index].uses > 0 {
                do {
                    let record = try SealedRecord(try await read(entry))
                    guard record.kind == .request, record.group == own.id else { continue }
                    let body = try record.body(secret: invitation.secret)
                    let request = try RecordJSON.record(body, JoinRequest.self)
                    let member = request.member
                    guard member.isValid, member.signing == Data(record.author),
                        roster.members[member.signing] == nil, !roster.removed.contains(member.signing),
                        !roster.devices.contains(member.device)
                    else { continue }
                    guard try knowsForgotten(request, own.id) else {
                        let secret = Data(Sealing.random(Sealing.keySize))
                        roster = try await write(roster.removal(of: [member.signing], secret: secret), own, roster)
                        continue
                    }
                    roster = try await write(roster.admission(of: member), own, roster)
                    own.issued[index].uses -= 1
                } catch let error as SyncError {
                    report.problems.append(RoundProblem(error, in: own.id, file: entry.name))
                }
            }
        }
        return roster
    }

    /// Whether a device that asks had received all deletions that this device has forgotten. No member awaited it, and an
    /// edit that it has already sent would bring back an object that the members no longer know.
    private func knowsForgotten(_ request: JoinRequest, _ group: GroupID) throws -> Bool {
        guard let received = request.received, let progress = try store.progress(of: group) else { return true }
        return received[try store.device] ?? 0 >= progress.forgotten
    }

    /// Reads the latest record of an invitation.
    private func read(
        _ invitation: Invitation, _ entries: [SyncEntry]
    ) async throws -> (record: InvitationRecord, epoch: Int)? {
        let prefix = "i-\(invitation.name)-"
        let files = entries.filter { $0.kind == .members && $0.name.hasPrefix(prefix) }
            .compactMap { entry in Int(entry.name.dropFirst(prefix.count)).map { (entry, $0) } }
            .sorted { $0.1 > $1.1 }
        for (entry, epoch) in files {
            let bytes: [UInt8]
            do { bytes = try await read(entry) } catch let error as SyncError {
                // Without a connection, nothing is known about the invitation.
                guard error.code == .damagedBatch else { throw error }
                continue
            }
            guard let record = try? SealedRecord(bytes), record.kind == .invitation,
                record.group == invitation.group, let body = try? record.body(secret: invitation.secret),
                let content = try? RecordJSON.record(body, InvitationRecord.self),
                content.members.contains(where: { $0.signing == Data(record.author) })
            else { continue }
            return (content, epoch)
        }
        return nil
    }

    /// Joins the group of an invitation: its objects arrive at once, and the members accept this device's changes when the
    /// inviting device has met.
    package func join(_ code: String) async throws -> (group: GroupID, report: RoundReport) {
        let invitation = try Invitation(code: code)
        let group = invitation.group
        return try await withState { state in
            var report = RoundReport()
            guard state[group] == nil else {
                throw SyncError(
                    .notAuthorised,
                    "The device is already in the group of the invitation. Nothing was changed. If the members removed it, "
                        + "leave the group first, with droppingUnsent: true")
            }
            let entries = try await list(group)
            guard let record = try await read(invitation, entries)?.record, record.end > time() else {
                throw SyncError(
                    .notAuthorised,
                    "The invitation has ended or was used, or its file has not arrived yet. Nothing was changed. Try again "
                        + "later, or use a new invitation")
            }
            var own = GroupState(
                group, name: record.name, keys: MemberKeys(), roots: record.members, secrets: record.secrets)
            own.request = invitation
            let roster = try await roster(own, entries, &report.problems)
            let history = try await history(roster, entries)
            report.problems += history.problems
            (own.received, own.joined) = (history.chains, history.read)
            // A copied file takes part as a new device.
            if try store.enteredGroups.contains(group) || roster.devices.contains(store.device) {
                try await reset(&state, &report, joining: (own, history.snapshot))
            } else {
                // The device continues its log if it was in the group before.
                if let log = history.chains[try store.device] { own.sent = log }
                state[group] = own
                try write(state)
                report.changed.append(try store.join(history.snapshot, from: record.name))
            }
            try await ask(state[group] ?? own)
            return (group, report)
        }
    }

    /// Asks the members for admission.
    private func ask(_ own: GroupState) async throws {
        guard let invitation = own.request else { return }
        let member = Member(try store.device, name: name, keys: own.keys)
        let bytes = SealedRecord.bytes(
            .request, try RecordJSON.bytes(of: JoinRequest(member, received: own.joined ?? [:])),
            in: own.id, epoch: 0, secret: invitation.secret, signedBy: own.keys.signing.bytes)
        try await write(bytes, requestName(invitation, member.signing), to: own.id)
    }

    /// Removes the request of this device.
    func withdraw(_ own: GroupState, _ entries: [SyncEntry]) async throws {
        guard let invitation = own.request else { return }
        let name = requestName(invitation, Sealing.publicKey(of: own.keys.signing.bytes))
        for entry in requests(invitation, entries) where entry.name == name { try await transport.remove(entry) }
    }

    /// Follows the request of this device until a member has admitted it.
    ///
    /// - Throws: `OlderFile` if the request was refused, because the members forgot deletions meanwhile.
    func follow(
        _ own: inout GroupState, _ roster: Roster, _ entries: [SyncEntry], _ report: inout RoundReport
    ) async throws -> Roster {
        guard let invitation = own.request else { return roster }
        let key = Data(Sealing.publicKey(of: own.keys.signing.bytes))
        if roster.members[key] != nil || roster.isFormerMember(key) {
            try await withdraw(own, entries)
            (own.request, own.joined, own.roots) = (nil, nil, roster.list)
            return roster
        }
        let name = requestName(invitation, key)
        if !requests(invitation, entries).contains(where: { $0.name == name }) { try await ask(own) }
        var roster = roster
        // A new epoch can begin before the admission.
        if let (record, epoch) = try await read(invitation, entries), epoch > roster.epoch {
            own.secrets.merge(record.secrets) { known, _ in known }
            own.roots = record.members
            roster = try await self.roster(own, entries, &report.problems)
        }
        if roster.removed.contains(key) { throw OlderFile() }
        return roster
    }
}

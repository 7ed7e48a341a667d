internal import Foundation
internal import Sealing

// Rounds.
extension SyncDevice {
    /// Sends and receives once, in all groups.
    package func meet() async throws -> RoundReport {
        try await withState { state in
            var report = RoundReport()
            guard try await checkIdentity(&state, &report) else { return report }
            try store.absorb()
            var groups: Set<GroupID> = []
            while let next = state.groups.map(\.id).first(where: { !groups.contains($0) }) {
                groups.insert(next)
                let problems = report.problems
                do {
                    try await meet(next, &state, &report)
                } catch is OlderFile {
                    // What the logs lacked is in the snapshots of the reset.
                    report.problems = problems
                    try await reset(&state, &report)
                    // Each group has new keys and a new log now.
                    groups = []
                } catch let error as SyncError {
                    report.problems.append(RoundProblem(error, in: next))
                }
            }
            let number = try store.number
            if !state.groups.isEmpty, state.token?.number != number || state.nextToken != nil {
                try renewToken(&state)
            }
            state.path = location
            return report
        }
    }

    /// Whether the file belongs to the keys of this device. A restored file is reset.
    private func checkIdentity(_ state: inout DeviceState, _ report: inout RoundReport) async throws -> Bool {
        let entered = try store.enteredGroups
        guard entered.isSubset(of: state.groups.map(\.id)) else {
            let count = entered.subtracting(state.groups.map(\.id)).count
            report.problems.append(
                RoundProblem(
                    SyncError(
                        .clonedDevice,
                        "The file was copied from another device, and the keys of \(count) of its groups are not on this "
                            + "one. Nothing was sent, and no object was changed. Join the groups with new invitations, or "
                            + "leave them")))
            return false
        }
        if let token = state.token {
            let found = try store.token
            if let next = state.nextToken, found == next {
                // A crash left it in the file. A second crash may leave one more there.
                (state.token, state.nextToken) = (next, nil)
            } else if found != token {
                try await reset(&state, &report)
            }
        }
        return true
    }

    private func meet(_ group: GroupID, _ state: inout DeviceState, _ report: inout RoundReport) async throws {
        guard var own = state[group] else { return }
        if own.isLeaving {
            if try store.enteredGroups.contains(group) { try store.leave(group, droppingUnsent: true) }
            state[group] = nil
            return
        }
        let before = state
        do {
            try await meet(&own, &report) { own in
                var next = before
                next[group] = own
                try write(next)
            }
        } catch {
            // What was received and sent before the failure.
            state[group] = own
            throw error
        }
        state[group] = own
    }

    /// - Parameter save: Writes the state of the group before something is sent.
    private func meet(
        _ own: inout GroupState, _ report: inout RoundReport, _ save: (GroupState) throws -> Void
    ) async throws {
        let group = own.id
        let entries = try await list(group)
        var roster = try await roster(own, entries, &report.problems)
        if own.request != nil { roster = try await follow(&own, roster, entries, &report) }
        let key = Data(Sealing.publicKey(of: own.keys.signing.bytes))
        guard own.request != nil || roster.members[key] != nil else {
            throw SyncError(
                .retired,
                "The members removed this device from the group. Its objects are still here, and its changes are not sent. "
                    + "Leave the group, or join it with a new invitation")
        }
        if !(try store.enteredGroups.contains(group)) {
            // A crash came between the state and the store.
            if own.request != nil {
                let history = try await history(roster, entries)
                (own.received, own.joined) = (history.chains, history.read)
                report.changed.append(try store.join(history.snapshot, from: own.name))
            } else {
                try store.enter(group, members: roster.devices)
                own.received = [:]
            }
        }
        try await checkLog(&own, entries)
        roster = try await admit(&own, roster, entries, &report)
        try setMembers(of: own, to: roster)
        let snapshots = try await snapshots(roster, entries)
        let valid = snapshots.filter { roster.members[$0.author] != nil && $0.parts(entries) != nil }
        try await receive(&own, roster, entries, &report)
        guard !(try store.isRetired), !(try isBehind(own, valid)) else { throw OlderFile() }
        try retireSilent(&own)
        if own.request == nil {
            if roster.isEpochKnownToRemoved {
                let secret = Data(Sealing.random(Sealing.keySize))
                roster = try await write(roster.removal(of: [], secret: secret), own, roster)
            }
            for member in roster.withoutSecret where member.signing != key {
                // In an epoch whose secret the member has.
                let epoch = roster.secrets.keys.min()
                roster = try await write(roster.admission(of: member), own, roster, epoch: epoch)
            }
        }
        try await send(&own, roster, entries, &report, save)
        try await publish(&own, roster, entries)
        if hasAllRecords(group, entries) { try await tidy(own, roster, entries, snapshots) }
    }

    /// Awaits the acknowledgements of the members before anything is forgotten.
    ///
    /// A device that was known as a member, also through a batch that names it, counts until a record ends its
    /// membership: the record that admitted it may be damaged, or listed later than other files.
    func setMembers(of own: GroupState, to roster: Roster) throws {
        let known = try store.progress(of: own.id).map { Set($0.acknowledged.keys) } ?? []
        let members = roster.devices.union(known.subtracting(roster.formerDevices))
        try store.setMembers(members.union([try store.device]), of: own.id, sent: own.sent.last)
    }

    /// Finds a batch in this device's log that is not in its state. After a crash, it is added. Any other one was sent by a
    /// file of which this one is an older version, or a copy.
    private func checkLog(_ own: inout GroupState, _ entries: [SyncEntry]) async throws {
        let device = try store.device
        let key = Sealing.publicKey(of: own.keys.signing.bytes)
        for entry in entries where entry.kind == .log(device) && entry.size <= WireFormat.largestBatch {
            let parts = entry.name.split(separator: "-")
            guard parts.count == 3, let last = Int64(parts[1]), last > own.sent.last else { continue }
            // If it cannot be read now, it may be the batch that was sent last, and nothing can be sent before that is known.
            let bytes = try await transport.read(entry, from: 0)
            guard SealedBatch.isSigned(bytes, by: key), let header = try? SealedBatch.header(of: bytes),
                header.device == device, header.group == own.id, header.last > own.sent.last
            else { continue }
            guard own.sending == Data(SealedBatch.hash(of: bytes)), header.after == own.sent.last else {
                throw OlderFile()
            }
            own.sent.append(header, bytes)
        }
        own.sending = nil
    }

    private func receive(
        _ own: inout GroupState, _ roster: Roster, _ entries: [SyncEntry], _ report: inout RoundReport
    ) async throws {
        let reader = LogReader(
            transport: transport, group: own.id, roster: roster, entries: entries, receivedPieces: receivedPieces)
        let device = try store.device
        var news = RoundReport()
        var failure: (any Error)?
        do {
            try await reader.read(
                &own.received, except: device, &report.problems,
                received: { try store.progress(of: own.id)?.received[$0] ?? 0 }
            ) { batch, name in
                let received = try store.receive(batch, from: name)
                if case .applied = received.reception { news.receivedBatches += 1 }
                if !received.changed.isEmpty { news.changed.append(received.changed) }
                news.conflicts += received.conflicts
                return received.reception
            }
        } catch { failure = error }
        report.receivedBatches += news.receivedBatches
        report.changed += news.changed
        report.conflicts += news.conflicts
        if let failure { throw failure }
    }

    private func send(
        _ own: inout GroupState, _ roster: Roster, _ entries: [SyncEntry], _ report: inout RoundReport,
        _ save: (GroupState) throws -> Void
    ) async throws {
        try checkWithheld(&own)
        defer { reportWithheld(own, &report) }
        let epoch = roster.epoch
        guard let secret = roster.secrets[epoch], let number = UInt32(exactly: epoch) else { return }
        var limit = Self.largestPart
        while var batch = try store.batch(for: own.id, after: own.sent.last, limit: limit), batch.last > own.sent.last {
            try Task.checkCancellation()
            let isComplete = !batch.received.isEmpty
            // A number may belong to another group.
            let isKnown = batch.received == own.acknowledged && batch.retired == own.announced ?? []
            if batch.objects.isEmpty, !isComplete || isKnown { return }
            guard let files = try sendableFiles(of: &batch, &own, number, secret) else {
                limit = batch.objects.count / 2
                continue
            }
            try await writePieces(files, of: batch, entries)
            let bytes = files.batch
            let name = LogReader.name(after: batch.after, last: batch.last, bytes)
            guard let entry = SyncEntry(own.id, .log(batch.device), name: name, size: bytes.count) else { return }
            own.sending = Data(SealedBatch.hash(of: bytes))
            try save(own)
            try await transport.write(entry, bytes)
            own.sending = nil
            own.sent.append(try SealedBatch.header(of: bytes), bytes)
            if isComplete { (own.acknowledged, own.announced) = (batch.received, batch.retired) }
            if !batch.objects.isEmpty { own.lastChange = batch.last }
            report.sentBatches += 1
            report.sentObjects += batch.objects.count
            // The objects after a large one are usually smaller.
            if Self.mayGrow(batch, bytes.count, limits) { limit = min(Self.largestPart, limit * 2) }
        }
    }
}

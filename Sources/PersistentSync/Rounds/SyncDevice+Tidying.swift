internal import Foundation
internal import Sealing

// Files that no member needs any more.
extension SyncDevice {
    /// Whether the logs lack batches that this device needs: it was retired, or it joined while they were removed. Also
    /// true if a snapshot contains later changes of this device, because its file and its state were restored.
    func isBehind(_ own: GroupState, _ snapshots: [SnapshotFile]) throws -> Bool {
        guard !snapshots.isEmpty, let progress = try store.progress(of: own.id) else { return false }
        let device = try store.device
        // No member awaits a device that asks, so what other devices name may be neither in the logs nor in their states.
        let read = own.joined?.merging(own.received.mapValues(\.last), uniquingKeysWith: max) ?? progress.received
        return snapshots.contains { file in
            let record = file.record
            if record.received[device] ?? 0 > progress.received[device] ?? 0 { return true }
            // The logs of a device that the author knew are complete, and may still arrive.
            if record.members.contains(device), !record.retired.contains(device) { return false }
            return record.received.contains { $0.value > read[$0.key] ?? 0 }
        }
    }

    /// Retires the members that have not acknowledged a change for too long.
    func retireSilent(_ own: inout GroupState) throws {
        guard let progress = try store.progress(of: own.id) else { return }
        var silent: [DeviceID: GroupState.Silence] = [:]
        for (member, number) in progress.acknowledged where number < own.lastChange ?? 0 {
            let now = time()
            // A member that is late, but goes on, is not silent.
            let known = own.silent?[member].flatMap { $0.acknowledged == number ? $0.since : nil }
            let since = known ?? now
            if now >= since, now - since >= retirement {
                try store.retire(member)
            } else {
                silent[member] = GroupState.Silence(acknowledged: number, since: since)
            }
        }
        own.silent = silent.isEmpty ? nil : silent
    }

    /// Writes a snapshot when the logs have grown, and removes what it replaces.
    func tidy(_ own: GroupState, _ roster: Roster, _ entries: [SyncEntry], _ snapshots: [SnapshotFile]) async throws {
        let key = Data(Sealing.publicKey(of: own.keys.signing.bytes))
        guard own.request == nil, roster.members[key] != nil, let progress = try store.progress(of: own.id)
        else { return }
        var valid = snapshots.filter { roster.members[$0.author] != nil && $0.parts(entries) != nil }
        if needsSnapshot(valid, entries), let file = try await writeSnapshot(own, roster) {
            valid.append(file)
        }
        guard !valid.isEmpty else { return }
        var removed: Set<String> = []
        for file in snapshots {
            let isReplaced = valid.contains { $0.record.id != file.record.id && file.record.isContained(in: $0.record) }
            guard isReplaced, try await remove(file.entry, isOwn: file.author == key) else { continue }
            removed.insert(file.entry.name)
            valid.removeAll { $0.record.id == file.record.id }
        }
        let described = Set(entries.filter { $0.kind == .snapshots }.map(\.name)).subtracting(removed)
        let device = try store.device
        var newest: [DeviceID: Int64] = [:]
        for entry in entries {
            guard case .log(let writer) = entry.kind, let file = LogReader.Candidate(entry) else { continue }
            newest[writer] = max(newest[writer] ?? 0, file.last)
        }
        // Where the batches begin that are left.
        var starts: [DeviceID: Set<Int64>] = [:]
        for entry in entries {
            switch entry.kind {
            case .log(let writer):
                // A device that joins the group again continues its log after the newest file.
                guard writer == device || !roster.devices.contains(writer), let last = LogReader.Candidate(entry)?.last,
                    last < newest[writer] ?? 0, last <= progress.common[writer] ?? 0,
                    valid.allSatisfy({ $0.record.received[writer] ?? 0 >= last }),
                    try await remove(entry, isOwn: writer == device)
                else {
                    if let file = LogReader.Candidate(entry) { starts[writer, default: []].insert(file.after) }
                    continue
                }
            case .snapshots where entry.name.hasPrefix("p-"):
                // A part of a removed snapshot, or of one that a crash left incomplete.
                let parts = entry.name.split(separator: "-")
                guard parts.count == 4, let writer = HexName.number(String(parts[1])).map({ DeviceID($0) }),
                    writer == device || removed.contains("s-\(parts[2])") || !roster.devices.contains(writer),
                    !described.contains("s-\(parts[2])")
                else { continue }
                _ = try await remove(entry, isOwn: writer == device)
            default: break
            }
        }
        for entry in entries {
            // The pieces of removed batches, and those of an interrupted round that were not used. The next round of a
            // member may use those after the newest batch.
            guard case .log(let writer) = entry.kind, let piece = PieceName(entry),
                writer == device || !roster.devices.contains(writer), starts[writer]?.contains(piece.after) != true,
                piece.after < newest[writer] ?? 0 || !roster.devices.contains(writer)
            else { continue }
            _ = try await remove(entry, isOwn: writer == device)
        }
    }

    /// Removes a file; returns whether it was removed. A transport may permit that only to the writer of the file.
    private func remove(_ entry: SyncEntry, isOwn: Bool) async throws -> Bool {
        if isOwn {
            try await transport.remove(entry)
            return true
        }
        return (try? await transport.remove(entry)) != nil
    }

    /// Whether the batches that no snapshot contains have more bytes than the last snapshot.
    private func needsSnapshot(_ valid: [SnapshotFile], _ entries: [SyncEntry]) -> Bool {
        let best = valid.first
        var bytes = 0
        for entry in entries {
            guard case .log(let writer) = entry.kind else { continue }
            let known = best?.record.received[writer] ?? 0
            let isNew = LogReader.Candidate(entry).map { $0.last > known } ?? PieceName(entry).map { $0.after >= known }
            if isNew == true { bytes += entry.size }
        }
        let size = (best?.parts(entries) ?? []).reduce(0) { $0 + $1.size }
        return best == nil && LogReader.areCut(entries) || bytes > max(snapshotThreshold, size)
    }

    private func writeSnapshot(_ own: GroupState, _ roster: Roster) async throws -> SnapshotFile? {
        let epoch = roster.epoch
        // A snapshot contains all that its device has received, and no value waits in it.
        guard own.withheld == nil, let secret = roster.secrets[epoch], let number = UInt32(exactly: epoch),
            let snapshot = try store.sharedSnapshot(of: own.id)
        else { return nil }
        let (id, device) = (DeviceID(.random(in: .min ... .max)), try store.device)
        var rest = snapshot.objects.keys.sorted()[...]
        var (hashes, count): ([Data], Int) = ([], Self.largestPart)
        while !rest.isEmpty {
            try Task.checkCancellation()
            let keys = rest.prefix(count)
            let objects = Dictionary(uniqueKeysWithValues: keys.map { ($0, snapshot.objects[$0]) }).compactMapValues {
                $0
            }
            let batch = Batch(
                from: id, in: own.id, after: Int64(hashes.count), last: Int64(hashes.count) + 1, objects: objects)
            guard let files = try files(of: batch, own, number, secret) else {
                count = keys.count / 2
                continue
            }
            func entry(_ index: Int, _ size: Int) -> SyncEntry? {
                SyncEntry(own.id, .snapshots, name: SnapshotFile.partName(id, device, index), size: size)
            }
            guard let part = entry(hashes.count, files.batch.count) else { return nil }
            try await transport.write(part, files.batch)
            hashes.append(Data(SealedBatch.hash(of: files.batch)))
            // The pieces of a part are the parts after it.
            let first = hashes.count
            try await write(files, []) { entry(first + $0, $1) }
            hashes += files.hashes.map { Data($0) }
            rest = rest.dropFirst(keys.count)
            if Self.mayGrow(batch, files.batch.count, limits) { count = min(Self.largestPart, count * 2) }
        }
        let record = SnapshotRecord(snapshot, id: id, device: device, parts: hashes)
        let bytes = SealedRecord.bytes(
            .snapshot, try RecordJSON.bytes(of: record), in: own.id, epoch: epoch, secret: secret.bytes,
            signedBy: own.keys.signing.bytes)
        guard let entry = SyncEntry(own.id, .snapshots, name: SnapshotFile.name(id), size: bytes.count) else {
            return nil
        }
        try await transport.write(entry, bytes)
        return SnapshotFile(
            record: record, entry: entry, author: Data(Sealing.publicKey(of: own.keys.signing.bytes)), epoch: epoch)
    }
}

internal import Foundation
internal import Sealing

/// A snapshot in the files of a group.
struct SnapshotFile: Sendable {
    let record: SnapshotRecord
    let entry: SyncEntry
    /// The author's signing key.
    let author: Data
    let epoch: Int

    static func partName(_ id: DeviceID, _ device: DeviceID, _ index: Int) -> String {
        "p-\(HexName.text(device.number))-\(HexName.text(id.number))-\(index)"
    }

    static func name(_ id: DeviceID) -> String { "s-\(HexName.text(id.number))" }

    /// The entries of its parts in their order; nil if one is missing.
    func parts(_ entries: [SyncEntry]) -> [SyncEntry]? {
        var names: [String: SyncEntry] = [:]
        for entry in entries where entry.kind == .snapshots { names[entry.name] = entry }
        var parts: [SyncEntry] = []
        for index in record.parts.indices {
            guard let part = names[Self.partName(record.id, record.device, index)] else { return nil }
            parts.append(part)
        }
        return parts
    }

    /// Reads the objects.
    func content(_ entries: [SyncEntry], _ roster: Roster, _ reader: PieceReader) async throws -> Snapshot {
        guard let parts = parts(entries), let secret = roster.secrets[epoch] else {
            throw SyncError(
                .notReachable, "A part of a snapshot has not arrived. It was not used. It is read again when it arrives"
            )
        }
        DownloadMeter.current?.expect(parts)
        var objects = ObjectMap()
        func add(_ part: [ObjectKey: ObjectState]) {
            for (key, state) in part where objects[key] == nil { objects[key] = state }
        }
        var index = 0
        while index < parts.count {
            try Task.checkCancellation()
            let part = parts[index]
            guard part.size <= WireFormat.largestBatch else { throw ByteReader.damaged("it is larger than 8 MiB") }
            let bytes = try await reader.transport.read(part, from: 0)
            DownloadMeter.current?.finish(part)
            guard Data(SealedBatch.hash(of: bytes)) == record.parts[index] else {
                throw ByteReader.damaged("a part of a snapshot is not the one that its author wrote")
            }
            let (header, batch, pieces) = try SealedBatch.open(bytes, secret: secret.bytes, signedBy: author.bytes)
            add(batch.objects)
            index += 1
            guard let pieces else { continue }
            // The pieces of a part are the parts after it.
            let next = parts[index...].prefix(pieces.hashes.count)
            let content = try await reader.read(pieces, Array(next))
            add(try SealedBatch.objects(in: content, of: pieces, header, secret: secret.bytes))
            index += next.count
        }
        return record.snapshot(of: entry.groupID, objects)
    }
}

extension SyncDevice {
    /// The snapshots, also of former members, the largest first. Damaged ones are left out.
    func snapshots(_ roster: Roster, _ entries: [SyncEntry]) async throws -> [SnapshotFile] {
        var files: [SnapshotFile] = []
        for entry in entries where entry.kind == .snapshots && entry.name.hasPrefix("s-") {
            guard let record = try await snapshotRecord(entry), record.group == roster.group,
                let secret = roster.secrets[record.epoch], let body = try? record.body(secret: secret.bytes),
                let content = try? RecordJSON.record(body, SnapshotRecord.self),
                entry.name == SnapshotFile.name(content.id)
            else { continue }
            files.append(
                SnapshotFile(record: content, entry: entry, author: Data(record.author), epoch: record.epoch))
        }
        return files.sorted {
            ($0.record.extent, $0.record.id) > ($1.record.extent, $1.record.id)
        }
    }

    /// The record of a snapshot; nil if it is damaged, or was removed after it was listed.
    private func snapshotRecord(_ entry: SyncEntry) async throws -> SealedRecord? {
        if let known = records[entry.groupID][entry.name] { return known }
        let bytes: [UInt8]
        do { bytes = try await read(entry) } catch let error as SyncError {
            // If it is only out of reach, an older snapshot would lack what was removed from the logs.
            guard error.code != .damagedBatch, try await list(entry.groupID).contains(entry) else { return nil }
            throw error
        }
        guard let record = try? SealedRecord(bytes), record.kind == .snapshot else { return nil }
        records[entry.groupID][entry.name] = record
        return record
    }

    /// The content of the largest snapshot that is complete; nil if there is none.
    ///
    /// - Throws: What is wrong with a snapshot, or that none has arrived, if the logs are not complete without it.
    func snapshotContent(_ roster: Roster, _ entries: [SyncEntry]) async throws -> Snapshot? {
        var failure: any Error = SyncError(
            .notReachable,
            "The first files of a log, and the snapshot that replaces them, have not arrived. Nothing was changed. Try "
                + "again later")
        for file in try await snapshots(roster, entries) where roster.members[file.author] != nil {
            do { return try await file.content(entries, roster, pieceReader) } catch { failure = error }
        }
        if LogReader.areCut(entries) { throw failure }
        return nil
    }
}

internal import Foundation

/// Reads the new batches of the devices of a group, each in the order of its log. A problem stops the log of its device only.
struct LogReader {
    let transport: any SyncTransport
    let group: GroupID
    let roster: Roster
    let entries: [SyncEntry]
    /// A former member whose log is read, too.
    var former: DeviceID?
    /// Keeps the pieces that arrived before a failure.
    let receivedPieces: ReceivedPieces

    /// The numbers that the name of a batch contains.
    struct Candidate {
        let entry: SyncEntry
        let after: Int64
        let last: Int64

        init?(_ entry: SyncEntry) {
            let parts = entry.name.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 3, let after = Int64(parts[0]), let last = Int64(parts[1]), 0 <= after, after < last
            else { return nil }
            (self.entry, self.after, self.last) = (entry, after, last)
        }
    }

    /// Whether the first files of a log were removed, so that a new device needs a snapshot.
    static func areCut(_ entries: [SyncEntry]) -> Bool {
        var starts: [DeviceID: Int64] = [:]
        for entry in entries {
            guard case .log(let writer) = entry.kind, let file = Candidate(entry) else { continue }
            starts[writer] = min(starts[writer] ?? .max, file.after)
        }
        return starts.values.contains { $0 > 0 }
    }

    private func keys(of device: DeviceID) -> [Data] {
        roster.signingKeys(of: device, orFormer: device == former)
    }

    static func name(after: Int64, last: Int64, _ bytes: [UInt8]) -> String {
        "\(after)-\(last)-\(HexName.text(SealedBatch.hash(of: bytes).prefix(8)))"
    }

    /// The devices that have logs, in a fixed order.
    private var devices: [DeviceID] {
        let found = entries.compactMap { entry in if case .log(let device) = entry.kind { device } else { nil } }
        return Set(found).sorted()
    }

    /// Reads what the chains do not contain.
    ///
    /// - Parameters:
    ///   - chains: Where each log was read to; extended by what is applied.
    ///   - own: This device, whose log is not read.
    ///   - received: The last number of a device that arrived, also in another way.
    ///   - apply: Applies a batch of a member.
    func read(
        _ chains: inout [DeviceID: BatchChain], except own: DeviceID?, _ problems: inout [RoundProblem],
        received: (DeviceID) throws -> Int64, _ apply: (Batch, String) throws -> Reception
    ) async throws {
        let devices = devices.filter { $0 != own && !keys(of: $0).isEmpty }
        announce(devices, chains)
        for device in devices {
            try Task.checkCancellation()
            var chain = chains[device] ?? BatchChain()
            do {
                try await read(device, &chain, received, apply)
            } catch let problem as LogProblem {
                problems.append(
                    RoundProblem(
                        problem.error, in: group, device: device, name: roster.name(of: device), file: problem.file))
            }
            if chain != BatchChain() { chains[device] = chain }
        }
    }

    /// Announces the files that will be read.
    private func announce(_ devices: [DeviceID], _ chains: [DeviceID: BatchChain]) {
        guard let meter = DownloadMeter.current else { return }
        let last = Dictionary(uniqueKeysWithValues: devices.map { ($0, chains[$0]?.last ?? 0) })
        var starts: [SyncEntry.Kind: Set<Int64>] = [:]
        let files = entries.filter { entry in
            guard case .log(let device) = entry.kind, let file = Candidate(entry),
                last[device].map({ file.after >= $0 }) ?? false
            else { return false }
            starts[entry.kind, default: []].insert(file.after)
            return true
        }
        // Pieces whose batch has not arrived are not read.
        let pieces = entries.filter { entry in
            PieceName(entry).map { starts[entry.kind]?.contains($0.after) ?? false } ?? false
        }
        meter.expect(files + pieces)
    }

    /// What stops the log of a device.
    private struct LogProblem: Error {
        let error: SyncError
        let file: String
    }

    /// What became of a file.
    private enum Outcome {
        case done
        /// The store has less than this device remembers.
        case outdated
        /// This device was retired.
        case ended
    }

    private func read(
        _ device: DeviceID, _ chain: inout BatchChain, _ received: (DeviceID) throws -> Int64,
        _ apply: (Batch, String) throws -> Reception
    ) async throws {
        let log = entries.filter { $0.kind == .log(device) }.compactMap(Candidate.init)
            .sorted { ($0.after, $0.last, $0.entry.name) < ($1.after, $1.last, $1.entry.name) }
        var isFromStart = chain == BatchChain()
        while true {
            let last = chain.last
            // A batch can have several files: complete, cut short, and copies under other names.
            let files = log.filter { $0.after == last }
            guard !files.isEmpty else {
                if let next = try await start(of: log, device, chain, received) {
                    chain = next
                    continue
                }
                try await checkOthers(log, device, chain)
                return
            }
            var (outcome, problem): (Outcome?, LogProblem?) = (nil, nil)
            for file in files where outcome == nil {
                do {
                    outcome = try await read(file.entry, device, &chain, received, apply)
                } catch let error as LogProblem { problem = problem ?? error }
            }
            switch outcome {
            case .done: break
            case .outdated where !isFromStart: (chain, isFromStart) = (BatchChain(), true)
            case .outdated: throw LogProblem(error: Self.missing, file: files[0].entry.name)
            case .ended: return
            case nil: throw problem ?? LogProblem(error: Self.missing, file: files[0].entry.name)
            }
        }
    }

    /// Where a log continues whose first batches were removed, because all members have them; nil if this device lacks one.
    private func start(
        of log: [Candidate], _ device: DeviceID, _ chain: BatchChain, _ received: (DeviceID) throws -> Int64
    ) async throws -> BatchChain? {
        for file in log where file.after > chain.last {
            guard try file.after <= received(device) else { return nil }
            guard let bytes = try? await self.bytes(of: file.entry), let header = try? SealedBatch.header(of: bytes),
                isSigned(bytes, by: device), header.device == device, header.group == group,
                header.after == file.after
            else { continue }
            return BatchChain(before: header)
        }
        return nil
    }

    /// Reports a batch before which another one is missing, and one of a copied device. Files that are neither are ignored.
    private func checkOthers(_ log: [Candidate], _ device: DeviceID, _ chain: BatchChain) async throws {
        for file in log where file.after < chain.last && file.last > chain.last {
            do {
                let bytes = try await self.bytes(of: file.entry)
                let header = try SealedBatch.header(of: bytes)
                guard isSigned(bytes, by: device) else { continue }
                _ = try chain.position(of: header)
            } catch let error as SyncError where error.code == .clonedDevice {
                throw LogProblem(error: error, file: file.entry.name)
            } catch is SyncError {}
        }
        if let next = log.first(where: { $0.after > chain.last }) {
            throw LogProblem(error: Self.missing, file: next.entry.name)
        }
    }

    private static let early = SyncError(
        .fromTheFuture,
        "A change has a time that is more than a day ahead of this device. It is applied when that time comes. Check "
            + "the clocks of both devices")
    private static let missing = SyncError(
        .notReachable,
        "A batch before this one has not arrived. This one was not applied. It is read again when the other one "
            + "arrives")

    private func read(
        _ entry: SyncEntry, _ device: DeviceID, _ chain: inout BatchChain, _ received: (DeviceID) throws -> Int64,
        _ apply: (Batch, String) throws -> Reception
    ) async throws -> Outcome {
        let (bytes, header, batch): ([UInt8], BatchHeader, Batch)
        do {
            bytes = try await self.bytes(of: entry)
            header = try SealedBatch.header(of: bytes)
            guard header.group == group, header.device == device else {
                throw SyncError(
                    .damagedBatch,
                    "The batch belongs to another device or group. It was not applied. Restore the folder's structure")
            }
            switch try chain.position(of: header) {
            case .earlier: throw ByteReader.damaged("its numbers are not those of its name")
            case .later: throw Self.missing
            case .next: batch = try await open(bytes, header, device, received)
            }
        } catch let error as SyncError { throw LogProblem(error: error, file: entry.name) }
        switch try apply(batch, roster.name(of: device) ?? "") {
        case .applied, .repeated, .ignored: chain.append(header, bytes)
        case .incomplete: return .outdated
        case .early: throw LogProblem(error: Self.early, file: entry.name)
        case .retired: return .ended
        }
        return .done
    }

    private func bytes(of entry: SyncEntry) async throws -> [UInt8] {
        guard entry.size <= WireFormat.largestBatch else { throw ByteReader.damaged("it is larger than 8 MiB") }
        defer { DownloadMeter.current?.finish(entry) }
        return try await transport.read(entry, from: 0)
    }

    private func isSigned(_ bytes: [UInt8], by device: DeviceID) -> Bool {
        keys(of: device).contains { SealedBatch.isSigned(bytes, by: $0.bytes) }
    }

    private func open(
        _ bytes: [UInt8], _ header: BatchHeader, _ device: DeviceID, _ received: (DeviceID) throws -> Int64
    ) async throws -> Batch {
        guard let secret = roster.secrets[Int(header.epoch)] else {
            throw SyncError(
                .wrongKey,
                "A batch is encrypted with a key of the group that this device does not have. It was not applied. It is "
                    + "read again when the key arrives; if it does not, join with a new invitation")
        }
        let opened = try opened(bytes, secret: secret.bytes, device)
        // If its object arrived in another way, the pieces are not needed.
        guard let pieces = opened.pieces, try received(device) < header.last else { return opened.batch }
        var found: [String: SyncEntry] = [:]
        for entry in entries where entry.kind == .log(device) { found[entry.name] = entry }
        let names = pieces.hashes.enumerated().map { PieceName.text(after: header.after, $0, $1) }
        let content = try await PieceReader(transport: transport, received: receivedPieces)
            .read(pieces, names.map { found[$0] })
        var batch = opened.batch
        batch.objects = try SealedBatch.objects(in: content, of: pieces, header, secret: secret.bytes)
        return batch
    }

    private func opened(
        _ bytes: [UInt8], secret: [UInt8], _ device: DeviceID
    ) throws(SyncError) -> (batch: Batch, pieces: BatchPieces?) {
        var failure = ByteReader.damaged("its signature is not that of its device")
        for key in keys(of: device) {
            do throws(SyncError) {
                let opened = try SealedBatch.open(bytes, secret: secret, signedBy: key.bytes)
                return (opened.batch, opened.pieces)
            } catch { failure = error }
        }
        throw failure
    }
}

extension Roster {
    /// The name of a device's member.
    func name(of device: DeviceID) -> String? { list.first { $0.device == device }?.name }
}

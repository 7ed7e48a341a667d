package import Foundation
internal import Sealing
internal import Synchronization

/// A device with its store, its keys and its transport. Its calls are rounds, or change its groups.
package final class SyncDevice: Sendable {
    package let store: any SyncedStore
    let transport: any SyncTransport
    let name: String
    let folder: URL
    /// The device's time, in milliseconds since 1970.
    let time: @Sendable () -> UInt64
    /// How long a member may leave changes unacknowledged, in milliseconds.
    let retirement: UInt64
    /// The size of the logs, in bytes, from which a snapshot is written.
    let snapshotThreshold: Int
    /// Into what files batches are divided.
    let limits: BatchLimits
    let records = RecordCache()
    let receivedPieces = ReceivedPieces()
    /// Signs the requests of the transport; nil if it has no such requests.
    private let signer: RequestSigner?

    /// 180 days, in milliseconds.
    package static let standardRetirement: UInt64 = 180 * 86_400_000
    package static let standardThreshold = 1 << 20

    package init(
        _ store: any SyncedStore, through transport: any SyncTransport, name: String, stateFolder: URL,
        retirement: UInt64 = SyncDevice.standardRetirement, snapshotThreshold: Int = SyncDevice.standardThreshold,
        limits: BatchLimits = BatchLimits(), time: @escaping @Sendable () -> UInt64
    ) {
        (self.retirement, self.snapshotThreshold, self.limits) = (retirement, snapshotThreshold, limits)
        signer = transport is any SigningTransport ? RequestSigner() : nil
        let signing = signer.flatMap { (transport as? any SigningTransport)?.signing(with: $0) }
        (self.store, self.transport, self.name) = (store, signing ?? transport, name)
        (folder, self.time) = (stateFolder, time)
    }

    var pieceReader: PieceReader { PieceReader(transport: transport, received: receivedPieces) }

    /// Calls the body with the state of the device, which no other round uses meanwhile, also in other processes. The state
    /// is written at the end, also after an error, if it changed.
    func withState<R: Sendable>(_ body: (inout DeviceState) async throws -> R) async throws -> R {
        let (file, lock) = try await lockedFile()
        let device = try store.device
        let before = try file.read()
        var state = before ?? DeviceState(device)
        if let signer {
            state.requestKey = state.requestKey ?? Data(signer.key)
            signer.key = state.requestKey?.bytes ?? signer.key
        }
        let result: R
        do {
            result = try await body(&state)
        } catch {
            if state != before { try write(state) }
            lock.end()
            throw error
        }
        if state != before { try write(state) }
        lock.end()
        return result
    }

    /// Writes the state in the middle of a change, so that a crash leaves nothing without its keys.
    func write(_ state: DeviceState) throws { try StateFile(state.device, in: folder).write(state) }

    private func lockedFile() async throws -> (StateFile, StateFile.Lock) {
        while true {
            let device = try store.device
            let file = StateFile(device, in: folder)
            if let lock = try file.lock() {
                if try store.device == device { return (file, lock) }
            } else {
                // Another process holds the lock for one round, and nothing reports its release.
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// The absolute path of the store's file; nil in memory.
    var location: String? { store.path.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path } }

    /// The state at this moment, to look at.
    package func currentState() throws -> DeviceState {
        let device = try store.device
        return try StateFile(device, in: folder).read() ?? DeviceState(device)
    }

    // MARK: Records

    /// Lists all entries of a group.
    func list(_ group: GroupID) async throws -> [SyncEntry] { try await transport.list(group, after: nil).entries }

    /// Determines the members of a group.
    ///
    /// - Throws: The failure of the transport. Without the record that admitted a member, this device would forget
    ///   deletions before that member receives them. A damaged record is only reported.
    func roster(
        _ state: GroupState, _ entries: [SyncEntry], _ problems: inout [RoundProblem]
    ) async throws -> Roster {
        var known = records[state.id]
        for entry in entries where entry.kind == .members && entry.name.hasPrefix("m-") && known[entry.name] == nil {
            do {
                let record = try SealedRecord(try await read(entry))
                if record.kind == .members, record.group == state.id { known[entry.name] = record }
            } catch let error as SyncError where error.code == .damagedBatch {
                problems.append(RoundProblem(error, in: state.id, file: entry.name))
            }
        }
        records[state.id] = known
        return Roster(
            of: state.id, roots: state.roots, secrets: state.secrets, keys: state.keys, records: Array(known.values))
    }

    /// Whether all records of members have been read.
    func hasAllRecords(_ group: GroupID, _ entries: [SyncEntry]) -> Bool {
        let known = records[group]
        return entries.allSatisfy { $0.kind != .members || !$0.name.hasPrefix("m-") || known[$0.name] != nil }
    }

    func read(_ entry: SyncEntry) async throws -> [UInt8] {
        guard entry.size <= SealedRecord.largest else { throw SealedRecord.damaged("it is larger than 1 MiB") }
        return try await transport.read(entry, from: 0)
    }

    /// Writes what this member states, and adds it to the records that are known.
    ///
    /// - Parameter epoch: The epoch whose secret encrypts it; the present one if nil.
    func write(
        _ record: MemberRecord, _ state: GroupState, _ roster: Roster, epoch: Int? = nil
    ) async throws -> Roster {
        let epoch = epoch ?? roster.epoch
        let bytes = SealedRecord.bytes(
            .members, try RecordJSON.bytes(of: record), in: state.id, epoch: epoch,
            secret: roster.secrets[epoch]?.bytes ?? [], signedBy: state.keys.signing.bytes)
        let sealed = try SealedRecord(bytes)
        let name = "m-\(HexName.text(sealed.hash))"
        try await write(bytes, name, to: state.id)
        records[state.id][name] = sealed
        return Roster(
            of: state.id, roots: state.roots, secrets: state.secrets, keys: state.keys,
            records: Array(records[state.id].values))
    }

    func write(_ bytes: [UInt8], _ name: String, to group: GroupID) async throws {
        guard let entry = SyncEntry(group, .members, name: name, size: bytes.count) else { return }
        try await transport.write(entry, bytes)
    }
}

/// The records that were read, by group and name of their file.
final class RecordCache: Sendable {
    private let records = Mutex<[GroupID: [String: SealedRecord]]>([:])

    subscript(_ group: GroupID) -> [String: SealedRecord] {
        get { records.withLock { $0[group] ?? [:] } }
        set { records.withLock { $0[group] = newValue } }
    }
}

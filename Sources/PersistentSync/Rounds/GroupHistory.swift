/// The whole content of a group, as the logs of all its devices state it: for a device that joins, and for one whose file
/// was restored or copied.
struct GroupHistory {
    let snapshot: Snapshot
    /// The last batch of each device that the snapshot contains.
    let chains: [DeviceID: BatchChain]
    let problems: [RoundProblem]
    /// The last number of each device that was read in its log or is in a snapshot, and not only named by other devices.
    let read: [DeviceID: Int64]

    /// - Parameter start: The snapshot in the group's files, if there is one.
    /// - Throws: `SyncError` with the code `notReachable` if a batch has not arrived or cannot be read now.
    init(reading reader: LogReader, after start: Snapshot?) async throws {
        // It makes no edits, so its identity and its time do not matter.
        let device = DeviceID(.random(in: .min ... .max))
        var replica = Replica<StandardRules>(device, classes: [:])
        replica.now = Clock.latest >> 16
        replica.enter(reader.group, members: reader.roster.devices)
        // Of the batches that were removed, a snapshot has the content.
        if let start { replica.join(start) }
        var chains: [DeviceID: BatchChain] = [:]
        var problems: [RoundProblem] = []
        try await reader.read(
            &chains, except: nil, &problems, received: { replica.groups[reader.group]?.received[$0] ?? 0 }
        ) { batch, _ in replica.receive(batch) }
        // A device that lacks a deletion would bring the object back, because the members may have forgotten it.
        if let missing = problems.first(where: { $0.error.code == .notReachable }) { throw missing.error }
        var snapshot =
            replica.snapshot(of: reader.group)
            ?? Snapshot(group: reader.group, objects: [:], received: [:], members: [], retired: [], floor: [:])
        snapshot.objects = snapshot.objects.withoutNumbers
        snapshot.received[device] = nil
        snapshot.members.remove(device)
        (self.snapshot, self.chains, self.problems) = (snapshot, chains, problems)
        read = (start?.received ?? [:]).merging(chains.mapValues(\.last), uniquingKeysWith: max)
    }
}

extension SyncDevice {
    /// The content of a group. If files were removed after they were listed, because a snapshot replaces them, it begins
    /// again.
    func history(_ roster: Roster, _ entries: [SyncEntry]) async throws -> GroupHistory {
        var entries = entries
        while true {
            do {
                let reader = LogReader(
                    transport: transport, group: roster.group, roster: roster, entries: entries,
                    former: try store.device, receivedPieces: receivedPieces)
                return try await GroupHistory(reading: reader, after: try await snapshotContent(roster, entries))
            } catch let error as SyncError where error.code == .notReachable {
                let listed = try await list(roster.group)
                guard !Set(entries).isSubset(of: listed) else { throw error }
                entries = listed
            }
        }
    }
}

/// The whole content of a group, as the logs of all its devices state it: for a device that joins, and for one whose file
/// was restored or copied.
struct GroupHistory {
    let snapshot: Snapshot
    /// The last batch of each device that the snapshot contains.
    let chains: [DeviceID: BatchChain]
    let problems: [RoundProblem]

    /// - Parameter start: The snapshot in the group's files, if there is one.
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
        var snapshot =
            replica.snapshot(of: reader.group)
            ?? Snapshot(group: reader.group, objects: [:], received: [:], members: [], retired: [], floor: [:])
        snapshot.received[device] = nil
        snapshot.members.remove(device)
        (self.snapshot, self.chains, self.problems) = (snapshot, chains, problems)
    }
}

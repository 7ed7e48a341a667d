/// The edits of this device with which a batch can conflict: those that its sender had not received.
struct ContestedEdits {
    private let device: DeviceID
    private let heard: [DeviceID: UInt64]
    /// The time of the last edit that the sender had received.
    private let received: UInt64
    private var objects: [ObjectKey: ObjectState] = [:]

    /// - Parameter replica: The replica with all local edits, before the batch is joined.
    init<Rules: SyncRules>(_ replica: Replica<Rules>, _ batch: Batch) {
        (device, heard) = (replica.device, replica.heard)
        let known = batch.received[replica.device] ?? 0
        received = replica.sentClock(known)
        for key in batch.objects.keys {
            if let edited = replica.edited[key], edited > known { objects[key] = replica.objects[key] }
        }
    }

    /// The conflicts with a batch.
    ///
    /// - Parameter replica: The replica after the batch was joined.
    func conflicts<Rules: SyncRules>(with batch: Batch, in replica: Replica<Rules>) -> [SyncConflict] {
        var conflicts: [SyncConflict] = []
        for (key, mine) in objects.sorted(by: { $0.key < $1.key }) {
            guard let theirs = batch.objects[key], let joined = replica.objects[key] else { continue }
            if mine.isAlive, theirs.isDeleted, theirs.life > mine.life {
                conflicts.append(
                    SyncConflict(
                        key: key, property: nil, mine: nil, theirs: nil,
                        rule: joined.isAlive ? .keptEdited : .deletion, isMineShown: joined.isAlive))
                continue
            }
            for (name, own) in mine.properties {
                guard own.clock.device == device, own.clock.time > received,
                    let other = theirs.properties[name], other.clock != own.clock, other.value != own.value,
                    other.clock.device != device, other.clock.time > heard[other.clock.device] ?? 0
                else { continue }
                conflicts.append(
                    SyncConflict(
                        key: key, property: name, mine: own.value, theirs: other.value, rule: .lastWrite,
                        isMineShown: joined.properties[name]?.value == own.value))
            }
        }
        return conflicts
    }
}

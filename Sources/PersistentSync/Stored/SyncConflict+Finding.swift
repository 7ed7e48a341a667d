extension SyncConflict {
    /// The conflicts of a batch with the edits that its sender had not received.
    ///
    /// - Parameters:
    ///   - before: The replica with all local edits, before the batch was joined.
    ///   - after: The replica afterwards.
    static func all<Rules: SyncRules>(
        _ before: Replica<Rules>, _ batch: Batch, _ after: Replica<Rules>
    ) -> [SyncConflict] {
        let known = batch.received[before.device] ?? 0
        var conflicts: [SyncConflict] = []
        for (key, theirs) in batch.objects.sorted(by: { $0.key < $1.key }) {
            guard let mine = before.objects[key], let edited = before.edited[key], edited > known,
                let joined = after.objects[key]
            else { continue }
            if mine.isAlive, theirs.isDeleted, theirs.life > mine.life {
                conflicts.append(
                    SyncConflict(
                        key: key, property: nil, mine: nil, theirs: nil,
                        rule: joined.isAlive ? .keptEdited : .deletion, isMineShown: joined.isAlive))
                continue
            }
            for (name, own) in mine.properties.sorted(by: { $0.key < $1.key }) {
                guard own.clock.device == before.device, own.clock.time > before.sentClock(known),
                    let other = theirs.properties[name], other.clock != own.clock, other.value != own.value,
                    other.clock.device != before.device,
                    other.clock.time > before.heard[other.clock.device] ?? 0
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

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
            if let edited = replica.objects[edited: key], edited > known { objects[key] = replica.objects[key] }
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

/// The unique values that are not shown because other objects show them: whole objects, and values of objects.
struct HeldValues: Sendable {
    private var objects: Set<ObjectKey> = []
    private var values: [ObjectKey: Set<Text>] = [:]

    init(_ visibility: Visibility) {
        for case (let key, .held) in visibility.waiting { objects.insert(key) }
        for (key, reasons) in visibility.waitingValues {
            let names = reasons.filter { if case .held = $0.value { true } else { false } }.map(\.key)
            if !names.isEmpty { values[key] = Set(names) }
        }
    }

    /// The conflicts of this device's edits that were shown before.
    func conflicts<Rules: SyncRules>(since before: HeldValues, in replica: Replica<Rules>) -> [SyncConflict] {
        var conflicts: [SyncConflict] = []
        func isMine(_ name: Text, _ key: ObjectKey) -> Bool {
            replica.objects[key].map { replica.identities.contains($0.clock(of: name).device) } ?? false
        }
        func add(_ key: ObjectKey, _ property: Text?, _ value: SyncValue?) {
            conflicts.append(
                SyncConflict(
                    key: key, property: property, mine: value, theirs: value, rule: .unique, isMineShown: false))
        }
        for key in objects.subtracting(before.objects).sorted() {
            let names = replica.classes[key.type]?.unique.flatMap(\.self) ?? []
            if names.contains(where: { isMine($0, key) }) { add(key, nil, nil) }
        }
        for (key, names) in values.sorted(by: { $0.key < $1.key }) {
            for name in names.subtracting(before.values[key] ?? []).sorted() where isMine(name, key) {
                add(key, name, replica.objects[key]?.value(of: name))
            }
        }
        return conflicts
    }
}

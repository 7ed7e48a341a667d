/// The change of a commit to one object.
struct ObjectChange {
    enum Kind: Sendable { case inserted, updated, deleted }

    let object: PersistentObject
    let map: ClassMap
    let id: Int64
    fileprivate(set) var kind: Kind
    /// The changed properties; nothing for a deletion.
    fileprivate(set) var properties: [PropertyChange]
    /// Whether its `did…` methods are called.
    fileprivate(set) var callsHooks: Bool
}

/// The unreported changes to objects: one change for each, in the order of the first.
struct ChangeLog {
    private var entries: [ObjectChange?] = []
    private var places: [ObjectIdentifier: Int] = [:]
    /// Objects that were inserted and deleted again. No commit reports them.
    private var vanished: [ObjectChange] = []

    var isEmpty: Bool { places.isEmpty }

    var changes: [ObjectChange] { entries.compactMap(\.self) }

    /// The objects whose `didRollback` is called after a rollback.
    var objectsToRollBack: [PersistentObject] {
        var seen: Set<ObjectIdentifier> = []
        return (changes + vanished).filter { $0.callsHooks && $0.map.hooks.contains(.didRollback) }.map(\.object)
            .filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    mutating func add(_ change: ObjectChange) {
        let key = ObjectIdentifier(change.object)
        guard let place = places[key], var first = entries[place] else {
            places[key] = entries.count
            entries.append(change)
            return
        }
        first.callsHooks = first.callsHooks || change.callsHooks
        switch (first.kind, change.kind) {
        case (.inserted, .deleted):
            // The row was never visible.
            if first.map.hooks.contains(.didRollback) { vanished.append(first) }
            entries[place] = nil
            places[key] = nil
            return
        case (.inserted, _): first.properties = ChangeLog.joined(first.properties, change.properties)
        case (.updated, .deleted):
            first.kind = .deleted
            first.properties = []
        case (.updated, _): first.properties = ChangeLog.joined(first.properties, change.properties)
        case (.deleted, _): first = change
        }
        entries[place] = first
    }

    mutating func add(_ other: ChangeLog) {
        for change in other.changes { add(change) }
        vanished += other.vanished
    }

    /// Joins changes: the old values of the first changes, and the new values of the last changes.
    private static func joined(_ first: [PropertyChange], _ second: [PropertyChange]) -> [PropertyChange] {
        var all = first
        for change in second {
            if let place = all.firstIndex(where: { $0.name == change.name }) {
                all[place] = PropertyChange(
                    name: change.name, old: all[place].old, new: change.new, isEncrypted: change.isEncrypted)
            } else {
                all.append(change)
            }
        }
        return all
    }
}

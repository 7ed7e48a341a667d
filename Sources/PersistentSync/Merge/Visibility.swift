internal import PersistentObjects

/// Which objects are shown, and which of their values are not: all of a `Presentation` that the state of each object alone
/// does not determine.
package struct Visibility: Hashable, Sendable {
    package fileprivate(set) var shown: KeySet = []
    /// The objects that are alive but not shown.
    package fileprivate(set) var waiting: [ObjectKey: Presentation.Reason] = [:]
    /// The values that are not shown in objects that are shown.
    package fileprivate(set) var waitingValues: [ObjectKey: [Text: Presentation.Reason]] = [:]
    /// The objects to which shown objects refer, also in collections, and that are not shown.
    private var missing: [ObjectKey: Set<ObjectKey>] = [:]
    /// The objects that other objects refer to, or wait for, and that are not shown. It can contain more objects.
    private(set) var hidden: Set<ObjectKey> = []

    /// Shows nothing.
    package init() {}

    /// Determines what is shown of the living objects in the groups of the device.
    ///
    /// - Parameter isIncluded: Whether an object is in a group of the device.
    package init(
        of objects: ObjectMap, classes: [Text: ClassShape],
        where isIncluded: (ObjectKey, ObjectState) -> Bool = { _, _ in true }
    ) {
        var visible = VisibleObjects(objects, classes, where: isIncluded)
        visible.removeDependent()
        visible.settleUnique()
        (shown, waiting) = (visible.shown, visible.waiting)
        for case .missing(let target) in waiting.values { hidden.insert(target) }
        for key in shown {
            guard let object = objects[key], let shape = classes[key.type] else { continue }
            let held = visible.held[key] ?? [:]
            guard !held.isEmpty || !shape.isPlain || object.properties.keys != shape.all.keys else { continue }
            note(ShownRow(of: object, shape, held: held) { visible.shown.contains($0) }, of: key)
        }
    }

    /// What is shown of an object that is shown.
    package func row(of key: ObjectKey, _ object: ObjectState, _ shape: ClassShape) -> ShownRow {
        ShownRow(of: object, shape, held: held(by: key)) { shown.contains($0) }
    }

    /// The unique values of an object that other objects show, with these objects.
    func held(by key: ObjectKey) -> [Text: ObjectKey] {
        (waitingValues[key] ?? [:]).compactMapValues { reason in
            if case .held(let holder) = reason { holder } else { nil }
        }
    }

    mutating func show(_ row: ShownRow, of key: ObjectKey) {
        shown.insert(key)
        note(row, of: key)
    }

    private mutating func note(_ row: ShownRow, of key: ObjectKey) {
        waitingValues[key] = row.reasons.isEmpty ? nil : row.reasons
        missing[key] = row.hidden.isEmpty ? nil : row.hidden
        hidden.formUnion(row.hidden)
    }

    /// Adds the objects that are shown only once, and those with the same state that show something else.
    func addDifferences(from other: Visibility, to keys: inout KeySet) {
        for key in shown where !other.shown.contains(key) { keys.insert(key) }
        for key in other.shown where !shown.contains(key) { keys.insert(key) }
        for key in Set(waitingValues.keys).union(other.waitingValues.keys)
        where waitingValues[key] != other.waitingValues[key] { keys.insert(key) }
        for key in Set(missing.keys).union(other.missing.keys) where missing[key] != other.missing[key] {
            keys.insert(key)
        }
    }

    package static func == (one: Visibility, other: Visibility) -> Bool {
        one.shown == other.shown && one.waiting == other.waiting && one.waitingValues == other.waitingValues
            && one.missing == other.missing
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(shown) }
}

/// The objects that are shown, as the rules remove more and more of them.
private struct VisibleObjects {
    private(set) var shown: KeySet = []
    private(set) var waiting: [ObjectKey: Presentation.Reason] = [:]
    /// The values that other objects show: property, and the object that shows it.
    private(set) var held: [ObjectKey: [Text: ObjectKey]] = [:]
    private let objects: ObjectMap
    private let classes: [Text: ClassShape]

    init(
        _ objects: ObjectMap, _ classes: [Text: ClassShape],
        where isIncluded: (ObjectKey, ObjectState) -> Bool
    ) {
        (self.objects, self.classes) = (objects, classes)
        for (key, object) in objects where object.isAlive && isIncluded(key, object) {
            if let shape = classes[key.type] {
                if shape.isIncomplete(object) { waiting[key] = .incomplete } else { shown.insert(key) }
            } else {
                waiting[key] = .unknownClass
            }
        }
    }

    private mutating func remove(_ key: ObjectKey, _ reason: Presentation.Reason) {
        shown.remove(key)
        waiting[key] = reason
    }

    /// Removes each object whose owner, or whose required target, is not shown, until nothing changes.
    mutating func removeDependent() {
        guard classes.values.contains(where: { !$0.required.isEmpty }) else { return }
        while true {
            let dependent = shown.compactMap { key in missingTarget(of: key).map { (key, $0) } }
            if dependent.isEmpty { return }
            for (key, target) in dependent { remove(key, .missing(target)) }
        }
    }

    private func missingTarget(of key: ObjectKey) -> ObjectKey? {
        guard let shape = classes[key.type], !shape.required.isEmpty, let object = objects[key] else { return nil }
        return shape.required.lazy.compactMap(object.target(of:)).first { !shown.contains($0) }
    }

    /// Decides which object shows each unique value: the one with the oldest clock on it. An object that cannot show nil
    /// instead is removed. That may free other values, so the latest objects are removed first, and an object returns if
    /// the object that showed its value was removed after it.
    mutating func settleUnique() {
        guard classes.values.contains(where: { !$0.unique.isEmpty }) else { return }
        let before = shown
        while let (key, holder) = lastClash() {
            remove(key, .held(by: holder))
            removeDependent()
        }
        var removed = before.filter { !shown.contains($0) }.sorted()
        while let index = removed.firstIndex(where: isFree) {
            let key = removed.remove(at: index)
            shown.insert(key)
            waiting[key] = nil
        }
        for claim in claims() where claim.holder != claim.key {
            guard let name = claim.names.first(where: { !isRequired($0, in: claim.key) }) else { continue }
            held[claim.key, default: [:]][name] = claim.holder
        }
    }

    /// The object with the latest clock among those that must show a value that another object shows.
    private func lastClash() -> (ObjectKey, ObjectKey)? {
        claims().filter { claim in
            claim.holder != claim.key && claim.names.allSatisfy { isRequired($0, in: claim.key) }
        }.max { ($0.clock, $0.key) < ($1.clock, $1.key) }.map { ($0.key, $0.holder) }
    }

    /// Whether a removed object could be shown: its targets are, and no object shows one of its required values.
    private func isFree(_ key: ObjectKey) -> Bool {
        guard missingTarget(of: key) == nil else { return false }
        var with = self
        with.shown.insert(key)
        return !with.claims().contains { claim in
            claim.holder != claim.key && claim.names.allSatisfy { isRequired($0, in: claim.key) }
        }
    }

    private func isRequired(_ name: Text, in key: ObjectKey) -> Bool {
        classes[key.type]?.properties[name]?.isRequired ?? false
    }

    private struct Claim {
        let key: ObjectKey
        let names: [Text]
        let clock: Clock
        let holder: ObjectKey
    }

    private struct UniqueValue: Hashable {
        let type: Text
        let names: [Text]
        let values: [SyncValue]
    }

    /// The objects and their unique values, each with the object that shows it.
    private func claims() -> [Claim] {
        var claims: [UniqueValue: [(clock: Clock, key: ObjectKey)]] = [:]
        for key in shown {
            guard let shape = classes[key.type], !shape.unique.isEmpty, let object = objects[key] else { continue }
            for names in shape.unique {
                let values = names.map { shape.comparable(object.value(of: $0) ?? .null, $0) }
                guard !values.contains(.null) else { continue }
                let clock = names.map(object.clock(of:)).max() ?? .none
                claims[UniqueValue(type: key.type, names: names, values: values), default: []].append((clock, key))
            }
        }
        return claims.flatMap { value, claimants in
            let holder = claimants.min { ($0.clock, $0.key) < ($1.clock, $1.key) }?.key
            return claimants.map { Claim(key: $0.key, names: value.names, clock: $0.clock, holder: holder ?? $0.key) }
        }
    }
}

extension ClassShape {
    /// What equal values of a property have in common.
    fileprivate func comparable(_ value: SyncValue, _ name: Text) -> SyncValue {
        guard properties[name]?.hasHash == true, case .bytes(let bytes) = value else { return value }
        return EncryptedValue.hash(of: bytes).map { .bytes($0) } ?? value
    }
}

/// What a property's column, or the table of its elements, contains.
package enum ShownValue: Hashable, Sendable {
    case value(SyncValue)
    case set(Set<SyncValue>)
    case dictionary([SyncValue: SyncValue])
    case array([SyncValue])
}

/// The content of the tables: a function of the states, of the classes as this version of the program declares them, and
/// of the groups that the device is in.
package struct Presentation: Hashable, Sendable {
    /// Why an object, or a value, is not shown although it is known.
    package enum Reason: Hashable, Sendable {
        /// The program has no such class.
        case unknownClass
        /// The program has no such property.
        case unknownProperty
        /// The owner of the object, or the target of a required reference, is not shown.
        case missing(ObjectKey)
        /// A required property has no value.
        case incomplete
        /// Another object shows the value, which must be unique, because its clock is older.
        case held(by: ObjectKey)
    }

    package fileprivate(set) var rows: [ObjectKey: NamedValues<ShownValue>] = [:]
    /// The objects that are alive but not shown.
    package fileprivate(set) var waiting: [ObjectKey: Reason] = [:]
    /// The values that are not shown in objects that are shown.
    package fileprivate(set) var waitingValues: [ObjectKey: [Text: Reason]] = [:]
    /// The objects that other objects refer to, or wait for, and that are not shown. It can contain more objects.
    private(set) var hidden: Set<ObjectKey> = []

    /// Shows nothing.
    package init() {}

    /// Determines what is shown of the living objects in the groups of the device.
    ///
    /// - Parameter isIncluded: Whether an object is in a group of the device.
    package init(
        of objects: [ObjectKey: ObjectState], classes: [Text: ClassShape],
        where isIncluded: (ObjectKey, ObjectState) -> Bool = { _, _ in true }
    ) {
        var visible = VisibleObjects(objects, classes, where: isIncluded)
        visible.removeDependent()
        visible.settleUnique()
        waiting = visible.waiting
        rows.reserveCapacity(visible.shown.count)
        for case .missing(let target) in waiting.values { hidden.insert(target) }
        for (key, object) in visible.shown {
            guard let shape = classes[key.type] else { continue }
            let row = ShownRow(of: object, shape, held: visible.held[key] ?? [:]) { visible.shown[$0] != nil }
            show(row, of: key)
        }
    }

    mutating func show(_ row: ShownRow, of key: ObjectKey) {
        rows[key] = row.values
        waitingValues[key] = row.reasons.isEmpty ? nil : row.reasons
        hidden.formUnion(row.hidden)
    }

    package static func == (one: Presentation, other: Presentation) -> Bool {
        one.rows == other.rows && one.waiting == other.waiting && one.waitingValues == other.waitingValues
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(rows) }
}

/// The objects that are shown, as the rules remove more and more of them.
private struct VisibleObjects {
    private(set) var shown: [ObjectKey: ObjectState]
    private(set) var waiting: [ObjectKey: Presentation.Reason] = [:]
    /// The values that other objects show: property, and the object that shows it.
    private(set) var held: [ObjectKey: [Text: ObjectKey]] = [:]
    private let classes: [Text: ClassShape]

    init(
        _ objects: [ObjectKey: ObjectState], _ classes: [Text: ClassShape],
        where isIncluded: (ObjectKey, ObjectState) -> Bool
    ) {
        self.classes = classes
        var waiting: [ObjectKey: Presentation.Reason] = [:]
        shown = objects.filter { key, object in
            guard object.isAlive, isIncluded(key, object) else { return false }
            guard let shape = classes[key.type] else {
                waiting[key] = .unknownClass
                return false
            }
            if shape.isIncomplete(object) { waiting[key] = .incomplete }
            return waiting.isEmpty || waiting[key] == nil
        }
        self.waiting = waiting
    }

    private mutating func remove(_ key: ObjectKey, _ reason: Presentation.Reason) {
        shown[key] = nil
        waiting[key] = reason
    }

    /// Removes each object whose owner, or whose required target, is not shown, until nothing changes.
    mutating func removeDependent() {
        guard classes.values.contains(where: { !$0.required.isEmpty }) else { return }
        while true {
            let dependent = shown.compactMap { key, object in
                missingTarget(of: object, classes[key.type]).map { (key, $0) }
            }
            if dependent.isEmpty { return }
            for (key, target) in dependent { remove(key, .missing(target)) }
        }
    }

    private func missingTarget(of object: ObjectState, _ shape: ClassShape?) -> ObjectKey? {
        (shape?.required ?? []).lazy.compactMap(object.target(of:)).first { shown[$0] == nil }
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
        var removed = before.keys.filter { shown[$0] == nil }.sorted()
        while let index = removed.firstIndex(where: { isFree($0, before[$0]) }) {
            let key = removed.remove(at: index)
            shown[key] = before[key]
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
    private func isFree(_ key: ObjectKey, _ object: ObjectState?) -> Bool {
        guard let object, missingTarget(of: object, classes[key.type]) == nil else { return false }
        var with = self
        with.shown[key] = object
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
        for (key, object) in shown {
            for names in classes[key.type]?.unique ?? [] {
                let values = names.map { object.value(of: $0) ?? .null }
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

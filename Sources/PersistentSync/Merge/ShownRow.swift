/// What is shown of one object, given which other objects are shown.
package struct ShownRow {
    package private(set) var values = NamedValues<ShownValue>()
    private(set) var reasons: [Text: Presentation.Reason]
    /// The objects that it refers to and that are not shown.
    private(set) var hidden: Set<ObjectKey> = []
    private let isShown: (ObjectKey) -> Bool
    private let registers: NamedValues<Register<SyncValue>>

    /// - Parameter held: The unique values that other objects show, with these objects.
    init(
        of object: ObjectState, _ shape: ClassShape, held: [Text: ObjectKey], isShown: @escaping (ObjectKey) -> Bool
    ) {
        self.isShown = isShown
        registers = object.properties.unpacked
        reasons = held.mapValues { .held(by: $0) }
        var shown: [ShownValue] = []
        shown.reserveCapacity(shape.all.count)
        for (name, property) in shape.all {
            shown.append(value(of: name, property, in: object, isHeld: !held.isEmpty && held[name] != nil))
            guard property.kind == .reference || property.kind == .owner else { continue }
            if case .object(let target)? = registers[name]?.value, !isShown(target) { reasons[name] = .missing(target) }
        }
        values = NamedValues(sorted: shape.all.keys, shown)
        guard object.properties.keys != shape.all.keys else { return }
        for name in object.properties.keys where shape.properties[name] == nil { reasons[name] = .unknownProperty }
    }

    /// What the property's column, or the table of its elements, contains.
    private mutating func value(
        of name: Text, _ property: PropertyShape, in object: ObjectState, isHeld: Bool
    ) -> ShownValue {
        switch property.kind {
        case .value:
            if isHeld { return .value(.null) }
            return .value(registers[name]?.value ?? object.scalar(name, .value) ?? property.initial)
        case .reference, .owner:
            let value = registers[name]?.value ?? property.initial
            let isVisible = shows(value)
            return .value(isHeld || !isVisible ? .null : value)
        case .counter, .maximum, .minimum: return .value(object.scalar(name, property.kind) ?? property.initial)
        case .set:
            var elements: Set<SyncValue> = []
            for (element, length) in object.sets[name] ?? [:] where Life.isAlive(length) && shows(element) {
                elements.insert(element)
            }
            return .set(elements)
        case .dictionary:
            var entries: [SyncValue: SyncValue] = [:]
            for (key, entry) in object.dictionaries[name] ?? [:] where Life.isAlive(entry.length) {
                let (hasKey, hasValue) = (shows(key), shows(entry.value.value))
                if hasKey, hasValue { entries[key] = entry.value.value }
            }
            return .dictionary(entries)
        case .array:
            let elements = object.arrays[name] ?? [:]
            return .array(object.order(of: name).compactMap { elements[$0]?.value.value }.filter { shows($0) })
        }
    }

    /// Whether a value is shown: all are but the keys of objects that are not.
    private mutating func shows(_ value: SyncValue) -> Bool {
        guard case .object(let key) = value, !isShown(key) else { return true }
        hidden.insert(key)
        return false
    }
}

internal import Foundation

extension ObjectState {
    /// Joins what another device knows of the object; returns whether anything but former groups changed.
    ///
    /// The result does not depend on the order in which states are joined, nor on repetitions.
    @discardableResult
    package mutating func join<Rules: SyncRules>(_ other: ObjectState, by rules: Rules.Type) -> Bool {
        let before = self
        joinLife(other)
        properties.merge(other.properties) { $0.joined($1, by: rules) }
        if hasRareParts || other.hasRareParts { joinRareParts(other, by: rules) }
        if group.value != other.group.value {
            formerGroups.formUnion([group.value, other.group.value])
            group = group.joined(other.group, by: rules)
        } else {
            group.clock = max(group.clock, other.group.clock)
        }
        return !isSame(as: before)
    }

    private mutating func joinRareParts<Rules: SyncRules>(_ other: ObjectState, by rules: Rules.Type) {
        counters.merge(other.counters) { $0.merging($1, uniquingKeysWith: max) }
        maxima.merge(other.maxima, uniquingKeysWith: max)
        minima.merge(other.minima, uniquingKeysWith: SyncValue.lesser)
        sets.merge(other.sets) { $0.merging($1, uniquingKeysWith: max) }
        dictionaries.merge(other.dictionaries) { own, others in
            own.merging(others) { $0.joined($1, by: rules) }
        }
        arrays.merge(other.arrays) { own, others in own.merging(others) { $0.joined($1, by: rules) } }
        formerGroups.formUnion(other.formerGroups)
    }

    /// The longest life wins, with what its deletion saw. If two devices deleted the object at once, a property counts
    /// as seen as far as either of them saw it, and the object was deleted with its owner only if it was on both.
    private mutating func joinLife(_ other: ObjectState) {
        if other.life > life {
            (life, seen, deletedWith) = (other.life, other.seen, other.deletedWith)
        } else if other.life == life, hasRareParts || other.hasRareParts {
            seen.merge(other.seen, uniquingKeysWith: max)
            if let own = deletedWith, let others = other.deletedWith {
                deletedWith = max(own, others)
            } else {
                deletedWith = nil
            }
        }
    }
}

extension Register {
    /// The later write. Two values with one clock, which only a copied device or a hostile member writes, are ordered
    /// by value, so that all devices choose the same.
    func joined<Rules: SyncRules>(_ other: Register, by rules: Rules.Type) -> Register {
        if clock == other.clock { return other.value > value ? other : self }
        return rules.supersedes(other.clock, clock) ? other : self
    }
}

extension DictionaryEntry {
    func joined<Rules: SyncRules>(_ other: DictionaryEntry, by rules: Rules.Type) -> DictionaryEntry {
        DictionaryEntry(length: max(length, other.length), value: value.joined(other.value, by: rules))
    }
}

extension ArrayElement {
    func joined<Rules: SyncRules>(_ other: ArrayElement, by rules: Rules.Type) -> ArrayElement {
        ArrayElement(
            length: max(length, other.length), place: place.joined(other.place, by: rules),
            value: value.joined(other.value, by: rules))
    }
}

extension [DeviceID: CounterPart] {
    /// The value of the counter: the sum of the devices' parts, in the order of the devices, so that all devices round
    /// alike.
    package var total: SyncValue {
        sorted { $0.key < $1.key }.map(\.value.sum).sum
    }
}

extension SyncValue {
    /// The lesser value. A value is less than nil.
    static func lesser(_ one: SyncValue, _ other: SyncValue) -> SyncValue {
        one == .null ? other : other == .null ? one : min(one, other)
    }

    /// The sum of two numbers.
    func adding(_ other: SyncValue) -> SyncValue { [self, other].sum }
}

extension [SyncValue] {
    /// The sum of the numbers. Integers beyond 64 bits are cut off at the limit.
    fileprivate var sum: SyncValue {
        var integers: Int128 = 0
        var reals: Double?
        var decimals: Decimal?
        for value in self {
            switch value {
            case .integer(let value): integers += Int128(value)
            case .real(let value): reals = (reals ?? 0) + value
            case .decimal: decimals = (decimals ?? 0) + (value.decimalNumber ?? 0)
            default: break
            }
        }
        if let decimals { return .decimal(Text("\(decimals + Decimal(Int64(clamping: integers)))")) }
        return reals.map { .real($0 + Double(integers)) } ?? .integer(Int64(clamping: integers))
    }
}

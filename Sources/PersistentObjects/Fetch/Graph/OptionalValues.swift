internal import StoreEngine

/// The optional embedded values of one object whose row is read again.
///
/// Other properties are refreshed one by one. Whether an optional value exists is decided for all of its fields at
/// once: the fields of a newly set value are not edits, and an edit of a value that was set to nil elsewhere is not
/// lost.
struct OptionalValues {
    private let map: ClassMap
    private let row: GraphRow
    private let start: Address
    private let block: Address
    private let edits: EditRule

    init(_ map: ClassMap, _ row: GraphRow, _ start: Address, _ block: Address, _ edits: EditRule) {
        self.map = map
        self.row = row
        self.start = start
        self.block = block
        self.edits = edits
    }

    private var baseline: BaselineLayout { map.baseline }

    /// Merges the changed optional values and removes their fields from `changed`.
    ///
    /// - Parameter place: If the call throws, the property whose column is invalid. Nothing is merged then.
    /// - Returns: Whether the row differs from the values that an edit started from.
    func merge(_ changed: inout ColumnSet, _ place: inout Int) throws(ValueFault) -> Bool {
        var values: [(value: EmbeddedValue, sign: Int)] = []
        for value in map.embedded {
            guard let sign = value.sign, value.places.contains(where: { changed.contains($0) }) else { continue }
            try check(value, sign, &place)
            values.append((value, sign))
        }
        var hasConflict = false
        for (value, sign) in values {
            let places = value.places.filter { changed.contains($0) }
            hasConflict = try merge(places, value, sign) || hasConflict
            for place in places { changed.remove(place) }
        }
        return hasConflict
    }

    /// Checks that the row's value can be decoded, by decoding it into separate memory.
    private func check(_ value: EmbeddedValue, _ sign: Int, _ place: inout Int) throws(ValueFault) {
        place = sign
        let codec = map.properties[sign].codec
        let memory = codec.facts.allocate()
        defer { memory.deallocate() }
        try codec.create(row.column(sign), at: memory)
        defer { codec.destroy(memory) }
        for part in value.places where part != sign {
            place = part
            try map.properties[part].codec.read(row.column(part), into: memory)
        }
    }

    private func merge(_ places: [Int], _ value: EmbeddedValue, _ sign: Int) throws(ValueFault) -> Bool {
        guard edits != .drop, value.places.contains(where: isEdited) else {
            _ = try merge(places, .drop)
            return false
        }
        let isMadeOrGone = places.contains(sign) || isEdited(sign)
        if edits == .rebase {
            guard isMadeOrGone else { return try merge(places, .rebase) }
            // Fields of two values must not be mixed into a third value.
            for place in places { try baseline.rebase(row.column(place), place, under: start, block) }
            return false
        }
        if isMadeOrGone {
            for place in value.places where try !baseline.isSame(row.column(place), place, of: start) { return true }
        }
        return try merge(places, .keep)
    }

    private func isEdited(_ place: Int) -> Bool { !baseline.isSame(baseline.slots[place], start, block) }

    private func merge(_ places: [Int], _ rule: EditRule) throws(ValueFault) -> Bool {
        var hasConflict = false
        for place in places {
            hasConflict = try baseline.merge(row.column(place), place, into: start, block, rule) || hasConflict
        }
        return hasConflict
    }
}

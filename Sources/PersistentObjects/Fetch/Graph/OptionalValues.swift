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
    /// - Parameter ordinal: If the call throws, the property whose column is invalid. Nothing is merged then.
    /// - Returns: Whether the row differs from the values that an edit started from.
    func merge(_ changed: inout ColumnSet, _ ordinal: inout Int) throws(ValueFault) -> Bool {
        var values: [(value: EmbeddedValue, presenceFlag: Int)] = []
        for value in map.embedded {
            guard let presenceFlag = value.presenceFlag, value.ordinals.contains(where: { changed.contains($0) }) else {
                continue
            }
            try check(value, presenceFlag, &ordinal)
            values.append((value, presenceFlag))
        }
        var hasConflict = false
        for (value, presenceFlag) in values {
            let ordinals = value.ordinals.filter { changed.contains($0) }
            hasConflict = try merge(ordinals, value, presenceFlag) || hasConflict
            for ordinal in ordinals { changed.remove(ordinal) }
        }
        return hasConflict
    }

    /// Checks that the row's value can be decoded, by decoding it into separate memory.
    private func check(_ value: EmbeddedValue, _ presenceFlag: Int, _ ordinal: inout Int) throws(ValueFault) {
        ordinal = presenceFlag
        let codec = map.properties[presenceFlag].codec
        let memory = codec.facts.allocate()
        defer { memory.deallocate() }
        try codec.create(row.column(presenceFlag), at: memory)
        defer { codec.destroy(memory) }
        for part in value.ordinals where part != presenceFlag {
            ordinal = part
            try map.properties[part].codec.read(row.column(part), into: memory)
        }
    }

    private func merge(_ ordinals: [Int], _ value: EmbeddedValue, _ presenceFlag: Int) throws(ValueFault) -> Bool {
        guard edits != .drop, value.ordinals.contains(where: isEdited) else {
            _ = try merge(ordinals, .drop)
            return false
        }
        let changesPresence = ordinals.contains(presenceFlag) || isEdited(presenceFlag)
        if edits == .rebase {
            guard changesPresence else { return try merge(ordinals, .rebase) }
            // Fields of two values must not be mixed into a third value.
            for ordinal in ordinals { try baseline.rebase(row.column(ordinal), ordinal, under: start, block) }
            return false
        }
        if changesPresence {
            for ordinal in value.ordinals where try !baseline.isSame(row.column(ordinal), ordinal, of: start) {
                return true
            }
        }
        return try merge(ordinals, .keep)
    }

    private func isEdited(_ ordinal: Int) -> Bool { !baseline.isSame(baseline.slots[ordinal], start, block) }

    private func merge(_ ordinals: [Int], _ rule: EditRule) throws(ValueFault) -> Bool {
        var hasConflict = false
        for ordinal in ordinals {
            hasConflict = try baseline.merge(row.column(ordinal), ordinal, into: start, block, rule) || hasConflict
        }
        return hasConflict
    }
}

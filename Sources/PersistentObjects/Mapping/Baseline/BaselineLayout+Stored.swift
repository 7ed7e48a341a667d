internal import StoreEngine

// Compares a row's columns with the baseline without creating values, because a row that is read again is usually
// unchanged.
extension BaselineLayout {
    /// Whether the baseline has exactly the value in a column. False is inconclusive.
    ///
    /// Runs user code only if the user encodes the property's type.
    @inline(__always)
    func hasStored(_ column: Cell, _ ordinal: Int, in block: Address) -> Bool {
        let slot = slots[ordinal]
        guard slot.boxOffset < 0 else { return false }
        let kept = block + slot.blockOffset
        switch slot.kind {
        case .int, .int64: return column.integer == kept.load(as: Int64.self)
        case .double, .date: return column.real?.bitPattern == kept.load(as: UInt64.self)
        case .bool: return column.integer == (kept[as: Bool.self] ? 1 : 0)
        case .string: return column.holds(text: kept[as: String.self])
        case .optionalString:
            guard let text = kept[as: String?.self] else { return column.isNull }
            return column.holds(text: text)
        case .optionalInt:
            guard let number = kept[as: Int?.self] else { return column.isNull }
            return column.integer == Int64(number)
        case .optionalDouble:
            guard let number = kept[as: Double?.self] else { return column.isNull }
            return column.real?.bitPattern == number.bitPattern
        case .optionalDate, .other: return storedValue(ordinal, in: block).map(column.holds) ?? false
        case .reference, .link: return false
        }
    }
}

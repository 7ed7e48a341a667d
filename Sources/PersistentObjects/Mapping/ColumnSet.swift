/// A set of a class's properties, by their ordinals in its map.
struct ColumnSet: Hashable, Sendable {
    private var low: UInt64 = 0
    /// Ordinals from 64 on, 64 per word. Nil for almost every class, because a copy of nil needs no retain.
    private var high: [UInt64]?

    init() {}

    init(_ ordinals: [Int]) { for ordinal in ordinals { insert(ordinal) } }

    @inline(__always)
    var isEmpty: Bool { low == 0 && high == nil }

    @inline(__always)
    mutating func insert(_ ordinal: Int) {
        if ordinal < 64 { low |= 1 << UInt64(ordinal) } else { insertHigh(ordinal) }
    }

    private mutating func insertHigh(_ ordinal: Int) {
        var words = high ?? []
        let word = ordinal / 64 - 1
        while words.count <= word { words.append(0) }
        words[word] |= 1 << UInt64(ordinal % 64)
        high = words
    }

    mutating func remove(_ ordinal: Int) {
        if ordinal < 64 {
            low &= ~(1 << UInt64(ordinal))
        } else if var words = high, ordinal / 64 - 1 < words.count {
            words[ordinal / 64 - 1] &= ~(1 << UInt64(ordinal % 64))
            // Equal sets have equal words.
            while words.last == 0 { words.removeLast() }
            high = words.isEmpty ? nil : words
        }
    }

    func contains(_ ordinal: Int) -> Bool {
        if ordinal < 64 { return low >> UInt64(ordinal) & 1 == 1 }
        guard let high, ordinal / 64 - 1 < high.count else { return false }
        return high[ordinal / 64 - 1] >> UInt64(ordinal % 64) & 1 == 1
    }

    /// Calls `body` with each place, in ascending order.
    @inline(__always)
    func forEach<E: Error>(_ body: (Int) throws(E) -> Void) throws(E) {
        var word = low
        while word != 0 {
            try body(word.trailingZeroBitCount)
            word &= word &- 1
        }
        guard let high else { return }
        for (index, bits) in high.enumerated() {
            var word = bits
            while word != 0 {
                try body((index + 1) * 64 + word.trailingZeroBitCount)
                word &= word &- 1
            }
        }
    }
}

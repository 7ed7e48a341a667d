/// A set of a class's properties, by their place in its map.
struct ColumnSet: Hashable, Sendable {
    private var low: UInt64 = 0
    /// Places from 64 on, 64 to a word; empty for almost every class, and then without an allocation.
    private var high: [UInt64] = []

    @inline(__always)
    var isEmpty: Bool { low == 0 && high.isEmpty }

    @inline(__always)
    mutating func insert(_ place: Int) {
        if place < 64 { low |= 1 << UInt64(place) } else { insertHigh(place) }
    }

    private mutating func insertHigh(_ place: Int) {
        let word = place / 64 - 1
        while high.count <= word { high.append(0) }
        high[word] |= 1 << UInt64(place % 64)
    }

    func contains(_ place: Int) -> Bool {
        if place < 64 { return low >> UInt64(place) & 1 == 1 }
        let word = place / 64 - 1
        return word < high.count && high[word] >> UInt64(place % 64) & 1 == 1
    }

    /// Calls `body` with each place, least first.
    @inline(__always)
    func forEach<E: Error>(_ body: (Int) throws(E) -> Void) throws(E) {
        var word = low
        while word != 0 {
            try body(word.trailingZeroBitCount)
            word &= word &- 1
        }
        for (index, bits) in high.enumerated() {
            var word = bits
            while word != 0 {
                try body((index + 1) * 64 + word.trailingZeroBitCount)
                word &= word &- 1
            }
        }
    }
}

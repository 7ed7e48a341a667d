/// A string that is compared by its bytes, as a column's value is. `String` takes two spellings of "é" for the same.
package struct Text: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
    package let utf8: [UInt8]

    package init(utf8: [UInt8]) { self.utf8 = utf8 }
    package init(_ string: String) { utf8 = Array(string.utf8) }
    package init(stringLiteral string: String) { self.init(string) }

    package var string: String { String(decoding: utf8, as: UTF8.self) }

    /// Eight bytes at once.
    package func hash(into hasher: inout Hasher) {
        var word = UInt64(truncatingIfNeeded: utf8.count)
        for (index, byte) in utf8.enumerated() {
            if index % 8 == 0 {
                hasher.combine(word)
                word = 0
            }
            word = word << 8 | UInt64(byte)
        }
        hasher.combine(word)
    }

    package static func < (one: Text, other: Text) -> Bool { one.utf8.lexicographicallyPrecedes(other.utf8) }
}

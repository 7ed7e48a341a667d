/// Texts of up to 15 ASCII characters, most of those in databases, made of two words: the standard library asks for each
/// of them four times as long.
///
/// Such a text stands in the `String` itself: its bytes in order, and in the last of the 16 what it is and how long.
/// Whether that is so in the library at hand is tried out once, for each length; where it is not, none is made so.
package enum ShortText {
    @usableFromInline static let isKnown = tryOut()

    /// The text of these bytes; nil where the library has to make it.
    @inlinable @inline(__always)
    package static func string(_ start: UnsafePointer<UInt8>, _ count: Int) -> String? {
        let (low, high) = words(UnsafeRawPointer(start), count)
        guard (low | high) & 0x8080_8080_8080_8080 == 0, isKnown else { return nil }
        return make(low, high, count)
    }

    /// The bytes, those behind them 0; no other byte is read. At most 15.
    @inlinable @inline(__always)
    static func words(_ start: UnsafeRawPointer, _ count: Int) -> (UInt64, UInt64) {
        // Two words, or halves or quarters of one, have some bytes in both.
        if count > 8 {
            let last = UInt64(littleEndian: (start + (count &- 8)).loadUnaligned(as: UInt64.self))
            return (
                UInt64(littleEndian: start.loadUnaligned(as: UInt64.self)),
                last &>> UInt64(truncatingIfNeeded: 8 &* (16 &- count))
            )
        }
        if count >= 4 {
            let first = UInt64(UInt32(littleEndian: start.loadUnaligned(as: UInt32.self)))
            let last = UInt64(UInt32(littleEndian: (start + (count &- 4)).loadUnaligned(as: UInt32.self)))
            return (first | last &<< UInt64(truncatingIfNeeded: 8 &* (count &- 4)), 0)
        }
        if count == 0 { return (0, 0) }
        let first = UInt64(start.load(as: UInt8.self))
        let middle = UInt64((start + (count &>> 1)).load(as: UInt8.self))
        let last = UInt64((start + (count &- 1)).load(as: UInt8.self))
        return (
            first | middle &<< UInt64(truncatingIfNeeded: 8 &* (count &>> 1))
                | last &<< UInt64(truncatingIfNeeded: 8 &* (count &- 1)), 0
        )
    }

    @inlinable @inline(__always)
    static func make(_ low: UInt64, _ high: UInt64, _ count: Int) -> String {
        let kind = 0xE0 | UInt64(truncatingIfNeeded: count)
        return unsafeBitCast((low.littleEndian, (high | kind &<< 56).littleEndian), to: String.self)
    }

    /// Whether texts made so have the very bits of the library's own, of every length.
    private static func tryOut() -> Bool {
        guard MemoryLayout<String>.size == 16, MemoryLayout<Int>.size == 8 else { return false }
        let samples: [[UInt8]] = [Array("aZ09 ~!?@[`{;/.".utf8), Array(repeating: 0x7F, count: 15), Array(0..<15)]
        return samples.allSatisfy { sample in
            (0...15).allSatisfy { count in
                let own = String(decoding: sample[..<count], as: UTF8.self)
                let (low, high) = sample.withUnsafeBytes { bytes in
                    // Never nil: there are 15 bytes.
                    words(bytes.baseAddress.unsafelyUnwrapped, count)
                }
                let kind = 0xE0 | UInt64(count)
                let wanted = (low.littleEndian, (high | kind << 56).littleEndian)
                return withUnsafeBytes(of: own) { own in withUnsafeBytes(of: wanted) { own.elementsEqual($0) } }
            }
        }
    }
}

/// ASCII bytes, for the fast paths: most strings contain nothing else.
enum ASCII {
    static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        allSatisfy(bytes, words: { $0 & highBits == 0 }, byte: { $0 < 0x80 })
    }

    /// Whether all bytes are ASCII, and no byte is a control character below the space.
    static func isWithoutControls(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // Where a byte is less than 0x20, the subtraction sets its highest bit. A borrow can set only bits after it.
        allSatisfy(
            bytes, words: { ($0 | ($0 &- 0x2020_2020_2020_2020)) & highBits == 0 }, byte: { $0 &- 0x20 < 0x60 })
    }

    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Checks eight bytes at a time, because most strings consist of few words.
    @inline(__always)
    private static func allSatisfy(
        _ bytes: UnsafeRawBufferPointer, words: (UInt64) -> Bool, byte: (UInt8) -> Bool
    ) -> Bool {
        guard let start = bytes.baseAddress else { return true }
        var place = 0
        while place + 8 <= bytes.count {
            guard words(start.loadUnaligned(fromByteOffset: place, as: UInt64.self)) else { return false }
            place += 8
        }
        while place < bytes.count {
            guard byte(start.load(fromByteOffset: place, as: UInt8.self)) else { return false }
            place += 1
        }
        return true
    }

    /// The byte in lowercase if it is one of `A` to `Z`.
    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    /// The byte in uppercase if it is one of `a` to `z`.
    @inline(__always)
    static func uppercased(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "a") < 26 ? byte & ~0x20 : byte
    }
}

/// ASCII bytes, for the fast paths: most strings contain nothing else.
enum ASCII {
    static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.allSatisfy { $0 < 0x80 } }

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

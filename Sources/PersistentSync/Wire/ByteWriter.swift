/// Bytes that are written one value after the other.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ more: some Sequence<UInt8>) { bytes += more }

    /// Seven bits per byte, the lowest first.
    mutating func writeNumber(_ number: UInt64) {
        var rest = number
        while rest > 0x7f {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func writeCount(_ count: Int) { writeNumber(UInt64(count)) }

    /// A number with its sign in the lowest bit, so that small negative numbers are short.
    mutating func writeSigned(_ number: Int64) { writeNumber(UInt64(bitPattern: number << 1 ^ number >> 63)) }

    /// All bytes of a number, the highest first.
    mutating func writeFixed(_ number: some FixedWidthInteger) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// A length, then the bytes.
    mutating func writeBlock(_ block: [UInt8]) {
        writeCount(block.count)
        bytes += block
    }
}

// Wire: batches as bytes, encrypted and signed. It knows batches, and must not know transports.

/// What the readers and writers of batches have in common.
package enum WireFormat {
    static let magic = Array("POSB".utf8)
    package static let version: UInt8 = 1
    /// The version of batches with pieces, and of those that do not pass on all that their device has received.
    static let dividedVersion: UInt8 = 2
    /// The largest batch, in bytes.
    static let largestBatch = 8 << 20
    /// The largest memory, in bytes, of the content of a batch.
    static let largestMemory = 24 << 20
    /// The largest memory, in bytes, of an object that is sent in pieces, and of its content.
    static let largestObject = 64 << 20
    /// The largest number of bytes of all pieces of an object, with their padding.
    static let largestPieces = padded(largestObject + 64) + 64
    static let mostPieces = 4096
    /// The content of so many bytes never takes the largest memory.
    static let smallPayload = 64 << 10
    static let longestName = 512
    static let longestPlace = 1024
    /// The greatest number of a change.
    static let greatestNumber: Int64 = 1 << 53

    /// The parts of an object. A reader skips parts that it does not know.
    enum Part: UInt64 {
        case life = 1
        case group = 2
        case properties = 3
        case counters = 4
        case maxima = 5
        case minima = 6
        case sets = 7
        case dictionaries = 8
        case arrays = 9
    }

    /// A bit in the byte of a value's form: the value has the clock of the value before, which is not repeated.
    static let sameClock: UInt8 = 0x80
    /// A bit in the same byte: the clock is the next one of the same device, as the properties of new objects have.
    static let nextClock: UInt8 = 0x40

    /// The forms of a value.
    enum Form: UInt8 {
        case null = 0
        case integer = 1
        case real = 2
        case text = 3
        case bytes = 4
        case decimal = 5
        case object = 6
        case blob = 7
    }

    /// The size to which a number of bytes is padded, at most 12 percent more (Padmé), so that the size says little about
    /// the content.
    static func padded(_ size: Int) -> Int {
        guard size > 1 else { return size }
        let exponent = Int.bitWidth - 1 - size.leadingZeroBitCount
        let bits = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = (1 << max(0, exponent - bits)) - 1
        return (size + mask) & ~mask
    }
}

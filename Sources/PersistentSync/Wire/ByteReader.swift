/// Bytes of other devices that are read one value after the other. It never reads beyond the end, and limits the memory
/// of what is read, whatever counts and lengths the bytes contain.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private(set) var position: Int
    /// The memory, in bytes, that the values may still take.
    private var memory: Int

    init(_ bytes: ArraySlice<UInt8>, memory: Int) {
        (self.bytes, position, self.memory) = (bytes, bytes.startIndex, memory)
    }

    var remaining: Int { bytes.endIndex - position }

    static func damaged(_ problem: String) -> SyncError {
        SyncError(
            .damagedBatch, "The batch is damaged: \(problem). Nothing of it was applied. It is read again later")
    }

    /// Accounts for the memory of a value.
    mutating func charge(_ size: Int) throws(SyncError) {
        memory -= size
        guard memory >= 0 else {
            throw SyncError(
                .quota, "The batch needs more memory than a batch may. Nothing of it was applied. Retire its device")
        }
    }

    mutating func read(_ count: Int) throws(SyncError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else { throw Self.damaged("it ends early") }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func readByte() throws(SyncError) -> UInt8 {
        guard position < bytes.endIndex else { throw Self.damaged("it ends early") }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func readNumber() throws(SyncError) -> UInt64 {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let byte = try readByte()
            let bits = UInt64(byte & 0x7f)
            guard shift < 63 || shift == 63 && bits <= 1 else { throw Self.damaged("a number is too large") }
            number |= bits << shift
            if byte < 0x80 {
                guard byte > 0 || shift == 0 else { throw Self.damaged("a number has two forms") }
                return number
            }
            shift += 7
        }
    }

    mutating func readSigned() throws(SyncError) -> Int64 {
        let number = try readNumber()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// A number from 0 to a limit.
    mutating func readNumber(upTo limit: Int64, _ name: String) throws(SyncError) -> Int64 {
        let number = try readNumber()
        guard number <= UInt64(limit) else { throw Self.damaged("\(name) exceeds \(limit)") }
        return Int64(number)
    }

    /// The number of elements that follow, each of which has a minimum size.
    mutating func readCount(ofSize size: Int = 1) throws(SyncError) -> Int {
        let count = try readNumber()
        guard count <= UInt64(remaining / size) else { throw Self.damaged("it has fewer elements than it counts") }
        return Int(count)
    }

    mutating func readFixed<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(SyncError) -> Number {
        var number: Number = 0
        for byte in try read(MemoryLayout<Number>.size) { number = number << 8 | Number(truncatingIfNeeded: byte) }
        return number
    }

    /// A length, then the bytes.
    mutating func readBlock(upTo limit: Int = .max) throws(SyncError) -> [UInt8] {
        let count = try readCount()
        guard count <= limit else { throw Self.damaged("a string is longer than \(limit) bytes") }
        try charge(count + MemorySize.block)
        return Array(try read(count))
    }

    /// A part with a separate reader, whose memory is accounted for here.
    mutating func readPart<R>(
        _ body: (inout ByteReader) throws(SyncError) -> R
    ) throws(SyncError) -> R {
        let count = try readCount()
        var part = ByteReader(try read(count), memory: memory)
        let result = try body(&part)
        memory = part.memory
        guard part.remaining == 0 else { throw Self.damaged("a part is longer than its content") }
        return result
    }
}

/// Bytes, taken one after the other; behind the last one there are zeros.
struct FuzzInput {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    var isEmpty: Bool { bytes.isEmpty }

    mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

    mutating func number(below limit: Int) -> Int { Int(byte()) % limit }

    mutating func integer() -> Int64 {
        var value: UInt64 = 0
        for _ in 0..<8 { value = value << 8 | UInt64(byte()) }
        return Int64(bitPattern: value)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        defer { bytes = bytes.dropFirst(count) }
        return Array(bytes.prefix(count))
    }

    /// What is left.
    mutating func rest() -> [UInt8] { bytes(bytes.count) }

    /// Some bytes with their number in front of them.
    mutating func some() -> [UInt8] { bytes(Int(byte())) }

    /// UTF-8, mended where it is none.
    mutating func text() -> String { String(decoding: some(), as: UTF8.self) }
}

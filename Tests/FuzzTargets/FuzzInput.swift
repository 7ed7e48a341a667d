/// Bytes that are consumed one after the other. After the last byte there are zeros.
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

    /// The remaining bytes.
    mutating func rest() -> [UInt8] { bytes(bytes.count) }

    /// Some bytes, which follow their number.
    mutating func some() -> [UInt8] { bytes(Int(byte())) }

    /// A string, with invalid UTF-8 repaired.
    mutating func text() -> String { String(decoding: some(), as: UTF8.self) }
}

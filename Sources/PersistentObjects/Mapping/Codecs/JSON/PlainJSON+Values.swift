@_spi(JSON) internal import StoreEngine

// Reading values; nil if a value is of another kind, or if only `JSONDecoder` can decide.
extension PlainJSON {
    func bool(_ place: Int) -> Bool? {
        values[place].kind == .bool ? bytes[Int(values[place].start)] == UInt8(ascii: "t") : nil
    }

    func text(_ place: Int) -> String? {
        let value = values[place]
        let slice = bytes[Int(value.start)..<Int(value.end)]
        switch value.kind {
        case .text: return String(decoding: slice, as: UTF8.self)
        case .otherText: return String(validating: PlainJSON.withoutEscapes(slice), as: UTF8.self)
        default: return nil
        }
    }

    private static func withoutEscapes(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var isEscape = false
        for byte in bytes {
            if isEscape {
                // The escape was validated when the string was scanned.
                plain.append(JSONScanner.unescaped(byte) ?? byte)
                isEscape = false
            } else if byte == UInt8(ascii: "\\") {
                isEscape = true
            } else {
                plain.append(byte)
            }
        }
        return plain
    }

    /// A number that is written without decimal point and exponent, and is not `-0`.
    func integer<T: FixedWidthInteger>(_ place: Int) -> T? {
        let value = values[place]
        // Every number of 18 digits fits in an Int64.
        guard value.kind == .number, value.end - value.start <= 18 else { return nil }
        var next = Int(value.start)
        let isNegative = bytes[next] == UInt8(ascii: "-")
        if isNegative { next += 1 }
        var number: Int64 = 0
        while next < value.end {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[next]) else { return nil }
            number = number &* 10 &+ Int64(bytes[next] &- UInt8(ascii: "0"))
            next += 1
        }
        guard number != 0 || !isNegative else { return nil }
        return T(exactly: isNegative ? -number : number)
    }

    func real(_ place: Int) -> Double? {
        // Integers below 2^53 are exact.
        if let whole: Int64 = integer(place), whole.magnitude < 1 << 53 { return Double(whole) }
        let value = values[place]
        guard value.kind == .number else { return nil }
        let text = String(decoding: bytes[Int(value.start)..<Int(value.end)], as: UTF8.self)
        // Decoders may differ at the limits of the range.
        guard let number = Double(text), number.isNormal else { return nil }
        return number
    }

    /// The place of a name's value in an object; nil if the object does not have the name.
    func member(_ name: String, of object: Int) -> Int? {
        let length = name.utf8.count
        var place = object + 1
        for _ in 0..<values[object].count {
            let found = values[place]
            if Int(found.end - found.start) == length {
                var next = Int(found.start)
                if name.utf8.allSatisfy({ byte in
                    defer { next += 1 }
                    return bytes[next] == byte
                }) {
                    return place + 1
                }
            }
            place = Int(values[place + 1].next)
        }
        return nil
    }
}

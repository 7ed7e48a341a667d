// JSON: the grammar of JSON, byte by byte. It knows bytes, and must not know the purpose of a value.

/// Scans the bytes of a JSON text, for readers of files and for SQL functions.
///
/// Each reader decides how to interpret a value, and how strictly; a function that returns false or nil stays at the
/// invalid position.
package struct JSONScanner: Sendable {
    package let bytes: [UInt8]
    /// The position of the current byte.
    package var at = 0

    @inlinable package init(_ bytes: [UInt8]) { self.bytes = bytes }

    @inlinable package var isAtEnd: Bool { at >= bytes.count }

    /// The current byte; 0, which occurs only inside JSON strings, at the end.
    @inlinable package var byte: UInt8 { at < bytes.count ? bytes[at] : 0 }

    @inlinable package mutating func take(_ expected: UInt8) -> Bool {
        guard byte == expected else { return false }
        at += 1
        return true
    }

    @inlinable package mutating func skipSpace() {
        while byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { at += 1 }
    }

    /// `true`, `false` or `null`.
    @inlinable package mutating func take(word: String) -> Bool {
        var place = at
        for letter in word.utf8 {
            guard place < bytes.count, bytes[place] == letter else { return false }
            place += 1
        }
        at = place
        return true
    }

    // MARK: Numbers

    @inlinable package mutating func skipNumber() -> Bool {
        _ = take(UInt8(ascii: "-"))
        guard take(UInt8(ascii: "0")) || skipDigits() else { return false }
        if take(UInt8(ascii: ".")) { guard skipDigits() else { return false } }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
            guard skipDigits() else { return false }
        }
        return true
    }

    @inlinable package mutating func skipDigits() -> Bool {
        let start = at
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { at += 1 }
        return at > start
    }

    // MARK: Texts

    /// Advances to the next quote, backslash or control character of a string, or to the end.
    ///
    /// - Returns: Whether all skipped bytes are ASCII.
    @inlinable package mutating func skipPlainText() -> Bool {
        var all: UInt8 = 0
        while at < bytes.count {
            let byte = bytes[at]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            all |= byte
            at += 1
        }
        return all < 0x80
    }

    /// The meaning of an escaped letter; nil for `u`, and for letters that are not escapes.
    @inlinable package static func unescaped(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
        case UInt8(ascii: "n"): 0x0a
        case UInt8(ascii: "r"): 0x0d
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0c
        default: nil
        }
    }

    /// The four hexadecimal digits after `\u`.
    package mutating func takeCodeUnit() -> UInt16? {
        guard bytes.count - at >= 4 else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[at..<at + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        at += 4
        return unit
    }
}

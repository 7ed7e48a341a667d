// JSON: the grammar of JSON, its values, and their bytes. It must not know the purpose of a value.

/// Scans the bytes of a JSON text, for readers of files and for SQL functions.
///
/// Each reader decides how to interpret a value, and how strictly; a function that returns false or nil stays at the
/// invalid position.
///
/// It is public because the optimizer inlines no `package` declaration into another module. It is SPI, which users do
/// not see.
@_spi(JSON)
public struct JSONScanner: Sendable {
    /// The text.
    public let bytes: [UInt8]
    /// The position of the current byte.
    public var at = 0

    /// Creates a scanner at the start of a text.
    @inlinable public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether all bytes were scanned.
    @inlinable public var isAtEnd: Bool { at >= bytes.count }

    /// The current byte; 0, which occurs only inside JSON strings, at the end.
    @inlinable public var byte: UInt8 { at < bytes.count ? bytes[at] : 0 }

    /// Advances past a byte; false if the current byte is another one.
    @inlinable public mutating func take(_ expected: UInt8) -> Bool {
        guard byte == expected else { return false }
        at += 1
        return true
    }

    /// Advances past whitespace.
    @inlinable public mutating func skipSpace() {
        while byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { at += 1 }
    }

    /// Advances past `true`, `false` or `null`; false if the text continues differently.
    @inlinable public mutating func take(word: String) -> Bool {
        var place = at
        for letter in word.utf8 {
            guard place < bytes.count, bytes[place] == letter else { return false }
            place += 1
        }
        at = place
        return true
    }

    // MARK: Numbers

    /// Advances past a number; false if the text is not a number.
    @inlinable public mutating func skipNumber() -> Bool {
        _ = take(UInt8(ascii: "-"))
        guard take(UInt8(ascii: "0")) || skipDigits() else { return false }
        if take(UInt8(ascii: ".")) { guard skipDigits() else { return false } }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
            guard skipDigits() else { return false }
        }
        return true
    }

    /// Advances past digits; false if there is none.
    @inlinable public mutating func skipDigits() -> Bool {
        let start = at
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { at += 1 }
        return at > start
    }

    // MARK: Texts

    /// Advances to the next quote, backslash or control character of a string, or to the end.
    ///
    /// - Returns: Whether all skipped bytes are ASCII.
    @inlinable public mutating func skipPlainText() -> Bool {
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
    @inlinable public static func unescaped(_ byte: UInt8) -> UInt8? {
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
    public mutating func takeCodeUnit() -> UInt16? {
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

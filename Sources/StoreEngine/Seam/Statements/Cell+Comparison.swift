#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

// A column is compared in place, without creating strings or byte arrays.
extension Cell {
    /// Whether it stores a string with the same bytes.
    package func holds(text: String) -> Bool {
        guard storageClass == .text else { return false }
        return text.utf8.withContiguousStorageIfAvailable { hasBytes(UnsafeRawBufferPointer($0)) } ?? false
    }

    /// Whether it stores exactly this value: a number of the same kind and bits, or a string or blob of the same bytes.
    package func holds(_ value: DatabaseValue) -> Bool {
        switch value {
        case .null: isNull
        case .integer(let number): integer == number
        case .real(let number): real?.bitPattern == number.bitPattern
        case .text(let text): holds(text: text)
        case .blob(let bytes): storageClass == .blob && bytes.withUnsafeBytes(hasBytes)
        }
    }

    /// Whether it stores exactly the same value as another cell.
    package func holds(_ other: Cell) -> Bool {
        guard storageClass == other.storageClass else { return false }
        return switch storageClass {
        case .null: true
        case .integer, .real: payload == other.payload
        case .text, .blob: hasBytes(UnsafeRawBufferPointer(start: other.start, count: other.byteCount))
        }
    }

    /// Whether it is a string with the character NUL.
    package var hasNUL: Bool {
        guard storageClass == .text, let start, byteCount > 0 else { return false }
        return memchr(start, 0, byteCount) != nil
    }

    /// Whether it is a string of ASCII characters.
    package var isASCII: Bool {
        guard storageClass == .text, let start else { return false }
        return UnsafeRawBufferPointer(start: start, count: byteCount).reduce(0, |) <= 0x7F
    }

    private func hasBytes(_ other: UnsafeRawBufferPointer) -> Bool {
        guard byteCount == other.count else { return false }
        guard let start, let first = other.baseAddress, byteCount > 0 else { return byteCount == 0 }
        return memcmp(start, first, byteCount) == 0
    }
}

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

    private func hasBytes(_ other: UnsafeRawBufferPointer) -> Bool {
        guard byteCount == other.count else { return false }
        guard let start, let first = other.baseAddress, byteCount > 0 else { return byteCount == 0 }
        return memcmp(start, first, byteCount) == 0
    }
}

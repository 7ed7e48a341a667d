// Values: the contents of columns, and their errors. It must know neither SQL nor engines.

/// One value as a column stores it.
///
/// Two values are equal if the column would store the same bytes: strings are compared by their UTF-8 (so `"é"`
/// composed and decomposed differ), numbers by their bits (so `-0.0` and `0.0` differ).
public enum DatabaseValue: Sendable {
    /// A missing value.
    case null
    /// A signed 64-bit integer.
    case integer(Int64)
    /// A 64-bit floating-point number; NaN cannot be stored.
    case real(Double)
    /// A string.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

extension DatabaseValue {
    /// The kind of this value.
    public var storageClass: StorageClass {
        switch self {
        case .null: .null
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .blob: .blob
        }
    }
}

extension DatabaseValue: Hashable {
    /// Returns whether a column would store the same bytes for both values.
    public static func == (a: DatabaseValue, b: DatabaseValue) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.integer(let x), .integer(let y)): x == y
        case (.real(let x), .real(let y)): x.bitPattern == y.bitPattern
        case (.text(let x), .text(let y)): x.hasSameUTF8(as: y)
        case (.blob(let x), .blob(let y)): x == y
        default: false
        }
    }

    /// Hashes the same bytes that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storageClass)
        switch self {
        case .null: break
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value.bitPattern)
        // Strings that are equal in Swift have the same hash, which costs a comparison if bytes differ; hashing byte by
        // byte took ten times as long.
        case .text(let value): hasher.combine(value)
        case .blob(let bytes): hasher.combine(bytes)
        }
    }
}

extension String {
    /// Whether two strings are equal byte for byte; `==` would treat canonical equivalents as equal, and an edit would
    /// be lost.
    @inlinable
    package func hasSameUTF8(as other: String) -> Bool {
        let same = utf8.withContiguousStorageIfAvailable { mine in
            other.utf8.withContiguousStorageIfAvailable { theirs in
                mine.count == theirs.count && mine.elementsEqual(theirs)
            }
        }
        if case .some(.some(let same)) = same { return same }
        return utf8.elementsEqual(other.utf8)
    }
}

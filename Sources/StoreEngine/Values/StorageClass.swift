/// The five kinds of value that SQLite stores.
public enum StorageClass: UInt8, Sendable, Hashable, BitwiseCopyable {
    /// A missing value.
    case null
    /// A signed 64-bit integer.
    case integer
    /// A 64-bit floating-point number.
    case real
    /// A string, in UTF-8.
    case text
    /// Bytes.
    case blob
}

extension StorageClass: CustomStringConvertible {
    /// The name in SQL: `NULL`, `INTEGER`, `REAL`, `TEXT` or `BLOB`.
    public var description: String {
        switch self {
        case .null: "NULL"
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text: "TEXT"
        case .blob: "BLOB"
        }
    }
}

/// The declared type of a column of a STRICT table.
public enum ColumnType: String, Sendable, Hashable, CaseIterable {
    /// Signed 64-bit integers.
    case integer = "INTEGER"
    /// 64-bit floating-point numbers.
    case real = "REAL"
    /// Strings.
    case text = "TEXT"
    /// Bytes.
    case blob = "BLOB"
    /// Any of the other types, stored without conversion.
    case any = "ANY"
}

/// The type of a column's values: a `ColumnType` that also distinguishes types which SQLite stores alike and other
/// engines store separately.
package enum LogicalType: Sendable, Hashable, CaseIterable {
    case integer, real, text, blob, any
    /// UUIDs, as their 16 bytes.
    case uuid
    /// Decimal numbers, as strings of their digits.
    case decimal

    /// Creates the type for a column type alone.
    package init(_ type: ColumnType) {
        self =
            switch type {
            case .integer: .integer
            case .real: .real
            case .text: .text
            case .blob: .blob
            case .any: .any
            }
    }

    /// The type of the values, as SQLite declares it.
    package var columnType: ColumnType {
        switch self {
        case .integer: .integer
        case .real: .real
        case .text, .decimal: .text
        case .blob, .uuid: .blob
        case .any: .any
        }
    }
}

/// What the values of a column are: a `ColumnType`, but that it tells apart what SQLite stores alike and other engines
/// have types of their own for.
package enum LogicalType: Sendable, Hashable, CaseIterable {
    case integer, real, text, blob, any
    /// UUIDs: values are their 16 bytes.
    case uuid
    /// Decimal numbers: values are texts of their digits.
    case decimal

    /// Values of which nothing more is known.
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

    /// The kind of values, as SQLite declares it.
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

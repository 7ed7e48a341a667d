internal import StoreEngine

/// The columns of rows, and how each is read: determined once for a statement.
final class PostgresLayout {
    /// How a column's bytes are read.
    enum Reading {
        case int8, text, float8, blob, int4, int2, bool, float4, jsonb
        case numeric(isStored: Bool)
        /// As the library declares the columns of decimal numbers.
        case decimal
        case unknown(PostgresType)
    }

    let columns: [PostgresColumn]
    /// By address, because it is read for each value.
    let readings: UnsafeMutableBufferPointer<Reading>

    init(_ columns: [PostgresColumn]) {
        self.columns = columns
        readings = .allocate(capacity: columns.count)
        for (place, column) in columns.enumerated() {
            readings.initializeElement(
                at: place, to: PostgresLayout.reading(column))
        }
    }

    deinit {
        readings.deinitialize()
        readings.deallocate()
    }

    private static func reading(_ column: PostgresColumn) -> Reading {
        switch column.type {
        case .int8: .int8
        case .int4: .int4
        case .int2: .int2
        case .bool: .bool
        case .float8: .float8
        case .float4: .float4
        case .numeric where column.isStored && !column.isLimited: .decimal
        case .numeric: .numeric(isStored: column.isStored)
        case .jsonb: .jsonb
        case .bytea, .uuid: .blob
        // A function without a result.
        case PostgresType(2278): .text
        case _ where column.type.isText: .text
        default: .unknown(column.type)
        }
    }
}

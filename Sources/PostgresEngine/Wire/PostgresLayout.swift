internal import StoreEngine

/// The columns of rows and the decoding of each, determined once for a statement.
final class PostgresLayout {
    /// The decoding of a column's bytes.
    enum Reading {
        case int8, text, float8, blob, int4, int2, bool, float4, jsonb, timestamp, date
        /// A value of any type.
        case any
        case numeric(isStored: Bool)
        /// A `numeric` column as the library declares it.
        case decimal
        case unknown
    }

    let columns: [PostgresColumn]
    /// Accessed by address, because it is read for each value.
    let readings: UnsafeMutableBufferPointer<Reading>

    /// - Parameter hasAnyValues: Whether arrays of strings are values of any type.
    init(_ columns: [PostgresColumn], hasAnyValues: Bool = false) {
        self.columns = columns
        readings = .allocate(capacity: columns.count)
        for (place, column) in columns.enumerated() {
            readings.initializeElement(
                at: place, to: column.type == .textArray && hasAnyValues ? .any : PostgresLayout.reading(column))
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
        case .timestamp, .timestamptz: .timestamp
        case .date: .date
        case .bytea, .uuid: .blob
        // `void`, the result type of a function without a result.
        case PostgresType(2278): .text
        case _ where column.type.isText: .text
        default: .unknown
        }
    }
}

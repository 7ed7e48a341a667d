internal import StoreEngine

/// The columns of rows and the decoding of each, determined once for a statement.
final class PostgresLayout {
    /// The decoding of a column's bytes.
    enum Reading: Equatable {
        case int8, text, float8, blob, int4, int2, bool, float4, jsonb, timestamp, date
        /// A value of any type.
        case any
        case numeric(isStored: Bool)
        /// A `numeric` column as the library declares it.
        case decimal
        /// The server's text for a value of a type with a known binary form.
        case written
        case unknown
    }

    let columns: [PostgresColumn]
    /// Accessed by address, because it is read for each value.
    let readings: UnsafeMutableBufferPointer<Reading>
    /// Whether the server must send text, which is the value of a type without a known binary form, such as an
    /// enumeration. libpq requests one form for all columns.
    let isText: Bool

    /// - Parameters:
    ///   - hasAnyValues: Whether arrays of strings are values of any type.
    ///   - canBeText: Whether the form of the rows can still be chosen.
    init(_ columns: [PostgresColumn], hasAnyValues: Bool = false, canBeText: Bool = false) {
        self.columns = columns
        isText = canBeText && !hasAnyValues && columns.contains { PostgresLayout.reading($0) == .unknown }
        readings = .allocate(capacity: columns.count)
        for (place, column) in columns.enumerated() {
            let reading = isText ? PostgresLayout.textReading(column) : PostgresLayout.reading(column)
            readings.initializeElement(at: place, to: column.type == .textArray && hasAnyValues ? .any : reading)
        }
    }

    deinit {
        readings.deinitialize()
        readings.deallocate()
    }

    private static func textReading(_ column: PostgresColumn) -> Reading {
        switch reading(column) {
        case .text, .jsonb, .date, .unknown, .any: .text
        case .timestamp: column.type == .timestamp ? .text : .written
        default: .written
        }
    }

    static func reading(_ column: PostgresColumn) -> Reading {
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

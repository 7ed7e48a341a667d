// These types are public because the optimizer inlines no `package` declaration into another module, so that each column
// would take two more calls. They are SPI, which users do not see.
public import CSQLite

/// One column of an SQLite statement's current row, as SQLite's own value.
///
/// `sqlite3_value_*` on a value obtained once is cheaper than `sqlite3_column_*` (55 ns a row).
@_spi(Columns)
public struct ColumnValue: RowColumn {
    @usableFromInline let pointer: OpaquePointer

    @inlinable @inline(__always)
    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @inlinable
    public var storageClass: StorageClass {
        switch sqlite3_value_type(pointer) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    @inlinable @inline(__always)
    public var isNull: Bool { sqlite3_value_type(pointer) == SQLITE_NULL }

    @inlinable @inline(__always)
    public var integer: Int64? {
        sqlite3_value_type(pointer) == SQLITE_INTEGER ? sqlite3_value_int64(pointer) : nil
    }

    @inlinable @inline(__always)
    public var real: Double? {
        sqlite3_value_type(pointer) == SQLITE_FLOAT ? sqlite3_value_double(pointer) : nil
    }

    package var byteCount: Int { cell.byteCount }

    package func text() throws(ValueFault) -> String {
        guard sqlite3_value_type(pointer) == SQLITE_TEXT else { throw mismatch(expected: "TEXT") }
        guard let start = sqlite3_value_text(pointer) else { throw .outOfMemory }
        return try ColumnValue.string(start, Int(sqlite3_value_bytes(pointer)))
    }

    package func withBlob<R>(_ body: (UnsafeRawBufferPointer) -> R) throws(ValueFault) -> R {
        try cell.withBlob(body)
    }

    package var cell: Cell {
        switch sqlite3_value_type(pointer) {
        case SQLITE_INTEGER: return Cell(sqlite3_value_int64(pointer))
        case SQLITE_FLOAT: return Cell(sqlite3_value_double(pointer))
        case SQLITE_TEXT:
            // The length is read after the address, because SQLite counts the bytes of the encoding it has returned.
            let start = sqlite3_value_text(pointer)
            return Cell(text: start, count: Int(sqlite3_value_bytes(pointer)))
        case SQLITE_BLOB:
            let start = sqlite3_value_blob(pointer)
            return Cell(blob: start, count: Int(sqlite3_value_bytes(pointer)))
        default: return .null
        }
    }
}

/// The columns of an SQLite statement's current row.
///
/// `sqlite3_column_value` takes 75 instructions for each column, which is more than the rest of the work for a number.
/// SQLite keeps the values of a row in one array. If the last value is where its distance from the first value predicts
/// it, the addresses of the values between them are computed; otherwise SQLite returns each value.
@_spi(Columns)
public struct ColumnValues {
    @usableFromInline let handle: OpaquePointer
    /// The value of the first column; nil if SQLite returns each value.
    @usableFromInline let first: UnsafeRawPointer?
    /// The distance from each value to the next value.
    @usableFromInline let spacing: Int

    /// Columns whose values SQLite returns one by one.
    @inlinable @inline(__always)
    init(_ handle: OpaquePointer) {
        self.handle = handle
        first = nil
        spacing = 0
    }

    /// Columns of which SQLite returns only the last of `count` values; if `spacing` is 0, each value.
    @inlinable @inline(__always)
    init(_ handle: OpaquePointer, from first: ColumnValue, count: Int, spacing: Int) {
        self.handle = handle
        self.spacing = spacing
        guard count > 2, spacing > 0 else {
            self.first = nil
            return
        }
        let start = UnsafeRawPointer(first.pointer)
        // For an index out of range, SQLite returns its static NULL value, which is not in the array.
        let last = UnsafeRawPointer(sqlite3_column_value(handle, Int32(truncatingIfNeeded: count &- 1)))
        self.first = last == start + spacing &* (count &- 1) ? start : nil
    }

    /// The value of column `index`, which is one of those that are read.
    @inlinable @inline(__always)
    public subscript(_ index: Int32) -> ColumnValue {
        if let first { return ColumnValue(OpaquePointer(first + spacing &* Int(index))) }
        // It is never nil, because SQLite returns its static NULL value for an index out of range.
        return ColumnValue(sqlite3_column_value(handle, index).unsafelyUnwrapped)
    }
}

extension ColumnValues {
    /// The distance of the values of a row in the memory of this program's SQLite; 0 if they are not in one array.
    static let spacing: Int = {
        guard let statement = ScratchStatement("SELECT 1, 2.5, 'x', NULL, x'01'"), statement.step() else { return 0 }
        let places = (0..<5).map { UInt(bitPattern: sqlite3_column_value(statement.handle, $0)) }
        let distances = Set(zip(places, places.dropFirst()).map { $1 &- $0 })
        guard let distance = distances.first, distances.count == 1, distance < 1_024 else { return 0 }
        return Int(distance)
    }()
}

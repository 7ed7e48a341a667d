internal import CSQLite

/// One column of an SQLite statement's current row, as SQLite's own value.
///
/// `sqlite3_value_*` on a value obtained once is cheaper than `sqlite3_column_*` (55 ns a row).
package struct ColumnValue: RowColumn {
    @usableFromInline let pointer: OpaquePointer

    @inlinable @inline(__always)
    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @inlinable
    package var storageClass: StorageClass {
        switch sqlite3_value_type(pointer) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    @inlinable @inline(__always)
    package var isNull: Bool { sqlite3_value_type(pointer) == SQLITE_NULL }

    @inlinable @inline(__always)
    package var integer: Int64? {
        sqlite3_value_type(pointer) == SQLITE_INTEGER ? sqlite3_value_int64(pointer) : nil
    }

    @inlinable @inline(__always)
    package var real: Double? {
        sqlite3_value_type(pointer) == SQLITE_FLOAT ? sqlite3_value_double(pointer) : nil
    }

    package var byteCount: Int { cell.byteCount }

    @inlinable
    package func text() throws(ValueFault) -> String {
        guard sqlite3_value_type(pointer) == SQLITE_TEXT else { throw mismatch(expected: "TEXT") }
        guard let start = sqlite3_value_text(pointer) else { throw .outOfMemory }
        return try ColumnValue.string(start, Int(sqlite3_value_bytes(pointer)))
    }

    @inlinable
    package func withBlob<R>(_ body: (UnsafeRawBufferPointer) -> R) throws(ValueFault) -> R {
        try cell.withBlob(body)
    }

    @inlinable
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
package struct ColumnValues {
    @usableFromInline let handle: OpaquePointer

    @inlinable @inline(__always)
    init(_ handle: OpaquePointer) { self.handle = handle }

    @inlinable @inline(__always)
    package subscript(_ index: Int32) -> ColumnValue {
        // Never nil: an index out of range returns SQLite's own static NULL value.
        ColumnValue(sqlite3_column_value(handle, index).unsafelyUnwrapped)
    }
}

internal import CSQLite

/// One column of the row that a statement stands on, read without conversion.
///
/// Valid until the statement is stepped, reset or finalised. `sqlite3_value_*`
/// on a value taken once is cheaper than `sqlite3_column_*` (55 ns a row).
package struct ColumnValue {
    @usableFromInline let pointer: OpaquePointer

    @inlinable @inline(__always)
    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// What the column holds.
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

    /// How many bytes a text or blob has; 0 of other values.
    package var byteCount: Int {
        switch storageClass {
        case .text, .blob: Int(sqlite3_value_bytes(pointer))
        case .integer, .real, .null: 0
        }
    }

    /// The integer; the column must hold one.
    @inlinable @inline(__always)
    package var integer: Int64? {
        sqlite3_value_type(pointer) == SQLITE_INTEGER ? sqlite3_value_int64(pointer) : nil
    }

    /// The number; the column must hold REAL.
    @inlinable @inline(__always)
    package var real: Double? {
        sqlite3_value_type(pointer) == SQLITE_FLOAT ? sqlite3_value_double(pointer) : nil
    }

    @inlinable
    package func mismatch(expected: String) -> ValueFault { .typeMismatch(expected: expected, found: storageClass) }

    /// The text, whole (embedded NULs too); throws where the bytes are no UTF-8.
    @inlinable
    package func text() throws(ValueFault) -> String {
        guard sqlite3_value_type(pointer) == SQLITE_TEXT else { throw mismatch(expected: "TEXT") }
        guard let start = sqlite3_value_text(pointer) else { throw .engine(code: SQLITE_NOMEM) }
        let count = Int(sqlite3_value_bytes(pointer))
        // SQLite ends each text with a NUL, and the C string initialiser is the fastest that validates.
        let characters = UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
        if let string = String(validatingCString: characters), string.utf8.count == count { return string }
        let bytes = UnsafeBufferPointer(start: start, count: count)
        guard let string = String(validating: bytes, as: UTF8.self) else { throw .invalidText }
        return string
    }

    /// Calls `body` with the bytes; the column must hold BLOB.
    @inlinable
    package func withBlob<R>(_ body: (UnsafeRawBufferPointer) -> R) throws(ValueFault) -> R {
        guard sqlite3_value_type(pointer) == SQLITE_BLOB else { throw mismatch(expected: "BLOB") }
        let start = sqlite3_value_blob(pointer)
        let count = Int(sqlite3_value_bytes(pointer))
        return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    /// The value, whatever its kind.
    package func value() throws(ValueFault) -> DatabaseValue {
        switch storageClass {
        case .null: .null
        case .integer: .integer(sqlite3_value_int64(pointer))
        case .real: .real(sqlite3_value_double(pointer))
        case .text: .text(try text())
        case .blob: .blob(try withBlob { [UInt8]($0) })
        }
    }
}

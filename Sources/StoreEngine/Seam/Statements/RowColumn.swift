/// One column of a statement's current row, read without conversion.
///
/// Loops over rows are generic over it and specialized for both conforming types: `ColumnValue`, which is SQLite's own
/// value, and `Cell`, into which the rows of any other engine are decoded. It is valid until the statement is stepped,
/// reset or finalized.
package protocol RowColumn {
    /// The type of the value.
    var storageClass: StorageClass { get }
    /// Whether the column is NULL.
    var isNull: Bool { get }
    /// The integer; nil if the column has another type.
    var integer: Int64? { get }
    /// The number; nil if the column is not REAL.
    var real: Double? { get }
    /// The number of bytes of a string or blob; 0 for other values.
    var byteCount: Int { get }
    /// The complete string, including embedded NULs; throws if the column is not TEXT, or not valid UTF-8.
    func text() throws(ValueFault) -> String
    /// Calls `body` with the bytes; the column must be a BLOB.
    func withBlob<R>(_ body: (UnsafeRawBufferPointer) -> R) throws(ValueFault) -> R
    /// The column for unspecialized code.
    var cell: Cell { get }
}

extension RowColumn {
    /// The error for a column of an unexpected type.
    @inlinable
    package func mismatch(expected: String) -> ValueFault { .typeMismatch(expected: expected, found: storageClass) }

    /// The value, whatever its kind.
    package func value() throws(ValueFault) -> DatabaseValue {
        switch storageClass {
        case .null: .null
        case .integer: .integer(integer ?? 0)
        case .real: .real(real ?? 0)
        case .text: .text(try text())
        case .blob: .blob(try withBlob { [UInt8]($0) })
        }
    }
}

extension RowColumn {
    /// The string of some bytes with a NUL after the last.
    @inlinable @inline(__always)
    static func string(_ start: UnsafePointer<UInt8>, _ count: Int) throws(ValueFault) -> String {
        // The C string initializer is the fastest that validates. A string with an embedded NUL is read by its length.
        let characters = UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
        if let string = String(validatingCString: characters), string.utf8.count == count { return string }
        let bytes = UnsafeBufferPointer(start: start, count: count)
        guard let string = String(validating: bytes, as: UTF8.self) else { throw .invalidText }
        return string
    }
}

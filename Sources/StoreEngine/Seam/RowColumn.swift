/// One column of the row that a statement stands on, read without conversion.
///
/// What reads rows in a loop is generic over it and specialised for both
/// conformers: `ColumnValue`, which is SQLite's own value, and `Cell`, which is
/// what any other engine's row is taken apart into. It is good until the
/// statement is stepped, reset or finalised.
package protocol RowColumn {
    /// What the column holds.
    var storageClass: StorageClass { get }
    /// Whether the column holds nothing.
    var isNull: Bool { get }
    /// The integer; nil where the column holds anything else.
    var integer: Int64? { get }
    /// The number; nil where the column does not hold REAL.
    var real: Double? { get }
    /// How many bytes a text or blob has; 0 of other values.
    var byteCount: Int { get }
    /// The text, whole (embedded NULs too); throws where there is none, or where the bytes are no UTF-8.
    func text() throws(ValueFault) -> String
    /// Calls `body` with the bytes; the column must hold BLOB.
    func withBlob<R>(_ body: (UnsafeRawBufferPointer) -> R) throws(ValueFault) -> R
    /// The column for those who are not specialised.
    var cell: Cell { get }
}

extension RowColumn {
    /// What to say where the column holds something else than was expected.
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
    /// A text as a database stores it: a NUL follows the last of its bytes.
    @inlinable @inline(__always)
    static func string(_ start: UnsafePointer<UInt8>, _ count: Int) throws(ValueFault) -> String {
        // The C string initialiser is the fastest that validates; a text with a NUL in it is read by its length.
        let characters = UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
        if let string = String(validatingCString: characters), string.utf8.count == count { return string }
        let bytes = UnsafeBufferPointer(start: start, count: count)
        guard let string = String(validating: bytes, as: UTF8.self) else { throw .invalidText }
        return string
    }
}

/// One column of a row, decoded: 16 bytes of plain data.
///
/// Engines other than SQLite return their rows as cells, and code that is not specialized for SQLite's own values reads
/// cells. The bytes are borrowed and valid as long as the row.
package struct Cell: BitwiseCopyable, RowColumn {
    /// The number's bits, or the address of the bytes.
    @usableFromInline let payload: UInt64
    @usableFromInline let count: UInt32
    /// The type of the value.
    package let storageClass: StorageClass

    @inlinable @inline(__always)
    init(_ storageClass: StorageClass, payload: UInt64, count: UInt32) {
        self.storageClass = storageClass
        self.payload = payload
        self.count = count
    }

    /// A missing value.
    @inlinable @inline(__always)
    package static var null: Cell { Cell(.null, payload: 0, count: 0) }

    /// A cell of an integer.
    @inlinable @inline(__always)
    package init(_ integer: Int64) { self.init(.integer, payload: UInt64(bitPattern: integer), count: 0) }

    /// A cell of a number.
    @inlinable @inline(__always)
    package init(_ real: Double) { self.init(.real, payload: real.bitPattern, count: 0) }

    /// Creates a cell from a string in UTF-8.
    ///
    /// - Parameter start: The address of the bytes, with a NUL after the last; nil if memory ran out.
    @inlinable @inline(__always)
    package init(text start: UnsafePointer<UInt8>?, count: Int) {
        self.init(.text, payload: UInt64(UInt(bitPattern: start)), count: UInt32(truncatingIfNeeded: count))
    }

    /// Creates a cell from bytes, which may be empty.
    @inlinable @inline(__always)
    package init(blob start: UnsafeRawPointer?, count: Int) {
        self.init(
            .blob, payload: UInt64(UInt(bitPattern: start)), count: start == nil ? 0 : UInt32(truncatingIfNeeded: count)
        )
    }

    /// The address of the bytes of a string or blob.
    @inlinable
    package var start: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: UInt(payload)) }

    @inlinable @inline(__always)
    package var isNull: Bool { storageClass == .null }

    @inlinable @inline(__always)
    package var integer: Int64? { storageClass == .integer ? Int64(bitPattern: payload) : nil }

    @inlinable @inline(__always)
    package var real: Double? { storageClass == .real ? Double(bitPattern: payload) : nil }

    @inlinable
    package var byteCount: Int { Int(count) }

    @inlinable
    package func text() throws(ValueFault) -> String {
        guard storageClass == .text else { throw mismatch(expected: "TEXT") }
        guard let start else { throw .outOfMemory }
        return try Cell.string(start.assumingMemoryBound(to: UInt8.self), Int(count))
    }

    @inlinable
    package func withBlob<R>(_ body: (UnsafeRawBufferPointer) -> R) throws(ValueFault) -> R {
        guard storageClass == .blob else { throw mismatch(expected: "BLOB") }
        return body(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }

    @inlinable @inline(__always)
    package var cell: Cell { self }
}

/// The cells of a statement's current row.
package typealias CellBuffer = UnsafeBufferPointer<Cell>

extension CellBuffer {
    /// No row.
    package static var none: CellBuffer { CellBuffer(start: nil, count: 0) }
}

/// The cells of a row.
package struct Cells {
    @usableFromInline let start: UnsafeBufferPointer<Cell>

    /// Creates the cells of a row, which must outlive the value.
    @inlinable
    package init(_ cells: UnsafeBufferPointer<Cell>) { start = cells }

    @inlinable
    package subscript(_ index: Int32) -> Cell { start.indices.contains(Int(index)) ? start[Int(index)] : .null }
}

extension DatabaseValue {
    /// Calls `body` with the value as a cell, which is read by the same rules as a column of a table.
    package func withCell<R>(_ body: (Cell) throws(ValueFault) -> R) throws(ValueFault) -> R {
        // The standard library's closures do not throw typed errors.
        func outcome(_ cell: Cell) -> Result<R, ValueFault> {
            do throws(ValueFault) { return .success(try body(cell)) } catch { return .failure(error) }
        }
        let result =
            switch self {
            case .null: outcome(.null)
            case .integer(let number): outcome(Cell(number))
            case .real(let number): outcome(Cell(number))
            case .text(let text):
                text.withCString { start in
                    let bytes = UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self)
                    return outcome(Cell(text: bytes, count: text.utf8.count))
                }
            case .blob(let bytes): bytes.withUnsafeBytes { outcome(Cell(blob: $0.baseAddress, count: $0.count)) }
            }
        return try result.get()
    }
}

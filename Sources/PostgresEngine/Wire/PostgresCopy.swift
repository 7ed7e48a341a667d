internal import StoreEngine

/// Rows in the binary form of COPY, created from bindings.
///
/// https://www.postgresql.org/docs/15/sql-copy.html#id-1.9.3.55.9.4
final class PostgresCopy: ForeignStatement {
    private let types: [PostgresType]
    private let constant: String?
    private(set) var bytes: [UInt8]
    /// Whether the last row was added.
    private(set) var hasEnded = false
    /// Whether there was a value that only a statement can convert to its column.
    private(set) var hasMismatch = false

    /// - Parameter constant: The text of the first column in all rows, which is not bound.
    init(_ types: [PostgresType], beginningWith constant: String?) {
        self.types = types
        self.constant = constant
        bytes = Array("PGCOPY\n".utf8) + [0xFF, 13, 10, 0]
        isFirst = true
        append(Int64(0))
        bytes.reserveCapacity(1 << 17)
    }

    /// Whether values can be converted exactly to columns of a type.
    static func takes(_ type: PostgresType) -> Bool { [.int8, .float8, .text, .bytea, .uuid, .numeric].contains(type) }

    /// Whether the bytes contain only the header.
    private var isFirst: Bool

    /// Clears the bytes. The first call keeps the header, because it is sent with the first rows.
    func clear() {
        if isFirst { isFirst = false } else { bytes.removeAll(keepingCapacity: true) }
    }

    /// Called after the last row.
    func end() {
        append(Int16(-1))
        hasEnded = true
    }

    // MARK: ForeignStatement

    /// Called at the start of a row.
    func beginBinding() {
        append(Int16(clamping: types.count))
        guard let constant else { return }
        append(Int32(clamping: constant.utf8.count))
        bytes.append(contentsOf: constant.utf8)
    }

    func bind(_ cell: Cell, at index: Int32) throws(ValueFault) {
        let type = types[Int(index) - (constant == nil ? 1 : 0)]
        switch (cell.storageClass, type) {
        case (.null, _): append(Int32(-1))
        case (.integer, .int8): append(value: UInt64(bitPattern: cell.integer ?? 0))
        case (.real, .float8): append(value: (cell.real ?? 0).bitPattern)
        case (.text, .numeric):
            guard let number = PostgresNumeric.encoded(try cell.text()) else { throw mismatch() }
            number.withUnsafeBytes { append(value: $0) }
        case (.text, .text):
            if cell.hasNUL { throw PostgresArguments.hasNUL }
            append(value: UnsafeRawBufferPointer(start: cell.start, count: cell.byteCount))
        case (.blob, .bytea):
            append(value: UnsafeRawBufferPointer(start: cell.start, count: cell.byteCount))
        case (.blob, .uuid) where cell.byteCount == 16:
            append(value: UnsafeRawBufferPointer(start: cell.start, count: 16))
        default: throw mismatch()
        }
    }

    private func mismatch() -> ValueFault {
        hasMismatch = true
        return .notStorable(reason: "its column has another type")
    }

    func bind(list values: [DatabaseValue], at index: Int32) throws(ValueFault) {
        throw .notStorable(reason: "a list is not a value of a column")
    }

    var isReadOnly: Bool { false }
    var placeholderCount: Int { types.count }
    var columnCount: Int32 { 0 }
    func columnName(_ index: Int32) -> String { "" }
    func step() throws(StoreError) -> Bool { false }
    var row: CellBuffer { .none }
    func reset() {}

    // MARK: Bytes

    @inline(__always)
    private func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    @inline(__always)
    private func append(value number: UInt64) {
        append(Int32(8))
        append(number)
    }

    @inline(__always)
    private func append(value: UnsafeRawBufferPointer) {
        append(Int32(clamping: value.count))
        bytes.append(contentsOf: value)
    }
}

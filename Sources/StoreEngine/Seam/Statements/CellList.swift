/// Values of rows in memory. The bytes of all strings and blobs are in one array.
package struct CellList {
    /// A value without its bytes.
    private struct Value {
        /// The cell of the row from which it was read; its address is no longer valid.
        let cell: Cell
        /// The place of its bytes.
        let place: Int
    }

    private var values: [Value] = []
    /// The bytes of strings and blobs, each string with a NUL after the last byte.
    private var bytes: [UInt8] = []

    package init() {}

    package var count: Int { values.count }
    /// The number of bytes in memory, without those that are reserved.
    package var byteCount: Int { bytes.count + MemoryLayout<Value>.stride * values.count }

    /// Adds a value, whose bytes are copied.
    package mutating func append(_ cell: Cell) {
        values.append(Value(cell: cell, place: bytes.count))
        if cell.byteCount > 0 {
            bytes.append(contentsOf: UnsafeRawBufferPointer(start: cell.start, count: cell.byteCount))
        }
        if cell.storageClass == .text { bytes.append(0) }
    }

    package mutating func removeAll() {
        values.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    /// The integer at an index; nil for other values.
    package func integer(at index: Int) -> Int64? { values[index].cell.integer }

    /// Binds the value at an index, whose bytes are copied again.
    ///
    /// - Throws: `ValueFault` if the value cannot be bound.
    package func bind(_ index: Int, to statement: Statement, at place: Int32) throws {
        let value = values[index]
        // The address is valid during the call only.
        try bytes.withUnsafeBytes { bytes in
            let start = bytes.baseAddress.map { $0 + value.place }
            let cell =
                switch value.cell.storageClass {
                case .text: Cell(text: start?.assumingMemoryBound(to: UInt8.self), count: value.cell.byteCount)
                case .blob: Cell(blob: start, count: value.cell.byteCount)
                case .null, .integer, .real: value.cell
                }
            try statement.bind(cell, at: place)
        }
    }
}

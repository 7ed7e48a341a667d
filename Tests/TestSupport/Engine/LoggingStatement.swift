internal import StoreEngine

/// An SQLite statement that exposes its rows only as cells, with copies of their bytes.
final class LoggingStatement: ForeignStatement {
    private let inner: Statement
    private let engine: LoggingEngine
    private var cells: UnsafeMutableBufferPointer<Cell>
    private var isOnRow = false
    /// The copies of the cells' bytes, so that SQLite's memory is not read after the statement has advanced.
    private var bytes: [UnsafeMutableRawPointer] = []

    init(_ inner: Statement, _ engine: LoggingEngine) {
        self.inner = inner
        self.engine = engine
        cells = .allocate(capacity: 0)
    }

    deinit {
        leaveRow()
        cells.deallocate()
    }

    var isReadOnly: Bool { inner.isReadOnly }
    var placeholderCount: Int { inner.placeholderCount }
    var columnCount: Int32 { inner.columnCount }
    func columnName(_ index: Int32) -> String { inner.columnName(index) }

    func beginBinding() { inner.beginBinding() }

    func bind(_ cell: Cell, at index: Int32) throws(ValueFault) {
        try engine.askBinding()
        try inner.bind(try cell.value(), at: index)
    }

    func bind(list values: [DatabaseValue], at index: Int32) throws(ValueFault) {
        try engine.askBinding()
        let numbers = values.compactMap { if case .integer(let number) = $0 { number } else { nil } }
        guard numbers.count == values.count else { return try inner.bind(list: values, at: index) }
        try inner.bind(list: numbers, at: index)
    }

    func step() throws(StoreError) -> Bool {
        leaveRow()
        try engine.ask("step \(inner.sql)")
        isOnRow = try inner.step()
        guard isOnRow else { return false }
        // A statement that was prepared again can have different columns.
        if cells.count != Int(inner.columnCount) {
            cells.deallocate()
            cells = .allocate(capacity: Int(inner.columnCount))
        }
        for place in cells.indices {
            cells.initializeElement(at: place, to: engine.given(copy(inner.column(Int32(place)))))
        }
        return true
    }

    var row: UnsafeBufferPointer<Cell> {
        isOnRow ? UnsafeBufferPointer(cells) : UnsafeBufferPointer(start: nil, count: 0)
    }

    func reset() {
        leaveRow()
        inner.reset()
    }

    private func copy(_ cell: Cell) -> Cell {
        guard let start = cell.start, cell.storageClass == .text || cell.storageClass == .blob else { return cell }
        // There is one more byte for the NUL after a string.
        let copy = UnsafeMutableRawPointer.allocate(byteCount: cell.byteCount + 1, alignment: 1)
        copy.copyMemory(from: start, byteCount: cell.byteCount)
        copy.storeBytes(of: 0, toByteOffset: cell.byteCount, as: UInt8.self)
        bytes.append(copy)
        return cell.storageClass == .text
            ? Cell(text: UnsafePointer(copy.assumingMemoryBound(to: UInt8.self)), count: cell.byteCount)
            : Cell(blob: UnsafeRawPointer(copy), count: cell.byteCount)
    }

    private func leaveRow() {
        isOnRow = false
        for copy in bytes { copy.deallocate() }
        bytes = []
    }
}

/// The row of another statement as cells, for a statement that stands before that one.
package final class CellRow {
    private var cells: UnsafeMutableBufferPointer<Cell> = .allocate(capacity: 0)
    private var isOnRow = false

    /// Stands on no row.
    package init() {}

    deinit { cells.deallocate() }

    /// Takes over the row that a statement stands on; the bytes of its texts and blobs stay where they are.
    package func take(_ statement: Statement) {
        // A statement that was prepared again can have other columns than before.
        let count = Int(statement.columnCount)
        if cells.count != count {
            cells.deallocate()
            cells = .allocate(capacity: count)
        }
        for place in cells.indices { cells.initializeElement(at: place, to: statement.column(Int32(place))) }
        isOnRow = true
    }

    /// Stands on no row any more.
    package func leave() { isOnRow = false }

    fileprivate var row: UnsafeBufferPointer<Cell> {
        isOnRow ? UnsafeBufferPointer(cells) : UnsafeBufferPointer(start: nil, count: 0)
    }
}

/// A statement that stands before another one.
package protocol OuterStatement: ForeignStatement {
    /// The row of the other one.
    var cellRow: CellRow { get }
}

extension OuterStatement {
    package var row: UnsafeBufferPointer<Cell> { cellRow.row }
}

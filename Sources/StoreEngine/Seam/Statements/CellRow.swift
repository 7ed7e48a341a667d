/// The row of another statement as cells, for code that reads each column more than once.
package final class CellRow {
    private var cells: UnsafeMutableBufferPointer<Cell> = .allocate(capacity: 0)
    private var isOnRow = false

    /// Creates an empty row.
    package init() {}

    deinit { cells.deallocate() }

    /// Takes over a statement's current row. The bytes of its strings and blobs are not copied.
    package func take(_ statement: Statement) {
        // A statement that was prepared again can have different columns.
        let count = Int(statement.columnCount)
        if cells.count != count {
            cells.deallocate()
            cells = .allocate(capacity: count)
        }
        if let columns = statement.columns(from: statement.firstColumn, count: count) {
            for place in cells.indices { cells.initializeElement(at: place, to: columns[Int32(place)].cell) }
        } else {
            let row = statement.cells
            for place in cells.indices { cells.initializeElement(at: place, to: row[Int32(place)]) }
        }
        isOnRow = true
    }

    /// Leaves the current row.
    package func leave() { isOnRow = false }

    /// The cells of the current row; empty if there is none.
    package var row: UnsafeBufferPointer<Cell> {
        isOnRow ? UnsafeBufferPointer(cells) : UnsafeBufferPointer(start: nil, count: 0)
    }
}

/// A statement that wraps another statement.
package protocol OuterStatement: ForeignStatement {
    /// The row of the wrapped statement.
    var cellRow: CellRow { get }
}

extension OuterStatement {
    package var row: UnsafeBufferPointer<Cell> { cellRow.row }
}

internal import CSQLite

// The row that a statement stands on.
extension Statement {
    /// Whether its rows are read as `cells`; else they are read as `columns`.
    ///
    /// Loops that read rows ask it once for each row, and are specialised for both.
    @inlinable @inline(__always)
    package var givesCells: Bool { handle == nil }

    /// The columns of a row of SQLite's; only where it does not give cells.
    @inlinable @inline(__always)
    package var columns: ColumnValues {
        // The caller has asked `givesCells`, and in a loop over rows a second look would cost.
        ColumnValues(handle.unsafelyUnwrapped)
    }

    /// The columns of another engine's row; none where it gives no cells.
    package var cells: Cells { Cells(foreign?.row ?? UnsafeBufferPointer(start: nil, count: 0)) }

    /// Column `index` of the row, from 0.
    @inlinable
    package func column(_ index: Int32) -> Cell { givesCells ? cells[index] : columns[index].cell }

    /// Whether column `index` is NULL.
    @inlinable @inline(__always)
    package func isNull(_ index: Int32) -> Bool { givesCells ? cells[index].isNull : columns[index].isNull }

    /// Column `index` as an integer, for results that this package computes itself (ids, counts).
    @inlinable @inline(__always)
    package func integer(_ index: Int32) -> Int64 {
        guard let handle else { return cells[index].integer ?? wholeNumber(index) ?? 0 }
        return sqlite3_column_int64(handle, index)
    }

    /// The number in column `index` that an engine gives as a text of its digits, since others keep it so.
    package func wholeNumber(_ index: Int32) -> Int64? {
        let cell = cells[index]
        guard cell.storageClass == .text else { return nil }
        return (try? cell.text()).flatMap { Int64($0) }
    }

    /// How many columns its rows have.
    package var columnCount: Int32 {
        guard let handle else { return foreign?.columnCount ?? 0 }
        return sqlite3_column_count(handle)
    }

    /// The name of column `index`, from 0.
    package func columnName(_ index: Int32) -> String {
        guard let handle else { return foreign?.columnName(index) ?? "" }
        return sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
    }
}

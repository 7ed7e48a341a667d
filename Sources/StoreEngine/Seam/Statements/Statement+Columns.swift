internal import CSQLite

// The current row of a statement.
extension Statement {
    /// Whether its rows are read as `cells`; otherwise as `columns`.
    ///
    /// Loops over rows check it once for each row, and are specialized for both.
    @inlinable @inline(__always)
    package var givesCells: Bool { handle == nil }

    /// The columns of an SQLite row. Use it only if `givesCells` is false.
    @inlinable @inline(__always)
    package var columns: ColumnValues {
        // The caller has checked `givesCells`, and a second check would slow down loops over rows.
        ColumnValues(handle.unsafelyUnwrapped)
    }

    /// The first column of an SQLite row; nil if the engine returns cells.
    @inlinable @inline(__always)
    package var firstColumn: ColumnValue? { handle.map { ColumnValues($0)[0] } }

    /// The columns of an SQLite row of which the first `count` are read; nil if the engine returns cells.
    ///
    /// - Parameter first: The value of `firstColumn`.
    @inlinable @inline(__always)
    package func columns(from first: ColumnValue?, count: Int) -> ColumnValues? {
        guard let handle, let first else { return nil }
        return ColumnValues(handle, from: first, count: count, spacing: spacing)
    }

    /// The columns of another engine's row; empty if `givesCells` is false.
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

    /// The integer in column 0, for ids.
    ///
    /// - Parameter first: The value of `firstColumn`.
    @inlinable @inline(__always)
    package func integer(from first: ColumnValue?) -> Int64 {
        guard let first else { return integer(0) }
        return sqlite3_value_int64(first.pointer)
    }

    /// The number in column `index`, which an engine may return as a string of digits.
    package func wholeNumber(_ index: Int32) -> Int64? {
        let cell = cells[index]
        guard cell.storageClass == .text else { return nil }
        return (try? cell.text()).flatMap { Int64($0) }
    }

    /// The number of columns of its rows.
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

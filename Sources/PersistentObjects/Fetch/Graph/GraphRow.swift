internal import StoreEngine

/// A row of a statement that selects objects, seen as one class's: subclasses have their columns further on.
struct GraphRow {
    let statement: Statement
    /// The column of each selected property; nil where they follow the id in order.
    let columns: [Int32]?

    @inline(__always)
    func column(_ place: Int) -> ColumnValue {
        statement.column(columns?[place] ?? Int32(place) + 1)
    }

    /// The id in a reference's column; `LinkImage.none` for NULL.
    func referenceID(_ place: Int) throws(ValueFault) -> Int64 {
        let column = column(place)
        return column.isNull ? LinkImage.none : try Int64.read(column)
    }
}

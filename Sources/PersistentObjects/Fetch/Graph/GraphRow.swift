@_spi(Columns) internal import StoreEngine

/// A row of a statement that selects objects, seen as a row of one class. Columns of subclasses follow the class's.
struct GraphRow {
    let statement: Statement
    /// The column of each selected property; nil if the properties follow the id in order.
    let columns: [Int32]?

    @inline(__always)
    private func index(_ ordinal: Int) -> Int32 { columns?[ordinal] ?? Int32(ordinal) + 1 }

    @inline(__always)
    func column(_ ordinal: Int) -> Cell { statement.column(index(ordinal)) }

    @inline(__always)
    func isNull(_ ordinal: Int) -> Bool { statement.isNull(index(ordinal)) }

    /// The id in a reference's column; `LinkImage.none` for NULL.
    @inline(__always)
    func referenceID(_ ordinal: Int) throws(ValueFault) -> Int64 {
        if !statement.givesCells, let id = statement.columns[index(ordinal)].integer { return id }
        return try otherReferenceID(ordinal)
    }

    private func otherReferenceID(_ ordinal: Int) throws(ValueFault) -> Int64 {
        let column = column(ordinal)
        if column.isNull { return LinkImage.none }
        // References in existing tables can be decimal numbers.
        if statement.givesCells, let number = statement.wholeNumber(index(ordinal)) { return number }
        return try Int64.read(column)
    }

    /// Reads the fields that are stored inline in the object.
    ///
    /// - Parameter ordinal: The index of the current property. If an error is thrown, that property's value was invalid.
    @inline(__always)
    func read(
        _ fields: Slice<FixedBuffer<FieldPlan>>, _ row: some FieldColumns, into start: Address,
        _ ordinal: inout Int
    ) throws(ValueFault) {
        for field in fields {
            if field.boxOffset < 0 { try field.read(row[index(ordinal)], into: start + field.offset) }
            ordinal += 1
        }
    }
}

internal import StoreEngine

// Updates of rows with consecutive ids.
extension ClassSQL {
    /// The number of rows that one statement updates. More rows are not faster, because each row is searched for among
    /// them.
    static let neighbourCount = 16

    /// Updates rows with consecutive ids in half the time: SQLite steps from one row to the next and finds the new
    /// values in a tree of comparisons. The ids are the first arguments, then the values of each column.
    func updateNeighbours(_ changed: ColumnSet) -> SQL {
        let rows = ClassSQL.neighbourCount
        let ordinals = columns.indices.filter { changed.contains($0) }
        let assignments = ordinals.enumerated().map { index, ordinal -> SQL in
            "\(name: columns[ordinal]) = \(sealed(ClassSQL.choice(0..<rows, after: (index + 1) * rows), ordinal))"
        }
        return """
            UPDATE\(dialect.batchClause) \(name: table) SET \(list: assignments) \
            WHERE "id" BETWEEN \(placeholder: 1) AND \(placeholder: rows)
            """
    }

    /// A tree of comparisons that selects a row's argument; `others` is the number of arguments before those of the
    /// rows.
    private static func choice(_ rows: Range<Int>, after others: Int) -> SQL {
        guard rows.count > 1 else { return "\(placeholder: others + rows.lowerBound + 1)" }
        let middle = (rows.lowerBound + rows.upperBound) / 2
        let (less, more) = (rows.lowerBound..<middle, middle..<rows.upperBound)
        return """
            CASE WHEN "id" < \(placeholder: middle + 1) \
            THEN \(choice(less, after: others)) ELSE \(choice(more, after: others)) END
            """
    }
}

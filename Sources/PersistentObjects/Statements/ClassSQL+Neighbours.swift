internal import StoreEngine

// Updates of rows whose ids follow one another.
extension ClassSQL {
    /// The number of rows that it updates: finding more is no faster, and each is searched for among them.
    static let neighbourCount = 16

    /// Updates rows whose ids follow one another, which takes half of the time: SQLite goes from each to the next, and
    /// looks for its new values in a tree of comparisons. The ids are the first arguments, then those of each column.
    func updateNeighbours(_ changed: ColumnSet) -> SQL {
        let rows = ClassSQL.neighbourCount
        let places = columns.indices.filter { changed.contains($0) }
        let assignments = places.enumerated().map { index, place -> SQL in
            "\(name: columns[place]) = \(ClassSQL.choice(0..<rows, behind: (index + 1) * rows))"
        }
        return """
            UPDATE\(dialect.batchClause) \(name: table) SET \(list: assignments) \
            WHERE "id" BETWEEN \(placeholder: 1) AND \(placeholder: rows)
            """
    }

    /// The argument that selects the row, after the arguments of the rows before.
    private static func choice(_ rows: Range<Int>, behind others: Int) -> SQL {
        guard rows.count > 1 else { return "\(placeholder: others + rows.lowerBound + 1)" }
        let middle = (rows.lowerBound + rows.upperBound) / 2
        let (less, more) = (rows.lowerBound..<middle, middle..<rows.upperBound)
        return """
            CASE WHEN "id" < \(placeholder: middle + 1) \
            THEN \(choice(less, behind: others)) ELSE \(choice(more, behind: others)) END
            """
    }
}

/// Where a plan's run has put the columns that it found, for conversions that name a column as it was before.
struct ColumnNames {
    /// By the folded names of the table and of the column when the plan was made.
    private var names: [Key: String] = [:]

    private struct Key: Hashable {
        let table: String
        let column: String

        init(_ table: String, _ column: String) {
            self.table = Naming.folded(table)
            self.column = Naming.folded(column)
        }
    }

    /// The present name of a column.
    func name(of column: String, in table: String) -> String { names[Key(table, column)] ?? column }

    /// Follows one statement that renames a column.
    mutating func rename(_ column: String, to name: String, in table: String) {
        let renamed = Key(table, column)
        let first = names.first { $0.key.table == renamed.table && Naming.folded($0.value) == renamed.column }
        names[first?.key ?? renamed] = name
    }
}

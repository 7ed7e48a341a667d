/// The current names of the columns of a plan, for conversions that refer to a column by the name that the plan found.
struct ColumnNames {
    /// The current names, by the folded names of the table and of the column when the plan was made.
    private var names: [Key: String] = [:]

    private struct Key: Hashable {
        let table: String
        let column: String

        init(_ table: String, _ column: String) {
            self.table = Naming.folded(table)
            self.column = Naming.folded(column)
        }
    }

    /// The current name of a column.
    func name(of column: String, in table: String) -> String { names[Key(table, column)] ?? column }

    /// Records one statement that renames a column.
    mutating func rename(_ column: String, to name: String, in table: String) {
        let renamed = Key(table, column)
        let first = names.first { $0.key.table == renamed.table && Naming.folded($0.value) == renamed.column }
        names[first?.key ?? renamed] = name
    }
}

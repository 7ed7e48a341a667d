/// How the tables are named that have the history of a class's table.
package enum HistoryNames {
    private static let entriesEnding = ".history"
    private static let valuesEnding = ".history_values"

    /// The table with an entry for each change.
    package static func entries(of table: String) -> String { table + entriesEnding }

    /// The table with what each entry changed.
    package static func values(of table: String) -> String { table + valuesEnding }

    /// Whether a table has a history; tables of classes have no dots in their names.
    package static func contains(_ name: String) -> Bool {
        name.hasSuffix(entriesEnding) || name.hasSuffix(valuesEnding)
    }
}

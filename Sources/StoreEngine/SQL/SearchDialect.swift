/// How an engine maintains and queries a full-text search index.
package struct SearchDialect: Sendable {
    /// The changes of the table for which there are triggers.
    package var events: [SearchIndex.Event]
    /// Whether an index always has triggers, so that a table without them is known to have no index. On a server this
    /// saves a round trip for each class.
    package var keepsIndexWithTriggers: Bool
    /// Whether the triggers are dropped before all other changes of the table, because their text keeps the former names
    /// of columns.
    package var dropsTriggersFirst: Bool
    /// Creates the index.
    package var definition: @Sendable (SearchIndex) -> SQL
    /// Whether a definition in the file is a library index with this name.
    package var isDefinition: @Sendable (_ text: String, _ name: String) -> Bool
    /// Whether a trigger with the name of one of the library's triggers maintains the index with this name.
    package var isTrigger: @Sendable (_ text: String, _ name: String) -> Bool
    /// Rebuilds the index from all strings.
    package var rebuilding: @Sendable (SearchIndex) -> SQL
    /// Empties the index, whatever the table contains.
    package var emptying: @Sendable (SearchIndex) -> SQL
    /// Fails if the index is inconsistent with the table's strings, or with itself.
    package var checking: @Sendable (SearchIndex) -> SQL
    /// Counts the rows that differ from the index; nil if `checking` is used.
    package var difference: (@Sendable (SearchIndex) -> SQL)?
    /// The trigger that applies a change of the table to the index.
    package var trigger: @Sendable (SearchIndex, SearchIndex.Event) -> SQL
    /// Removes the words of the table's rows in a list of ids.
    package var removal: @Sendable (SearchIndex) -> SQL
    /// Adds the words of the table's rows in a list of ids.
    package var addition: @Sendable (SearchIndex) -> SQL
    /// The index as a joined table, with its condition.
    package var join: @Sendable (SearchIndex, _ alias: String, _ id: SQL) -> SQL
    /// Whether a joined row contains the words of a search.
    package var matches: @Sendable (SearchIndex, _ alias: String, _ search: SQL) -> SQL
    /// Counts the rows that contain the words of a search, by the index alone, with the condition of `matches`.
    package var count: @Sendable (SearchIndex, _ alias: String, _ condition: SQL) -> SQL
    /// The rank of a joined row in a search: lower is better.
    package var rank: @Sendable (_ alias: String, _ search: SQL) -> SQL
    /// The part of a string that contains most of the words.
    package var snippet: @Sendable (Snippet) -> SQL

    /// The settings of a snippet.
    package struct Snippet {
        /// The index.
        package var index: SearchIndex
        /// The alias of the joined index.
        package var alias: String
        /// The search.
        package var search: SQL
        /// The position of the column in the index.
        package var column: Int
        /// The markers before and after each found word.
        package var marks: (start: SQL, end: SQL)
        /// The maximum number of words.
        package var wordCount: Int

        package init(
            of index: SearchIndex, as alias: String, search: SQL, column: Int, marks: (start: SQL, end: SQL),
            wordCount: Int
        ) {
            self.index = index
            self.alias = alias
            self.search = search
            self.column = column
            self.marks = marks
            self.wordCount = wordCount
        }
    }
}

/// The search index over some columns of a table: it reads the strings from the table itself, and triggers keep it up
/// to date.
package struct SearchIndex: Sendable, Equatable {
    /// The searched table.
    package let table: String
    /// The searched columns.
    package let columns: [String]

    package init(of table: String, columns: [String]) {
        self.table = table
        self.columns = columns
    }

    /// The name of the index.
    package var name: String { SearchIndex.name(for: table) }

    /// The name of a table's index.
    package static func name(for table: String) -> String { table + "_search" }

    /// A change of the table that updates the index.
    package enum Event: String, CaseIterable, Sendable { case insert, delete, update, truncate }

    /// The name of the trigger for a change.
    package static func triggerName(_ table: String, _ event: Event) -> String { "\(table).search.\(event.rawValue)" }
}

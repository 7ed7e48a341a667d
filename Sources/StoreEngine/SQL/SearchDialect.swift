/// How an engine keeps an index of the words in a table's texts, and looks into it.
package struct SearchDialect: Sendable {
    /// Makes the index.
    package var definition: @Sendable (SearchIndex) -> SQL
    /// Whether a definition that the file has is one of ours, of an index with this name.
    package var isDefinition: @Sendable (_ text: String, _ name: String) -> Bool
    /// Reads all texts again.
    package var rebuilding: @Sendable (SearchIndex) -> SQL
    /// Empties it, whatever the table has.
    package var emptying: @Sendable (SearchIndex) -> SQL
    /// Fails where it does not fit the table's texts, or itself.
    package var checking: @Sendable (SearchIndex) -> SQL
    /// The trigger that brings a change of the table into the index.
    package var trigger: @Sendable (SearchIndex, SearchIndex.Event) -> SQL
    /// Takes out the words of the table's rows in a list of ids.
    package var removal: @Sendable (SearchIndex) -> SQL
    /// Takes in the words of the table's rows in a list of ids.
    package var addition: @Sendable (SearchIndex) -> SQL
    /// The index as a table to join, with its condition.
    package var join: @Sendable (SearchIndex, _ alias: String, _ id: SQL) -> SQL
    /// Whether the words of a search are in a joined row.
    package var matches: @Sendable (SearchIndex, _ alias: String, _ search: SQL) -> SQL
    /// How well a joined row fits: the less, the better.
    package var rank: @Sendable (_ alias: String) -> SQL
    /// The part of a text where most of the words are.
    package var snippet: @Sendable (Snippet) -> SQL

    /// What a snippet is made of.
    package struct Snippet {
        /// The index.
        package var index: SearchIndex
        /// The name under which it is joined.
        package var alias: String
        /// The place of the column in the index.
        package var column: Int
        /// What stands before and behind each word that was found.
        package var marks: (start: SQL, end: SQL)
        /// How many words it has at most.
        package var wordCount: Int

        package init(
            of index: SearchIndex, as alias: String, column: Int, marks: (start: SQL, end: SQL), wordCount: Int
        ) {
            self.index = index
            self.alias = alias
            self.column = column
            self.marks = marks
            self.wordCount = wordCount
        }
    }
}

/// The index of the words in some columns of a table: it takes the texts from the table itself, and triggers keep it up.
package struct SearchIndex: Sendable, Equatable {
    /// The table whose texts are searched.
    package let table: String
    /// The columns with the texts.
    package let columns: [String]

    package init(of table: String, columns: [String]) {
        self.table = table
        self.columns = columns
    }

    /// The index's own name.
    package var name: String { SearchIndex.name(for: table) }

    /// What the index of a table is called.
    package static func name(for table: String) -> String { table + "_search" }

    /// A change of the table that the index follows.
    package enum Event: String, CaseIterable, Sendable { case insert, delete, update }

    /// What the trigger for a change is called.
    package static func triggerName(_ table: String, _ event: Event) -> String { "\(table).search.\(event.rawValue)" }
}

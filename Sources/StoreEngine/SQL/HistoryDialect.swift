/// How an engine's triggers write the history of rows, and how its columns for values of any type hold them.
package struct HistoryDialect: Sendable {
    /// The current time in the format of a `Date` property: seconds since 2001, with milliseconds.
    package var now: SQL
    /// A value of a column with this declared type, as a column for values of any type holds it.
    package var anyValue: @Sendable (_ value: SQL, _ type: String) -> SQL
    /// The value of a column for values of any type, as a view shows it.
    package var shown: @Sendable (_ value: SQL) -> SQL
    /// Whether two values of any type differ, or their types do.
    package var differ: @Sendable (_ a: SQL, _ b: SQL) -> SQL
    /// The sum of a value of any type, which is an integer or NULL, and an integer.
    package var sum: @Sendable (_ value: SQL, _ addend: SQL) -> SQL
    /// The triggers that write all changes of a statement at once; nil for an engine whose triggers fire for each row.
    package var statementTriggers: StatementTriggers?

    /// The author and the number of the open transaction, both NULL in other programs, for triggers that fire for each
    /// row.
    package var signature: (author: SQL, transaction: SQL)

    /// The triggers of an engine whose triggers fire once for each statement.
    ///
    /// They write the author and the transaction of each entry by themselves.
    package struct StatementTriggers: Sendable {
        /// The maximum number of bytes of a trigger's name.
        package var longestName: Int
        /// The columns and indexes of the entries that the triggers need.
        package var storage: [SQL]
        /// The triggers of a class's table.
        package var rows: @Sendable (HistoryTableText) -> [SQL]
        /// The triggers of a collection's table.
        package var elements: @Sendable (HistoryCollectionText) -> [SQL]
        /// Gives the entries of the open transaction another author, the only argument.
        package var signature: SQL

        package init(
            longestName: Int, storage: [SQL], rows: @escaping @Sendable (HistoryTableText) -> [SQL],
            elements: @escaping @Sendable (HistoryCollectionText) -> [SQL], signature: SQL
        ) {
            self.longestName = longestName
            (self.storage, self.rows, self.elements, self.signature) = (storage, rows, elements, signature)
        }
    }

    package init(
        now: SQL, anyValue: @escaping @Sendable (SQL, String) -> SQL, shown: @escaping @Sendable (SQL) -> SQL,
        differ: @escaping @Sendable (SQL, SQL) -> SQL, sum: @escaping @Sendable (SQL, SQL) -> SQL,
        signature: (author: SQL, transaction: SQL), statementTriggers: StatementTriggers?
    ) {
        (self.now, self.anyValue, self.shown) = (now, anyValue, shown)
        (self.differ, self.sum, self.signature) = (differ, sum, signature)
        self.statementTriggers = statementTriggers
    }
}

/// A column whose values the history records.
package struct HistoryColumnText: Sendable {
    /// Its name.
    package let name: String
    /// Its declared type.
    package let type: String
    /// The columns of an entry with its old and its new value; nil if its values have separate rows.
    package let places: Places?

    /// The columns of an entry with the old and the new value of a column.
    package struct Places: Sendable {
        package let old: SQL
        package let new: SQL

        package init(old: SQL, new: SQL) { (self.old, self.new) = (old, new) }
    }

    package init(name: String, type: String, places: Places? = nil) {
        (self.name, self.type, self.places) = (name, type, places)
    }
}

/// A class's table whose changes the history records.
package struct HistoryTableText: Sendable {
    /// Its name.
    package let table: String
    /// The recorded columns.
    package let columns: [HistoryColumnText]
    /// Whether the elements of collections are recorded in the entries of its rows.
    package let hasCollections: Bool

    package init(table: String, columns: [HistoryColumnText], hasCollections: Bool) {
        (self.table, self.columns, self.hasCollections) = (table, columns, hasCollections)
    }
}

/// A collection's table whose changes the history records.
package struct HistoryCollectionText: Sendable {
    /// Its name.
    package let table: String
    /// The table of the rows that own the elements.
    package let ownerTable: String
    /// The column with the id of the owner.
    package let owner: String
    /// The position in an array, or the key of a dictionary; nil for a set.
    package let key: HistoryColumnText?
    /// The value of an element.
    package let value: HistoryColumnText

    package init(
        table: String, ownerTable: String, owner: String, key: HistoryColumnText?, value: HistoryColumnText
    ) {
        (self.table, self.ownerTable, self.owner) = (table, ownerTable, owner)
        (self.key, self.value) = (key, value)
    }
}

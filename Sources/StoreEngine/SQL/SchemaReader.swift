/// Tells what tables, indexes and triggers a database has: each engine answers from its own catalogue.
///
/// Names are looked for without regard to the case of ASCII letters, and
/// given as the database has them.
package protocol SchemaReader {
    /// A table or view by its name; nil where there is none.
    func table(_ name: String) throws(StoreError) -> TableDescription?

    /// The columns of a table that statements can name without asking for them, in their order.
    func columnNames(of table: String) throws(StoreError) -> [String]

    /// The columns of a table that refer to other tables.
    func foreignKeys(of table: String) throws(StoreError) -> [(column: String, target: String)]

    /// The indexes of a table.
    func indexNames(of table: String) throws(StoreError) -> Set<String>

    /// The indexes of a table, with what they are over; those that a constraint of the table has made among them.
    func indexes(of table: String) throws(StoreError) -> [IndexDescription]

    /// The texts of some tables, what is on them, and the triggers whose names begin so, wherever they are: one text,
    /// which differs where any of them does.
    func definitions(of tables: [String], triggersBeginning prefix: String) throws(StoreError) -> String

    /// A number that differs once any table, index or trigger has been made, changed or dropped.
    func version() throws(StoreError) -> Int64

    /// The tables in which this column refers to a table.
    func tables(referringTo table: String, by column: String) throws(StoreError) -> [String]

    /// The columns of all tables that refer to a table, this one too.
    func references(to table: String) throws(StoreError) -> [ReferenceDescription]

    /// Rows of a table whose references lead nowhere, and the columns of these: up to ten.
    func brokenReferences(in table: String) throws(StoreError) -> [(rowID: Int64?, column: String)]

    /// Whether the database gives each row of a table a number of its own.
    func hasRowNumbers(_ table: String) throws(StoreError) -> Bool

    /// The text that made a table or view, an index of words among these; nil where there is none.
    func definition(of name: String) throws(StoreError) -> String?

    /// The triggers on a table.
    func triggers(on table: String) throws(StoreError) -> [TriggerDescription]

    /// The triggers on any table whose names begin so, by their names.
    func triggers(beginning prefix: String) throws(StoreError) -> [TriggerDescription]

    /// A reader for questions about many tables, all asked now: it may read everything at once, and need not see what
    /// happens to the database later.
    func readAhead() -> any SchemaReader
}

extension SchemaReader {
    package func readAhead() -> any SchemaReader { self }
}

/// A table or view as the database has it.
package struct TableDescription: Sendable {
    /// Its name.
    package let name: String
    /// Its columns, hidden and generated ones too, in their order.
    package let columns: [ColumnDescription]
    /// Whether it is a view.
    package let isView: Bool
    /// Whether the id of a row that is gone can be given to another.
    package let reusesIDs: Bool

    package init(name: String, columns: [ColumnDescription], isView: Bool = false, reusesIDs: Bool = false) {
        self.name = name
        self.columns = columns
        self.isView = isView
        self.reusesIDs = reusesIDs
    }
}

/// A column as the database has it.
package struct ColumnDescription: Sendable {
    /// Its name.
    package let name: String
    /// The type it is declared with, in capital letters.
    package let type: String
    /// Whether it refuses NULL.
    package let isNotNull: Bool
    /// Its place in the primary key, from 1; 0 where it is not in it.
    package let keyPlace: Int
    /// What a row has that does not say, as SQL.
    package let defaultValue: String?
    /// Whether the database makes its values of other columns'.
    package let isGenerated: Bool
    /// What it makes of values of another kind.
    package let affinity: ColumnAffinity

    /// A column of these.
    package init(
        name: String, type: String, isNotNull: Bool, keyPlace: Int, defaultValue: String?, isGenerated: Bool = false,
        affinity: ColumnAffinity = .none
    ) {
        self.name = name
        self.type = type
        self.isNotNull = isNotNull
        self.keyPlace = keyPlace
        self.defaultValue = defaultValue
        self.isGenerated = isGenerated
        self.affinity = affinity
    }
}

/// What a column makes of values that are not of its kind.
package enum ColumnAffinity: Sendable {
    /// Numbers become texts.
    case text
    /// Texts that are numbers become numbers.
    case number
    /// All stay as they are.
    case none
}

/// A column that refers to a table.
package struct ReferenceDescription: Sendable {
    /// The table that the column is in.
    package let table: String
    /// Its name.
    package let column: String
    /// What a deletion does to it, as SQL has it.
    package let deletion: String
    /// Whether it refers to the id, and does so alone.
    package let isToID: Bool

    package init(table: String, column: String, deletion: String, isToID: Bool) {
        self.table = table
        self.column = column
        self.deletion = deletion
        self.isToID = isToID
    }
}

/// An index as the database has it.
package struct IndexDescription: Sendable {
    /// Its name.
    package let name: String
    /// What it is over, in order; nil for an expression.
    package let columns: [String?]
    /// Whether no two rows may have the same in all of these.
    package let isUnique: Bool
    /// Whether it is of some rows only.
    package let isPartial: Bool
    /// The text that made it; nil where a constraint of the table did.
    package let sql: String?

    package init(name: String, columns: [String?], isUnique: Bool, isPartial: Bool, sql: String?) {
        self.name = name
        self.columns = columns
        self.isUnique = isUnique
        self.isPartial = isPartial
        self.sql = sql
    }
}

/// A trigger as the database has it.
package struct TriggerDescription: Sendable {
    /// Its name.
    package let name: String
    /// The table that it is on.
    package let table: String
    /// The text that made it.
    package let text: String

    package init(name: String, table: String, text: String) {
        self.name = name
        self.table = table
        self.text = text
    }
}

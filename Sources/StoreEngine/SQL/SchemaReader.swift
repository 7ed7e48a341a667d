/// Reads the tables, indexes and triggers of a database from each engine's catalog.
///
/// Names are looked up ignoring the case of ASCII letters, and returned as in the database.
package protocol SchemaReader {
    /// A table or view by its name; nil if it does not exist.
    func table(_ name: String) throws(StoreError) -> TableDescription?

    /// The columns of a table that statements can refer to by name, without hidden columns, in order.
    func columnNames(of table: String) throws(StoreError) -> [String]

    /// The columns of a table that refer to other tables.
    func foreignKeys(of table: String) throws(StoreError) -> [(column: String, target: String)]

    /// The columns of a table that refer to columns of other tables, including the parts of composite references.
    func referencedColumns(of table: String) throws(StoreError) -> [ReferencedColumn]

    /// Whether the primary key of a table has its own index, so that it is not the row's number.
    func hasKeyIndex(_ table: String) throws(StoreError) -> Bool

    /// The indexes of a table.
    func indexNames(of table: String) throws(StoreError) -> Set<String>

    /// The indexes of a table with their columns, including those of the table's constraints.
    func indexes(of table: String) throws(StoreError) -> [IndexDescription]

    /// The definitions of some tables, their indexes and triggers, and all triggers with a name prefix: one string,
    /// which changes whenever any of them changes.
    func definitions(of tables: [String], triggersBeginning prefix: String) throws(StoreError) -> String

    /// A number that changes whenever a table, index or trigger was created, changed or dropped.
    func version() throws(StoreError) -> Int64

    /// The tables in which this column refers to a table.
    func tables(referringTo table: String, by column: String) throws(StoreError) -> [String]

    /// The columns of all tables that refer to a table, including the table itself.
    func references(to table: String) throws(StoreError) -> [ReferenceDescription]

    /// Rows of a table with dangling references, and the columns of these: up to ten.
    func brokenReferences(in table: String) throws(StoreError) -> [(rowID: Int64?, column: String)]

    /// Whether the database assigns a number to each row of a table.
    func hasRowNumbers(_ table: String) throws(StoreError) -> Bool

    /// The SQL that created a table or view, including search indexes; nil if it does not exist.
    func definition(of name: String) throws(StoreError) -> String?

    /// The triggers on a table.
    func triggers(on table: String) throws(StoreError) -> [TriggerDescription]

    /// The triggers on any table with a name prefix, sorted by name.
    func triggers(beginning prefix: String) throws(StoreError) -> [TriggerDescription]

    /// The schemas of the database that contain a store and whose names match a LIKE pattern, sorted. See
    /// `Capabilities.schemas`.
    func schemas(like pattern: String) throws(StoreError) -> [String]

    /// Returns a reader for queries about many tables at once: it may read everything in advance, and need not see
    /// later changes.
    func readAhead() -> any SchemaReader

    /// Returns a reader for queries about a number of tables.
    ///
    /// If the calls so far concern many tables, the reader may read the whole schema in advance, and the engine keeps
    /// it. Such a reader sees later changes of the schema only after the next call.
    func readAhead(for count: Int) -> any SchemaReader
}

extension SchemaReader {
    /// Returns none, for engines without schemas.
    package func schemas(like pattern: String) throws(StoreError) -> [String] { [] }
    package func readAhead() -> any SchemaReader { self }
    package func readAhead(for count: Int) -> any SchemaReader { self }
}

/// A table or view of the database.
package struct TableDescription: Sendable {
    /// Its name.
    package let name: String
    /// Its columns in order, including hidden and generated columns.
    package let columns: [ColumnDescription]
    /// Whether it is a view.
    package let isView: Bool
    /// Whether the id of a deleted row can be reused.
    package let reusesIDs: Bool
    /// Whether its rows, or some of them, are on another server.
    package let isRemote: Bool
    /// The columns whose values determine a row's partition; empty for a table without partitions.
    package let partitionColumns: [String]

    package init(
        name: String, columns: [ColumnDescription], isView: Bool = false, reusesIDs: Bool = false,
        isRemote: Bool = false, partitionColumns: [String] = []
    ) {
        self.name = name
        self.columns = columns
        self.isView = isView
        self.reusesIDs = reusesIDs
        self.isRemote = isRemote
        self.partitionColumns = partitionColumns
    }
}

/// A column of the database.
package struct ColumnDescription: Sendable {
    /// Its name.
    package let name: String
    /// Its declared type, in uppercase.
    package let type: String
    /// Whether it refuses NULL.
    package let isNotNull: Bool
    /// Its position in the primary key, from 1; 0 if it is not part of it.
    package let keyOrdinal: Int
    /// Its default value, as SQL.
    package let defaultValue: String?
    /// Whether the database computes its values from other columns.
    package let isGenerated: Bool
    /// Its conversion of values of other types.
    package let affinity: ColumnAffinity

    /// Creates a column from these properties.
    package init(
        name: String, type: String, isNotNull: Bool, keyOrdinal: Int, defaultValue: String?, isGenerated: Bool = false,
        affinity: ColumnAffinity = .none
    ) {
        self.name = name
        self.type = type
        self.isNotNull = isNotNull
        self.keyOrdinal = keyOrdinal
        self.defaultValue = defaultValue
        self.isGenerated = isGenerated
        self.affinity = affinity
    }
}

/// The conversion of values to a column's type.
package enum ColumnAffinity: Sendable {
    /// Numbers become text.
    case text
    /// Numeric text becomes numbers.
    case number
    /// Values are unchanged.
    case none
}

/// A column that refers to a table.
package struct ReferenceDescription: Sendable {
    /// The table that contains the column.
    package let table: String
    /// Its name.
    package let column: String
    /// The effect of a deletion, as in SQL.
    package let deletion: String
    /// Whether it refers to the id only.
    package let isToID: Bool

    package init(table: String, column: String, deletion: String, isToID: Bool) {
        self.table = table
        self.column = column
        self.deletion = deletion
        self.isToID = isToID
    }
}

/// A column with a foreign key, and the column that the key refers to.
package struct ReferencedColumn: Sendable {
    /// The column.
    package let column: String
    /// The table that it refers to.
    package let target: String
    /// The column that it refers to.
    package let targetColumn: String

    package init(column: String, target: String, targetColumn: String) {
        (self.column, self.target, self.targetColumn) = (column, target, targetColumn)
    }
}

/// An index of the database.
package struct IndexDescription: Sendable {
    /// Its name.
    package let name: String
    /// Its columns in order; nil for an expression.
    package let columns: [String?]
    /// Whether its columns must be unique together.
    package let isUnique: Bool
    /// Whether it is a partial index.
    package let isPartial: Bool
    /// The SQL that created it; nil for a constraint of the table.
    package let sql: String?
    /// Whether each column sorts NULL before all other values; empty if the engine's indexes declare no position.
    package let sortsNullLow: [Bool]
    /// Whether it is complete, so that queries can use it.
    package let isValid: Bool

    package init(
        name: String, columns: [String?], isUnique: Bool, isPartial: Bool, sql: String?, sortsNullLow: [Bool] = [],
        isValid: Bool = true
    ) {
        self.name = name
        self.columns = columns
        self.sortsNullLow = sortsNullLow
        self.isValid = isValid
        self.isUnique = isUnique
        self.isPartial = isPartial
        self.sql = sql
    }
}

/// A trigger of the database.
package struct TriggerDescription: Sendable {
    /// Its name.
    package let name: String
    /// The table of the trigger.
    package let table: String
    /// The SQL that created it.
    package let text: String

    package init(name: String, table: String, text: String) {
        self.name = name
        self.table = table
        self.text = text
    }
}

internal import CSQLite

/// The columns of a table, as far as a change set must know them.
struct TableShape: Sendable, Equatable {
    let columns: [String]
    /// The places of the primary key's columns.
    let keys: [Int]
    /// The defaults of columns that take no NULL, as SQL, by place. SQLite records NULL as the old value of such a column
    /// where the row was written before the column was added (3.40): the default is meant.
    let defaults: [Int: String]

    /// Whether rows that were recorded with another shape can be written: columns may have come since, at the end.
    func takesRows(of other: TableShape) -> Bool {
        keys == other.keys && columns.starts(with: other.columns)
    }

    /// Whether a value that was recorded as a row's old one stands for the default of its column.
    func isDefault(_ value: OpaquePointer?, _ place: Int) -> Bool {
        defaults[place] != nil && value.map { sqlite3_value_type($0) == SQLITE_NULL } ?? true
    }
}

/// The tables of a file.
struct TableShapes {
    /// SQLite's number of the schema that they are of.
    let version: DatabaseValue?
    /// Those that change sets can have.
    private(set) var shapes: [String: TableShape] = [:]
    /// Virtual tables and what those keep their data in, and histories: they follow from the others.
    private(set) var followers: Set<String> = []

    init() { version = nil }

    init(_ connection: SQLiteConnection) throws(StoreError) {
        version = try connection.value("PRAGMA schema_version")
        let list = try connection.statement("SELECT name, type FROM pragma_table_list WHERE schema = 'main'")
        defer { list.finish() }
        while try list.step() {
            let table = try list.text(0)
            if try list.text(1) == "table", !HistoryNames.contains(table) {
                shapes[table] = TableShape(columns: [], keys: [], defaults: [:])
            } else {
                followers.insert(table)
            }
        }
        for table in shapes.keys { shapes[table] = try TableShape(table, connection) }
    }
}

extension TableShape {
    /// Nil for a table without a primary key, and one with generated columns, which SQLite does not record rightly.
    fileprivate init?(_ table: String, _ connection: SQLiteConnection) throws(StoreError) {
        let statement = try connection.statement(
            "SELECT name, pk, hidden, iif(\"notnull\", dflt_value, NULL) FROM pragma_table_xinfo(?) ORDER BY cid")
        defer { statement.finish() }
        statement.beginBinding()
        var columns: [String] = []
        var keys: [Int] = []
        var defaults: [Int: String] = [:]
        do throws(ValueFault) { try statement.bind(table, at: 1) } catch { throw .value(error) }
        while try statement.step() {
            if statement.integer(2) != 0 { return nil }
            if statement.integer(1) > 0 { keys.append(columns.count) }
            let literal = try statement.text(3)
            if !literal.isEmpty { defaults[columns.count] = literal }
            columns.append(try statement.text(0))
        }
        guard !keys.isEmpty else { return nil }
        self.init(columns: columns, keys: keys, defaults: defaults)
    }
}

extension Statement {
    /// A column that has a text, as those that tell names; an empty one for NULL.
    func text(_ index: Int32) throws(StoreError) -> String {
        do throws(ValueFault) {
            guard case .text(let text) = try column(index).value() else { return "" }
            return text
        } catch { throw .value(error) }
    }
}

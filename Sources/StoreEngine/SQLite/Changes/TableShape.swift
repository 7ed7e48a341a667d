internal import CSQLite

/// The columns of a table, as far as a change set needs them.
struct TableShape: Sendable, Equatable {
    let columns: [String]
    /// The positions of the primary key's columns.
    let keys: [Int]
    /// The defaults of NOT NULL columns, as SQL, by position. SQLite records NULL as the old value of such a column if
    /// the row was written before the column was added (3.40): it represents the default.
    let defaults: [Int: String]

    /// Whether rows that were recorded with another shape can be written: columns may have been added since, at the
    /// end.
    func takesRows(of other: TableShape) -> Bool {
        keys == other.keys && columns.starts(with: other.columns)
    }

    /// Whether an old value in a recording represents the default of its column.
    func isDefault(_ value: OpaquePointer?, _ place: Int) -> Bool {
        value.map { sqlite3_value_type($0) == SQLITE_NULL } ?? true && defaults[place] != nil
    }
}

/// The tables of a file.
struct TableShapes {
    /// SQLite's schema version that they belong to.
    let version: DatabaseValue?
    /// The tables that change sets can contain.
    private(set) var shapes: [String: TableShape] = [:]
    /// The search indexes of classes, with their shadow tables: their rows are derived from other tables, and an undo
    /// updates them. Virtual tables of other programs are not recorded, and nothing could restore them.
    private var searches: Set<String> = []

    init() { version = nil }

    init(_ connection: SQLiteConnection) throws(StoreError) {
        version = try connection.value("PRAGMA schema_version")
        let list = try connection.statement(
            """
            SELECT l.name, l.type, coalesce(s.sql, '') FROM pragma_table_list AS l \
            LEFT JOIN sqlite_schema AS s ON s.name = l.name WHERE l.schema = 'main'
            """)
        defer { list.finish() }
        let search = connection.dialect.search
        var shadows: [String] = []
        while try list.step() {
            let table = try list.text(0)
            if TableShapes.isOfLibrary(table) { continue }
            switch try list.text(1) {
            case "table": shapes[table] = TableShape(columns: [], keys: [], defaults: [:])
            case "virtual": if search.isDefinition(try list.text(2), table) { searches.insert(table) }
            case "shadow": shadows.append(table)
            default: break
            }
        }
        searches.formUnion(shadows.filter { shadow in searches.contains { shadow.hasPrefix("\($0)_") } })
        for table in shapes.keys { shapes[table] = try TableShape(table, connection) }
    }

    /// Whether a table's rows follow the rows of other tables, so that they are not recorded.
    func isFollower(_ table: String) -> Bool { searches.contains(table) || TableShapes.isOfLibrary(table) }

    /// The tables with the history, the captured changes and the record of the classes.
    private static func isOfLibrary(_ table: String) -> Bool { table.lowercased().hasPrefix("po_") }
}

extension TableShape {
    /// Nil for a table without a primary key, and for a table with generated columns, which SQLite does not record
    /// correctly.
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
    /// A text column, such as a name; an empty string for NULL.
    func text(_ index: Int32) throws(StoreError) -> String {
        do throws(ValueFault) {
            guard case .text(let text) = try column(index).value() else { return "" }
            return text
        } catch { throw .value(error) }
    }
}

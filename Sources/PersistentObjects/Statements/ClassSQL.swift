// Statements: the SQL of classes, collections, queries and delete rules, made once for each shape. It knows class
// maps and expressions, and must neither run a statement nor see a value.

internal import StoreEngine

/// The statements of one class, as text.
struct ClassSQL: Sendable {
    private let table: String
    /// The columns of all properties that have one, in their order.
    private let columns: [String]
    /// How many of them are selected with a row.
    private let selectedCount: Int

    /// Its class and the known subclasses where the table has a column for the class, else none.
    let family: [ClassMap]
    /// Columns that only subclasses have, selected behind the class.
    private let furtherColumns: [String]
    /// What rows of this class have in the class column; nil where it is the column's default.
    private let className: String?
    /// The classes that rows are of, where not all rows of the table are wanted.
    private let wantedClasses: [String]
    /// What stands for the table in statements that select, where some of its rows are left out.
    var source: SQL?

    init(_ map: ClassMap, _ family: [ClassMap]) {
        table = map.table
        self.family = family
        className = map.isRoot ? nil : map.name
        wantedClasses = map.isRoot ? [] : family.map(\.name)
        var known = Set(map.properties[..<map.selectedCount].map(\.column))
        furtherColumns = family.flatMap { $0.properties[..<$0.selectedCount].map(\.column) }.filter {
            known.insert($0).inserted
        }
        columns = map.properties.filter(\.hasColumn).map(\.column)
        selectedCount = map.selectedCount
    }

    /// The place of the class column in selected rows.
    var classColumn: Int32 { Int32(selectedCount) + 1 }

    /// The places of a class's selected properties in rows selected for this class.
    func columns(of map: ClassMap) -> [Int32] {
        let own = Dictionary(uniqueKeysWithValues: columns[..<selectedCount].enumerated().map { ($1, Int32($0) + 1) })
        let further = Dictionary(
            uniqueKeysWithValues: furtherColumns.enumerated().map { ($1, Int32($0) + classColumn + 1) })
        return map.properties[..<map.selectedCount].map { own[$0.column] ?? further[$0.column] ?? 0 }
    }

    /// Appends the table, or the part of it that has the class's rows, under the table's name.
    func appendSource(to sql: inout SQL) {
        if let source { return sql.append(source) }
        guard !wantedClasses.isEmpty else { return sql.append(identifier: table) }
        appendSource(to: &sql, as: table)
    }

    /// The same under another name.
    func appendSource(to sql: inout SQL, as alias: String) {
        if !wantedClasses.isEmpty { sql.append("(SELECT * FROM ") }
        sql.append(identifier: table)
        if !wantedClasses.isEmpty {
            appendClassCondition(to: &sql)
            sql.append(")")
        }
        sql.append(" AS ")
        sql.append(identifier: alias)
    }

    private func appendClassCondition(to sql: inout SQL) {
        guard !wantedClasses.isEmpty else { return }
        sql.append(" WHERE \"class\" IN (")
        sql.append(wantedClasses) { sql, name in
            if let literal = SQLLiteral(.text(name)) { sql.append(literal: literal) }
        }
        sql.append(")")
    }

    /// `SELECT` with the id first and then the properties in their order, up to and with the table's name.
    ///
    /// Columns carry the table's name, since criteria may join other tables.
    var select: SQL {
        var sql = SQL("SELECT ")
        sql.append(column: "id", of: table)
        for column in columns[..<selectedCount] {
            sql.append(", ")
            sql.append(column: column, of: table)
        }
        if !family.isEmpty {
            for column in ["class"] + furtherColumns {
                sql.append(", ")
                sql.append(column: column, of: table)
            }
        }
        sql.append(" FROM ")
        appendSource(to: &sql)
        return sql
    }

    var selectID: SQL {
        var sql = SQL("SELECT ")
        sql.append(column: "id", of: table)
        sql.append(" FROM ")
        appendSource(to: &sql)
        return sql
    }

    /// Those of a JSON array of ids that have rows.
    var selectIDs: SQL {
        var sql = selectID
        sql.append(" WHERE \"id\" IN (SELECT value FROM json_each(?))")
        return sql
    }

    /// One column of some rows, by a list of ids given as a JSON array and in the order of that, so that who has enough
    /// of them reads no more: a sorter would read all.
    func selectColumn(_ column: String) -> SQL {
        var sql = SQL("SELECT \"row\".\"id\", \"row\".")
        sql.append(identifier: column)
        sql.append(" FROM json_each(?) AS \"list\" CROSS JOIN ")
        sql.append(identifier: table)
        sql.append(" AS \"row\" ON \"row\".\"id\" = \"list\".\"value\"")
        return sql
    }

    /// Up to where the criteria of a subquery stand; a `)` ends it.
    var countOfSelection: SQL {
        var sql = SQL("SELECT count(*) FROM (")
        sql.append(selectID)
        return sql
    }

    /// All rows, by id.
    var selectAll: SQL { orderedByID(select) }

    /// The ids of all rows, in their order.
    var selectAllIDs: SQL { orderedByID(selectID) }

    private func orderedByID(_ start: SQL) -> SQL {
        var sql = start
        sql.append(" ORDER BY \"id\"")
        return sql
    }

    /// The first row, by id.
    var selectFirst: SQL {
        var sql = selectAll
        sql.append(" LIMIT 1")
        return sql
    }

    var selectByID: SQL {
        var sql = select
        sql.append(" WHERE \"id\" = ?")
        return sql
    }

    /// By a list of ids, given as a JSON array: any number of them with one statement.
    var selectByIDs: SQL {
        var sql = select
        sql.append(" WHERE \"id\" IN (SELECT value FROM json_each(?))")
        return sql
    }

    /// From one id to another, both with, by id.
    var selectByRange: SQL {
        var sql = select
        sql.append(" WHERE \"id\" BETWEEN ? AND ? ORDER BY \"id\"")
        return sql
    }

    /// Those whose column has an id from one to another, both with, by that and then by their own.
    func selectReferringToRange(_ column: String) -> SQL {
        var sql = select
        sql.append(" WHERE ")
        sql.append(column: column, of: table)
        sql.append(" BETWEEN ? AND ? ORDER BY ")
        sql.append(column: column, of: table)
        // The order of the column's index.
        sql.append(", \"id\"")
        return sql
    }

    /// Those whose column has one of the ids of a JSON array, by id.
    func selectReferring(_ column: String) -> SQL {
        var sql = select
        sql.append(" WHERE ")
        sql.append(column: column, of: table)
        sql.append(" IN (SELECT value FROM json_each(?)) ORDER BY \"id\"")
        return sql
    }

    var count: SQL {
        var sql = SQL("SELECT count(*) FROM ")
        appendSource(to: &sql)
        return sql
    }

    /// Inserts rows at once; with ids where the caller chose them.
    func insert(rows: Int, withIDs: Bool) -> SQL {
        var sql = SQL("INSERT INTO ")
        sql.append(identifier: table)
        let given = className.flatMap { SQLLiteral(.text($0)) }
        let names = (given == nil ? [] : ["class"]) + (withIDs ? ["id"] : []) + columns
        guard !names.isEmpty else {
            sql.append(" DEFAULT VALUES")
            return sql
        }
        sql.append(" (")
        sql.append(names) { $0.append(identifier: $1) }
        sql.append(") VALUES ")
        sql.append(0..<rows) { sql, _ in
            sql.append("(")
            sql.append(names.indices) { sql, place in
                if place == 0, let given { sql.append(literal: given) } else { sql.appendPlaceholder() }
            }
            sql.append(")")
        }
        return sql
    }

    func update(_ changed: ColumnSet) -> SQL {
        var sql = SQL("UPDATE ")
        sql.append(identifier: table)
        sql.append(" SET ")
        sql.append(columns.indices.filter { changed.contains($0) }) { sql, place in
            sql.append(identifier: columns[place])
            sql.append(" = ?")
        }
        sql.append(" WHERE \"id\" = ?")
        return sql
    }

    func delete(rows: Int) -> SQL {
        var sql = SQL("DELETE FROM ")
        sql.append(identifier: table)
        sql.append(" WHERE \"id\" IN (")
        sql.append(0..<rows) { sql, _ in sql.appendPlaceholder() }
        sql.append(")")
        return sql
    }

    var deleteAll: SQL {
        var sql = SQL("DELETE FROM ")
        sql.append(identifier: table)
        appendClassCondition(to: &sql)
        return sql
    }

    /// The greatest id that was ever given out, and the greatest that there is: a file can say anything of the first.
    ///
    /// Another program may have spelled the table's name with other capitals.
    var lastID: SQL {
        var sql = SQL("SELECT (SELECT seq FROM sqlite_sequence WHERE name = ? COLLATE NOCASE), ")
        sql.append("(SELECT max(\"id\") FROM ")
        sql.append(identifier: table)
        sql.append(")")
        return sql
    }
}

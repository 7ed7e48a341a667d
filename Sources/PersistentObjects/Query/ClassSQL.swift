internal import StoreEngine

/// The statements of one class, as text.
struct ClassSQL: Sendable {
    private let table: String
    private let columns: [String]

    init(_ map: ClassMap) {
        table = map.table
        columns = map.properties.map(\.column)
    }

    /// `SELECT` with the id first and then the properties in their order, up to and with the table's name.
    ///
    /// Columns carry the table's name, since criteria may join other tables.
    var select: SQL {
        var sql = SQL("SELECT ")
        sql.append(column: "id", of: table)
        for column in columns {
            sql.append(", ")
            sql.append(column: column, of: table)
        }
        sql.append(" FROM ")
        sql.append(identifier: table)
        return sql
    }

    var selectID: SQL {
        var sql = SQL("SELECT ")
        sql.append(column: "id", of: table)
        sql.append(" FROM ")
        sql.append(identifier: table)
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

    var count: SQL {
        var sql = SQL("SELECT count(*) FROM ")
        sql.append(identifier: table)
        return sql
    }

    /// Inserts rows at once; with ids where the caller chose them.
    func insert(rows: Int, withIDs: Bool) -> SQL {
        var sql = SQL("INSERT INTO ")
        sql.append(identifier: table)
        let names = (withIDs ? ["id"] : []) + columns
        guard !names.isEmpty else {
            sql.append(" DEFAULT VALUES")
            return sql
        }
        sql.append(" (")
        sql.append(names) { $0.append(identifier: $1) }
        sql.append(") VALUES ")
        sql.append(0..<rows) { sql, _ in
            sql.append("(")
            sql.append(names) { sql, _ in sql.appendPlaceholder() }
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
        return sql
    }

    /// The greatest id that was ever given out.
    ///
    /// Another program may have spelled the table's name with other capitals.
    var lastID: SQL { SQL("SELECT seq FROM sqlite_sequence WHERE name = ? COLLATE NOCASE") }
}

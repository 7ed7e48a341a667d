internal import StoreEngine

/// The statements of one collection's table, as text.
final class CollectionSQL {
    let table: ChildTable
    /// The rows of one owner, of all owners from one on, and of a list of them (a JSON array); by owner, then in the
    /// order of the collection. The columns are the owner's id, a dictionary's key, the value.
    let selectOne: String
    let selectFrom: String
    let selectList: String
    /// The positions in an array: of an owner, so many, from the first on or from the last on.
    let firstPositions: String
    let lastPositions: String
    /// The columns are the new value, the owner's id, the position or key.
    let updateValue: String
    /// New position, owner's id, position.
    let updatePosition: String
    /// Owner's id, first and last position.
    let deletePositions: String
    /// Owner's id, key of a dictionary or value of a set.
    let deleteRow: String
    let deleteAll: String
    /// By the number of rows, less than zero for merging ones: most of the text, of which who only reads needs nothing.
    private var inserts: [Int: String] = [:]

    /// How many rows the insert statements have, the most first.
    static let batchSizes = [64, 8, 1]

    init(_ table: ChildTable) {
        self.table = table
        let texts = Texts(table: table)
        selectOne = texts.select("= ?")
        selectFrom = texts.select(">= ?")
        selectList = texts.select("IN (SELECT value FROM json_each(?))")
        firstPositions = texts.positions("")
        lastPositions = texts.positions(" DESC")
        updateValue = texts.update(table.valueColumn)
        updatePosition = texts.update(ChildTable.positionColumn)
        deletePositions = texts.delete(ChildTable.positionColumn, " BETWEEN ? AND ?")
        deleteRow = texts.delete(table.orderColumn, " = ?")
        deleteAll = texts.delete(nil, "")
    }

    /// Inserts rows: the owner's id, position or key, the value. One of `batchSizes`.
    ///
    /// A merging one leaves what is there of a set, and overwrites the values of a dictionary.
    func insert(rows: Int, isMerging: Bool) -> String {
        let key = isMerging ? -rows : rows
        if let known = inserts[key] { return known }
        let made = Texts(table: table).insert(rows: rows, isMerging: isMerging)
        inserts[key] = made
        return made
    }
}

extension ChildTable {
    /// What follows the owner's id in the primary key.
    var orderColumn: String {
        switch style {
        case .array: ChildTable.positionColumn
        case .set: valueColumn
        case .dictionary: ChildTable.keyColumn
        }
    }
}

/// Puts the statements together.
private struct Texts {
    let table: ChildTable

    private func start(_ literal: StaticString) -> SQL {
        var sql = SQL(literal)
        sql.append(identifier: table.name)
        return sql
    }

    /// `suffix` says which owners.
    func select(_ suffix: StaticString) -> String {
        var sql = SQL("SELECT ")
        sql.append(identifier: ChildTable.ownerColumn)
        if table.style == .dictionary {
            sql.append(", ")
            sql.append(identifier: ChildTable.keyColumn)
        }
        sql.append(", ")
        sql.append(identifier: table.valueColumn)
        sql.append(start(" FROM "))
        sql.append(" WHERE ")
        sql.append(identifier: ChildTable.ownerColumn)
        sql.append(" ")
        sql.append(suffix)
        sql.append(" ORDER BY ")
        sql.append(identifier: ChildTable.ownerColumn)
        sql.append(", ")
        sql.append(identifier: table.orderColumn)
        return sql.text
    }

    func positions(_ direction: StaticString) -> String {
        var sql = SQL("SELECT ")
        sql.append(identifier: ChildTable.positionColumn)
        sql.append(start(" FROM "))
        sql.append(whereOwner)
        sql.append(" ORDER BY ")
        sql.append(identifier: ChildTable.positionColumn)
        sql.append(direction)
        sql.append(" LIMIT ?")
        return sql.text
    }

    private var whereOwner: SQL {
        var sql = SQL(" WHERE ")
        sql.append(identifier: ChildTable.ownerColumn)
        sql.append(" = ?")
        return sql
    }

    func update(_ column: String) -> String {
        var sql = start("UPDATE ")
        sql.append(" SET ")
        sql.append(identifier: column)
        sql.append(" = ?")
        sql.append(whereOwner)
        sql.append(" AND ")
        sql.append(identifier: table.orderColumn)
        sql.append(" = ?")
        return sql.text
    }

    func delete(_ column: String?, _ suffix: StaticString) -> String {
        var sql = start("DELETE FROM ")
        sql.append(whereOwner)
        if let column {
            sql.append(" AND ")
            sql.append(identifier: column)
            sql.append(suffix)
        }
        return sql.text
    }

    func insert(rows: Int, isMerging: Bool) -> String {
        let columns =
            table.style == .set
            ? [ChildTable.ownerColumn, table.valueColumn]
            : [ChildTable.ownerColumn, table.orderColumn, table.valueColumn]
        var sql = start("INSERT INTO ")
        sql.append(" (")
        sql.append(columns) { $0.append(identifier: $1) }
        sql.append(") VALUES ")
        sql.append(0..<rows) { sql, _ in
            sql.append("(")
            sql.append(columns) { sql, _ in sql.appendPlaceholder() }
            sql.append(")")
        }
        guard isMerging else { return sql.text }
        switch table.style {
        case .array: break
        case .set: sql.append(" ON CONFLICT DO NOTHING")
        case .dictionary:
            sql.append(" ON CONFLICT (")
            sql.append([ChildTable.ownerColumn, ChildTable.keyColumn]) { $0.append(identifier: $1) }
            sql.append(") DO UPDATE SET ")
            sql.append(identifier: table.valueColumn)
            sql.append(" = excluded.")
            sql.append(identifier: table.valueColumn)
        }
        return sql.text
    }
}

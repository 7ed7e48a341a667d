internal import StoreEngine

/// The SQL of one collection's table.
final class CollectionSQL {
    let table: ChildTable
    /// The rows of one owner, of all owners from an id on, and of a list of owners. They are ordered by owner and then
    /// in the order of the collection. The columns are the owner's id, a dictionary's key and the value.
    let selectOne: SQL
    let selectFrom: SQL
    let selectList: SQL
    /// A limited number of positions in an owner's array, from the start or from the end.
    let firstPositions: SQL
    let lastPositions: SQL
    /// The arguments are the new value, the owner's id, and the position or key.
    let updateValue: SQL
    /// The arguments are the new position, the owner's id and the old position.
    let updatePosition: SQL
    /// The arguments are the owner's id, and the first and last position.
    let deletePositions: SQL
    /// The arguments are the owner's id, and the key of a dictionary or the value of a set.
    let deleteRow: SQL
    let deleteAll: SQL
    /// Deletes the rows of a list of owners.
    private(set) lazy var deleteLists = texts.deleteLists
    /// Inserts one row for each of a list of owners. The arguments are the position or key, the value and the list.
    private(set) lazy var insertIntoLists = texts.insertIntoLists
    /// The insert statements by number of rows, negative for merging inserts. They are created on demand, because they
    /// are long and readers do not need them.
    private var inserts: [Int: SQL] = [:]
    private let texts: Texts

    /// The numbers of rows of the insert statements, in decreasing order.
    static let batchSizes = [64, 8, 1]

    init(_ table: ChildTable, _ dialect: Dialect) {
        self.table = table
        let texts = Texts(table: table, dialect: dialect)
        self.texts = texts
        selectOne = texts.select("= ?")
        selectFrom = texts.select(">= ?")
        selectList = texts.select(dialect.isInList("?", .plain))
        firstPositions = texts.positions("")
        lastPositions = texts.positions(" DESC")
        updateValue = texts.update(table.valueColumn)
        updatePosition = texts.update(ChildTable.positionColumn)
        deletePositions = texts.delete("AND \(name: ChildTable.positionColumn) BETWEEN ? AND ?")
        deleteRow = texts.delete("AND \(name: table.orderColumn) = ?")
        deleteAll = texts.delete(nil)
    }

    /// Inserts rows: the owner's id, the position or key, and the value. `rows` is one of `batchSizes`.
    ///
    /// A merging insert keeps existing elements of a set and overwrites existing values of a dictionary.
    func insert(rows: Int, isMerging: Bool) -> SQL {
        let key = isMerging ? -rows : rows
        if let known = inserts[key] { return known }
        let made = texts.insert(rows: rows, isMerging: isMerging)
        inserts[key] = made
        return made
    }
}

extension ChildTable {
    /// Owners and elements, for a list of element ids.
    func selectOwners(_ dialect: Dialect) -> SQL {
        """
        SELECT DISTINCT \(names: [ChildTable.ownerColumn, valueColumn]) FROM \(name: name) \
        WHERE \(name: valueColumn) \(dialect.isInList("?", .plain)) ORDER BY \(name: ChildTable.ownerColumn)
        """
    }

    /// The column after the owner's id in the primary key.
    package var orderColumn: String {
        switch style {
        case .array: ChildTable.positionColumn
        case .set: valueColumn
        case .dictionary: ChildTable.keyColumn
        }
    }
}

/// Writes the statements.
private struct Texts {
    let table: ChildTable
    let dialect: Dialect

    /// - Parameter owners: The comparison that selects the owners.
    func select(_ owners: SQL) -> SQL {
        let owner = ChildTable.ownerColumn
        let columns = [owner] + (table.style == .dictionary ? [ChildTable.keyColumn] : []) + [table.valueColumn]
        return """
            SELECT \(names: columns) FROM \(name: table.name) WHERE \(name: owner) \(owners) \
            ORDER BY \(names: [owner, table.orderColumn])
            """
    }

    func positions(_ direction: SQL) -> SQL {
        let position: SQL = "\(name: ChildTable.positionColumn)"
        return "SELECT \(position) FROM \(rowsOfOwner) ORDER BY \(position)\(direction) LIMIT ?"
    }

    private var rowsOfOwner: SQL { "\(name: table.name) WHERE \(isOwner)" }
    private var isOwner: SQL { "\(name: ChildTable.ownerColumn) = ?" }

    func update(_ column: String) -> SQL {
        "UPDATE \(name: table.name) SET \(name: column) = ? WHERE \(isOwner) AND \(name: table.orderColumn) = ?"
    }

    func delete(_ condition: SQL?) -> SQL {
        let start: SQL = "DELETE FROM \(rowsOfOwner)"
        return condition.map { "\(start) \($0)" } ?? start
    }

    var deleteLists: SQL {
        "DELETE FROM \(name: table.name) WHERE \(name: ChildTable.ownerColumn) \(dialect.isInList("?", .plain))"
    }

    var insertIntoLists: SQL {
        let columns = table.style == .set ? [table.valueColumn] : [table.orderColumn, table.valueColumn]
        let owners = "owners"
        return """
            INSERT INTO \(name: table.name) (\(names: columns + [ChildTable.ownerColumn])) \
            SELECT \(placeholders: columns.count), \(column: "value", of: owners) FROM \(dialect.listTable("?", owners))
            """
    }

    func insert(rows: Int, isMerging: Bool) -> SQL {
        let key = [ChildTable.ownerColumn, table.orderColumn]
        let columns = table.style == .set ? key : key + [table.valueColumn]
        let row: SQL = "(\(placeholders: columns.count))"
        let values: SQL = "\(list: repeatElement(row, count: rows))"
        let clause = dialect.batchClause(ofRows: rows)
        let start: SQL = "INSERT\(clause) INTO \(name: table.name) (\(names: columns)) VALUES \(values)"
        guard isMerging, table.style != .array else { return start }
        return start + dialect.upsert(key, table.style == .set ? [] : [table.valueColumn])
    }
}

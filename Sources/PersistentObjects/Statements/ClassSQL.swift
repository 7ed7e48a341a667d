// Statements: the SQL of classes, collections, queries and delete rules, written once for each shape. It knows class
// maps and expressions, and must neither run a statement nor see a value.

internal import StoreEngine

/// The SQL of one class's statements.
struct ClassSQL: Sendable {
    let dialect: Dialect
    let table: String
    /// The columns of all properties that have a column, in order.
    let columns: [String]
    /// The number of these columns that are selected with a row.
    private let selectedCount: Int

    /// The class and its known subclasses, if the table has a class column; otherwise empty.
    let family: [ClassMap]
    /// The columns that only subclasses have. They are selected after the class column.
    private let furtherColumns: [String]
    /// The value of the class column for rows of this class; nil if it is the column's default.
    private let className: String?
    /// The classes of the selected rows, if not all rows of the table are selected.
    private let wantedClasses: [String]
    /// The source in statements that select: the part of the table with the class's rows, under the table's name.
    var source: SQL
    /// Nil unless the class uses an existing table.
    let foreign: ForeignSQL?
    /// The references that are stored as keys, by column name.
    private let keyed: [String: KeyedReference]
    /// The encrypted columns, by their indices.
    let seals: [Int: PropertySealing]
    /// The index of the column with the keys of the objects; nil in classes without keys.
    let keyIndex: Int?
    /// The indices of these references, except those that are never written.
    let keyedOrdinals: [Int]

    init(_ map: ClassMap, _ family: [ClassMap], _ dialect: Dialect) throws {
        self.dialect = dialect
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
        seals = Dictionary(
            uniqueKeysWithValues: map.sealedOrdinals.compactMap { index in
                map.properties[index].sealing.map { (index, $0) }
            })
        keyIndex = map.keyOrdinal
        foreign = try ForeignSQL(map, dialect)
        let keyed = try foreign == nil ? [:] : ClassSQL.keyedReferences(of: map, dialect)
        self.keyed = keyed
        keyedOrdinals =
            keyed.isEmpty
            ? []
            : map.properties.indices.filter { ordinal in
                keyed[map.properties[ordinal].column] != nil && !map.properties[ordinal].isReadOnly
            }
        source = foreign?.rows(as: map.table) ?? "\(name: table)"
        if !wantedClasses.isEmpty { source = source(as: table) }
    }

    private static func keyedReferences(of map: ClassMap, _ dialect: Dialect) throws -> [String: KeyedReference] {
        var keyed: [String: KeyedReference] = [:]
        for property in map.properties { keyed[property.column] = try KeyedReference(property, of: map, dialect) }
        return keyed
    }

    /// Whether its statements use every row of its table.
    var isWholeTable: Bool { foreign == nil && wantedClasses.isEmpty }

    /// The index of the class column in selected rows.
    var classColumn: Int32 { Int32(selectedCount) + 1 }

    /// The column indices of a class's selected properties, in rows selected for this class.
    func columns(of map: ClassMap) -> [Int32] {
        let own = Dictionary(uniqueKeysWithValues: columns[..<selectedCount].enumerated().map { ($1, Int32($0) + 1) })
        let further = Dictionary(
            uniqueKeysWithValues: furtherColumns.enumerated().map { ($1, Int32($0) + classColumn + 1) })
        return map.properties[..<map.selectedCount].map { own[$0.column] ?? further[$0.column] ?? 0 }
    }

    /// The part of the table with the class's rows, under another name.
    func source(as alias: String) -> SQL {
        if let foreign { return foreign.rows(as: alias) }
        return wantedClasses.isEmpty
            ? "\(name: table) AS \(name: alias)"
            : "(SELECT * FROM \(name: table)\(classCondition)) AS \(name: alias)"
    }

    private var classCondition: SQL {
        guard !wantedClasses.isEmpty else { return "" }
        let names = wantedClasses.compactMap { SQLLiteral(.text($0)) }.map { "\(literal: $0)" as SQL }
        return " WHERE \"class\" IN (\(list: names))"
    }

    /// The `SELECT` up to and including the table: the id first, then the properties in order.
    ///
    /// Columns are qualified with the table's name, because criteria may join other tables.
    var select: SQL { "SELECT \(selection) FROM \(source)" }

    private var selection: SQL {
        let further = family.isEmpty ? [] : ["class"] + furtherColumns
        return "\(columns: ["id"] + columns[..<selectedCount] + further, of: table)"
    }

    var selectID: SQL { "SELECT \(column: "id", of: table) FROM \(source)" }

    /// The ids of a list that have rows.
    var selectIDs: SQL { "\(selectID) WHERE \"id\" \(isInList)" }

    /// One column of several rows, for a list of ids and in its order, so that a reader can stop early. A sort would
    /// read all rows first.
    func selectColumn(_ column: String) -> SQL {
        """
        SELECT "row"."id", "row".\(name: column)\(keyForOpening(column)) FROM \(dialect.listTable("?", "list")) \(dialect.orderedJoin) \
        \(foreign?.rows(as: "row") ?? "\(name: table) AS \"row\"") ON "row"."id" = "list"."value"
        """
    }

    /// The start of a count, up to the criteria of its subquery. The caller appends the criteria and `)`.
    var countOfSelection: SQL { "SELECT count(*) FROM (\(selectID)" }

    /// The SQL of a statement that is used repeatedly.
    func text(_ statement: ClassStatement) -> SQL {
        if table == HistoryNames.values, let text = textOfValues(statement) { return text }
        return switch statement {
        case .selectAll: "\(select) ORDER BY \"id\""
        case .selectAllIDs: "\(selectID) ORDER BY \"id\""
        case .selectFirst: "\(select) ORDER BY \"id\" LIMIT 1"
        case .selectByID: "\(select) WHERE \"id\" = ?"
        case .selectByIDs: selectByIDs
        case .selectByRange: "\(select) WHERE \"id\" BETWEEN ? AND ? ORDER BY \"id\""
        case .selectElements(let child, let value, let order): selectElements(child, value, order)
        case .selectReferring(let column, .one): selectReferringToOne(column)
        case .selectReferring(let column, .range): selectReferringToRange(column)
        case .selectReferring(let column, .list): selectReferring(column)
        case .selectReferring(let column, .rangeOfTable): selectReferringToRangeOfTable(column)
        case .countReferring(let column): countReferring(column)
        case .count: "SELECT count(*) FROM \(source)"
        case .insert(let rows, let withIDs): insert(rows: rows, withIDs: withIDs)
        case .update(let columns): update(columns)
        case .updateNeighbours(let columns): updateNeighbours(columns)
        case .deleteAll: "DELETE FROM \(name: table)\(classCondition)"
        }
    }

    /// The statements on the values of the history whose condition on ids would read the whole history.
    private func textOfValues(_ statement: ClassStatement) -> SQL? {
        func select(_ selection: HistorySlots.Selection) -> SQL {
            "SELECT \(self.selection) FROM \(HistorySlots.rows(selection, as: table, dialect))"
        }
        return switch statement {
        case .selectByID: select(.one)
        case .selectByRange: "\(select(.range)) ORDER BY \"id\""
        case .selectByIDs: select(.list)
        default: nil
        }
    }

    /// The rows for a list of ids, in any order.
    private var selectByIDs: SQL {
        // For a subquery as source, only a condition is certain to be evaluated inside it.
        guard dialect.joinsLists, isWholeTable else {
            return "\(select) WHERE \"id\" \(isInList)"
        }
        // The name contains a space, so no user table has it.
        let list = " list"
        return """
            SELECT \(selection) FROM \(dialect.listTable("?", list)) \(dialect.orderedJoin) \(source) \
            ON \(column: "id", of: table) = \(column: "value", of: list)
            """
    }

    /// The rows whose ids are the values in one owner's rows of a child table.
    private func selectElements(_ child: String, _ value: String, _ order: String) -> SQL {
        """
        SELECT \(selection) FROM \(name: child) \(dialect.orderedJoin) \(source) \
        ON \(column: "id", of: table) = \(column: value, of: child) \
        WHERE \(column: ChildTable.ownerColumn, of: child) = ? ORDER BY \(column: order, of: child)
        """
    }

    /// The rows whose column has an id in a closed range. They are ordered by that id and then by their own, which is
    /// the order of the column's index.
    private func selectReferringToRange(_ column: String) -> SQL {
        let name = column
        let column: SQL = "\(column: column, of: table)"
        if let reference = keyed[name] {
            let isReferring = reference.refers(table) { "\($0) BETWEEN ? AND ?" }
            return "\(select) WHERE \(isReferring) ORDER BY \(column), \"id\""
        }
        return "\(select) WHERE \(column) BETWEEN ? AND ? ORDER BY \(column), \"id\""
    }

    /// Whether the rows that refer to a range can also be read in the order of the table.
    func hasTableOrder(of column: String) -> Bool {
        dialect.joinsLists && isWholeTable && keyed[column] == nil && table != HistoryNames.values
    }

    /// The same rows ordered by their own ids. SQLite does not use an index for an expression, so it reads the table.
    private func selectReferringToRangeOfTable(_ column: String) -> SQL {
        "\(select) WHERE +\(self.column(column)) BETWEEN ? AND ? ORDER BY \(self.column("id"))"
    }

    private func countReferring(_ column: String) -> SQL {
        "SELECT count(*), (SELECT max(\(self.column("id"))) FROM \(source)) FROM \(source) WHERE "
            + "\(self.column(column)) BETWEEN ? AND ?"
    }

    private func column(_ name: String) -> SQL { "\(column: name, of: table)" }

    /// The rows whose column has one of a list of ids, ordered by id.
    private func selectReferring(_ column: String) -> SQL {
        if let reference = keyed[column] {
            return "\(select) WHERE \(reference.refers(table) { "\($0) \(isInList)" }) ORDER BY \"id\""
        }
        return "\(select) WHERE \(column: column, of: table) \(isInList) ORDER BY \"id\""
    }

    /// The rows whose column has one id, ordered by their own ids, which is the order of the column's index.
    private func selectReferringToOne(_ column: String) -> SQL {
        if let reference = keyed[column] {
            return "\(select) WHERE \(reference.refers(table) { "\($0) = ?" }) ORDER BY \"id\""
        }
        return "\(select) WHERE \(column: column, of: table) = ? ORDER BY \"id\""
    }

    /// The rows for a list of ids, and the rows that they reach in `depth` steps through a column that refers to the
    /// same table, the nearest first. Nil if references are not stored as ids.
    func selectChain(_ column: String, depth: Int) -> SQL? {
        guard foreign == nil, wantedClasses.isEmpty else { return nil }
        let id: SQL = "\(column: "id", of: table)"
        let next: SQL = "\(column: column, of: table)"
        // The names contain a space, so no user column has them. A cycle is followed until the steps are used up.
        return """
            WITH RECURSIVE " chain" (" id", " step") AS (SELECT \(id), 1 FROM \(source) WHERE \(id) \(isInList) \
            UNION ALL SELECT \(next), " step" + 1 FROM " chain" JOIN \(source) ON \(id) = " id" \
            WHERE " step" < \(number: depth) AND \(next) IS NOT NULL) \
            \(select) JOIN (SELECT " id", min(" step") AS " step" FROM " chain" GROUP BY " id") AS " links" \
            ON \(id) = " id" ORDER BY " step", \(id)
            """
    }

    /// The rows whose column has one of a list of values of any type, ordered by id.
    func selectHaving(_ column: String) -> SQL {
        "\(select) WHERE \(column: column, of: table) \(dialect.isInList("?", .tagged)) ORDER BY \"id\""
    }

    private var isInList: SQL { dialect.isInList("?", .plain) }

    /// Inserts several rows, with ids if the caller assigned them.
    func insert(rows: Int, withIDs: Bool) -> SQL {
        if let foreign { return foreign.insert(rows: rows, withIDs: withIDs) }
        let given = className.flatMap { SQLLiteral(.text($0)) }.map { "\(literal: $0)" as SQL }
        let chosen = (withIDs ? ["id"] : []) + columns
        let names = (given == nil ? [] : ["class"]) + chosen
        guard !names.isEmpty else { return "INSERT INTO \(name: table) DEFAULT VALUES" }
        let values = (given.map { [$0] } ?? []) + chosen.map { _ in "?" }
        let row: SQL = "(\(list: values))"
        let clause = dialect.batchClause(ofRows: rows)
        let lists: SQL =
            seals.isEmpty
            ? "\(list: repeatElement(row, count: rows))"
            : "\(list: sealedRows(rows, given: given, withIDs: withIDs))"
        return "INSERT\(clause) INTO \(name: table) (\(names: names)) VALUES \(lists)"
    }

    /// The target of an `insert` with ids; nil for an existing table.
    var insertionTarget: InsertionTarget? {
        // The bulk insert takes values, and no calls of functions.
        guard foreign == nil, seals.isEmpty || dialect.callsFunctionsOfRows else { return nil }
        return InsertionTarget(table: table, columns: ["id"] + columns, constant: className.map { ("class", $0) })
    }

    func update(_ changed: ColumnSet) -> SQL {
        if let foreign { return foreign.update(changed) }
        if takesKey(changed) { return updateWithKey(changed) }
        let assignments = columns.indices.filter { changed.contains($0) }.map { index in
            "\(name: columns[index]) = \(seals.isEmpty ? "?" : sealed("?", index))" as SQL
        }
        return "UPDATE \(name: table) SET \(list: assignments) WHERE \"id\" = ?"
    }

    var deleteOne: SQL { delete("= ?") }

    /// Deletes the rows of a list of ids.
    var deleteList: SQL { delete(isInList) }

    private func delete(_ condition: SQL) -> SQL {
        foreign?.delete(condition) ?? "DELETE FROM \(name: table) WHERE \"id\" \(condition)"
    }
}

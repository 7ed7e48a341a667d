// Statements: the SQL of classes, collections, queries and delete rules, made once for each shape. It knows class
// maps and expressions, and must neither run a statement nor see a value.

internal import StoreEngine

/// The statements of one class, as text.
struct ClassSQL: Sendable {
    let dialect: Dialect
    let table: String
    /// The columns of all properties that have one, in their order.
    let columns: [String]
    /// The number of them that are selected with a row.
    private let selectedCount: Int

    /// Its class and the known subclasses where the table has a column for the class, else none.
    let family: [ClassMap]
    /// Columns that only subclasses have, selected after the class.
    private let furtherColumns: [String]
    /// The value of the class column for rows of this class; nil if it is the column's default.
    private let className: String?
    /// The classes that rows are of, where not all rows of the table are wanted.
    private let wantedClasses: [String]
    /// The source in statements that select: the part of the table with the class's rows, under its name.
    var source: SQL
    /// Set for an existing table.
    let foreign: ForeignSQL?
    /// The references that stand as keys, by their columns' name.
    private let keyed: [String: KeyedReference]
    /// The places of these references, those that are never written left out.
    let keyedPlaces: [Int]

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
        foreign = try ForeignSQL(map, dialect)
        let keyed = try foreign == nil ? [:] : ClassSQL.keyedReferences(of: map, dialect)
        self.keyed = keyed
        keyedPlaces =
            keyed.isEmpty
            ? []
            : map.properties.indices.filter { place in
                keyed[map.properties[place].column] != nil && !map.properties[place].isReadOnly
            }
        source = foreign?.rows(as: map.table) ?? "\(name: table)"
        if !wantedClasses.isEmpty { source = source(as: table) }
    }

    private static func keyedReferences(of map: ClassMap, _ dialect: Dialect) throws -> [String: KeyedReference] {
        var keyed: [String: KeyedReference] = [:]
        for property in map.properties { keyed[property.column] = try KeyedReference(property, of: map, dialect) }
        return keyed
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

    /// The part of the table that has the class's rows, under another name.
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

    /// `SELECT` with the id first and then the properties in their order, up to and with the table's name.
    ///
    /// Columns carry the table's name, since criteria may join other tables.
    var select: SQL { "SELECT \(selection) FROM \(source)" }

    private var selection: SQL {
        let further = family.isEmpty ? [] : ["class"] + furtherColumns
        return "\(columns: ["id"] + columns[..<selectedCount] + further, of: table)"
    }

    var selectID: SQL { "SELECT \(column: "id", of: table) FROM \(source)" }

    /// Those of a list of ids that have rows.
    var selectIDs: SQL { "\(selectID) WHERE \"id\" \(isInList)" }

    /// One column of several rows, by a list of ids and in its order, so that a reader can stop early: a sorter would
    /// read all rows.
    func selectColumn(_ column: String) -> SQL {
        """
        SELECT "row"."id", "row".\(name: column) FROM \(dialect.listTable("?", "list")) \(dialect.orderedJoin) \
        \(foreign?.rows(as: "row") ?? "\(name: table) AS \"row\"") ON "row"."id" = "list"."value"
        """
    }

    /// Up to where the criteria of a subquery stand; a `)` ends it.
    var countOfSelection: SQL { "SELECT count(*) FROM (\(selectID)" }

    /// The text of a statement that is asked for again and again.
    func text(_ statement: ClassStatement) -> SQL {
        if table == HistoryNames.values, let text = textOfValues(statement) { return text }
        return switch statement {
        case .selectAll: "\(select) ORDER BY \"id\""
        case .selectAllIDs: "\(selectID) ORDER BY \"id\""
        case .selectFirst: "\(select) ORDER BY \"id\" LIMIT 1"
        case .selectByID: "\(select) WHERE \"id\" = ?"
        case .selectByIDs: selectByIDs
        case .selectByRange: "\(select) WHERE \"id\" BETWEEN ? AND ? ORDER BY \"id\""
        case .selectReferring(let column, .one): selectReferringToOne(column)
        case .selectReferring(let column, .range): selectReferringToRange(column)
        case .selectReferring(let column, .list): selectReferring(column)
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

    /// Those of a list of ids, in no order that is promised.
    private var selectByIDs: SQL {
        // Of a view, only a condition is sure to reach into it.
        guard dialect.joinsLists, foreign == nil, wantedClasses.isEmpty else {
            return "\(select) WHERE \"id\" \(isInList)"
        }
        // The name contains a space, so no user table has it.
        let list = " list"
        return """
            SELECT \(selection) FROM \(dialect.listTable("?", list)) \(dialect.orderedJoin) \(source) \
            ON \(column: "id", of: table) = \(column: "value", of: list)
            """
    }

    /// Those whose column has an id from one to another, both with, by that and then by their own: the order of the
    /// column's index.
    private func selectReferringToRange(_ column: String) -> SQL {
        let name = column
        let column: SQL = "\(column: column, of: table)"
        if let reference = keyed[name] {
            let isReferring = reference.refers(table) { "\($0) BETWEEN ? AND ?" }
            return "\(select) WHERE \(isReferring) ORDER BY \(column), \"id\""
        }
        return "\(select) WHERE \(column) BETWEEN ? AND ? ORDER BY \(column), \"id\""
    }

    /// Those whose column has one of a list of ids, by id.
    private func selectReferring(_ column: String) -> SQL {
        if let reference = keyed[column] {
            return "\(select) WHERE \(reference.refers(table) { "\($0) \(isInList)" }) ORDER BY \"id\""
        }
        return "\(select) WHERE \(column: column, of: table) \(isInList) ORDER BY \"id\""
    }

    /// Those whose column has one id, by their own: the index has them in this order.
    private func selectReferringToOne(_ column: String) -> SQL {
        if let reference = keyed[column] {
            return "\(select) WHERE \(reference.refers(table) { "\($0) = ?" }) ORDER BY \"id\""
        }
        return "\(select) WHERE \(column: column, of: table) = ? ORDER BY \"id\""
    }

    /// Rows of a list of ids, and what they lead to by a column that refers to the same table, so many steps far: the
    /// nearest first. Nil where references do not stand as ids.
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

    /// Those whose column has one of a list of values of any kind, by id.
    func selectHaving(_ column: String) -> SQL {
        "\(select) WHERE \(column: column, of: table) \(dialect.isInList("?", .tagged)) ORDER BY \"id\""
    }

    private var isInList: SQL { dialect.isInList("?", .plain) }

    /// Inserts rows at once; with ids where the caller chose them.
    func insert(rows: Int, withIDs: Bool) -> SQL {
        if let foreign { return foreign.insert(rows: rows, withIDs: withIDs) }
        let given = className.flatMap { SQLLiteral(.text($0)) }.map { "\(literal: $0)" as SQL }
        let chosen = (withIDs ? ["id"] : []) + columns
        let names = (given == nil ? [] : ["class"]) + chosen
        guard !names.isEmpty else { return "INSERT INTO \(name: table) DEFAULT VALUES" }
        let values = (given.map { [$0] } ?? []) + chosen.map { _ in "?" }
        let row: SQL = "(\(list: values))"
        return "INSERT INTO \(name: table) (\(names: names)) VALUES \(list: repeatElement(row, count: rows))"
    }

    /// Where `insert` with ids puts rows.
    var insertionTarget: InsertionTarget? {
        guard foreign == nil else { return nil }
        return InsertionTarget(table: table, columns: ["id"] + columns, constant: className.map { ("class", $0) })
    }

    func update(_ changed: ColumnSet) -> SQL {
        if let foreign { return foreign.update(changed) }
        let assignments = columns.indices.filter { changed.contains($0) }.map { "\(name: columns[$0]) = ?" as SQL }
        return "UPDATE \(name: table) SET \(list: assignments) WHERE \"id\" = ?"
    }

    func delete(rows: Int) -> SQL {
        foreign?.delete(rows: rows) ?? "DELETE FROM \(name: table) WHERE \"id\" IN (\(placeholders: rows))"
    }
}

package import StoreEngine

/// The rows of an existing table, in SQL.
///
/// Statements that read use a subquery in place of the table. Its columns are named like the columns of the library's
/// tables: `id` is the row's number, and a reference stored as a key becomes the number of the referenced row. SQLite
/// reads through such a subquery as if it were the table. Statements that write name the table and its columns.
struct ForeignSQL: Sendable {
    let table: String
    /// The id in statements that write.
    let id: SQL
    /// For each property, its columns, and the target if the reference is stored as a key.
    private let targets: [Target]
    private let readOnly: ColumnSet
    private let rows: SQL
    private let dialect: Dialect

    private struct Target: Sendable {
        let columns: [String]
        let reference: KeyedReference?
    }

    /// Nil for a class whose table belongs to the library.
    init?(_ map: ClassMap, _ dialect: Dialect) throws {
        guard let foreign = map.foreign else { return nil }
        table = map.table
        self.dialect = dialect
        readOnly = foreign.readOnly
        let id = ForeignSQL.id(of: map, dialect)
        self.id = id
        targets = try map.properties.filter(\.hasColumn).map {
            Target(columns: $0.columns, reference: try KeyedReference($0, of: map, dialect))
        }
        var selected: [SQL] = ["\(id) AS \"id\""]
        var raw: [String] = map.keyColumns
        for (property, target) in zip(map.properties, targets) {
            if let reference = target.reference {
                selected.append("\(reference.id(in: ForeignSQL.row)) AS \(name: property.column)")
                raw += target.columns
            } else if let column = target.columns.first {
                selected.append("\(column: column, of: ForeignSQL.row) AS \(name: property.column)")
            }
        }
        var known: Set<String> = []
        for column in raw where known.insert(Naming.folded(column)).inserted {
            selected.append("\(column: column, of: ForeignSQL.row) AS \(name: ForeignSQL.rawName(column))")
        }
        rows = "(SELECT \(list: selected) FROM \(name: map.table) AS \(name: ForeignSQL.row))"
    }

    private static let row = " row"

    /// The name of a key column next to its resolved reference. The space keeps it distinct from the user's columns.
    static func rawName(_ column: String) -> String { " \(column)" }

    /// The id of a class's rows in its table.
    static func id(of map: ClassMap, _ dialect: Dialect) -> SQL {
        guard let foreign = map.foreign else { return "\"id\"" }
        if foreign.isKeyed { return "po_key(\(names: map.keyColumns))" }
        return foreign.idColumn.map { "\(name: $0)" } ?? dialect.rowNumber
    }

    /// The rows as a table named `alias`.
    func rows(as alias: String) -> SQL { "\(rows) AS \(name: alias)" }

    // MARK: Writing

    /// The columns of a property and the SQL assigned to each. The value of a reference is an id.
    func assignments(_ ordinal: Int, _ value: SQL) -> [(column: SQL, value: SQL)] {
        guard !readOnly.contains(ordinal) else { return [] }
        let target = targets[ordinal]
        return target.columns.enumerated().map { index, column in
            ("\(name: column)", target.reference?.keyValue(index, of: value) ?? value)
        }
    }

    /// Inserts several rows. Placeholders are numbered, because a key of several columns uses a row's value several
    /// times.
    func insert(rows: Int, withIDs: Bool) -> SQL {
        let first = withIDs ? 1 : 0
        let width = targets.count + first
        let names = (withIDs ? [id] : []) + targets.indices.flatMap { assignments($0, "NULL").map(\.column) }
        guard !names.isEmpty else { return "INSERT INTO \(name: table) DEFAULT VALUES" }
        let lists = (0..<rows).map { row in
            func placeholder(_ ordinal: Int) -> SQL { "\(placeholder: row * width + ordinal + 1)" }
            // Values that are never written are bound too. The last placeholder determines how many placeholders there
            // are.
            let last = placeholder(width - 1)
            let given: [SQL] =
                !withIDs ? [] : readOnly.isEmpty ? [placeholder(0)] : ["coalesce(\(placeholder(0)), \(last))"]
            let values = given + targets.indices.flatMap { assignments($0, placeholder($0 + first)).map(\.value) }
            return "(\(list: values))" as SQL
        }
        let clause = dialect.batchClause(ofRows: rows)
        let idClause = withIDs ? dialect.assignedIDClause : ""
        return "INSERT\(clause) INTO \(name: table) (\(list: names))\(idClause) VALUES \(list: lists)"
    }

    /// Sets some properties of the row with an id; the values come first, in the order of the properties.
    func update(_ changed: ColumnSet) -> SQL {
        var count = 0
        var list: [SQL] = []
        for ordinal in targets.indices where changed.contains(ordinal) {
            count += 1
            list += assignments(ordinal, "\(placeholder: count)").map { "\($0.column) = \($0.value)" }
        }
        return "UPDATE \(name: table) SET \(list: list) WHERE \(id) = \(placeholder: count + 1)"
    }

    /// - Parameter condition: Follows the id.
    func delete(_ condition: SQL) -> SQL { "DELETE FROM \(name: table) WHERE \(id) \(condition)" }
}

/// A reference that is stored as the key of the referenced row.
struct KeyedReference: Sendable {
    /// The columns that store the reference, in the order of the key.
    let columns: [String]
    private let owner: String
    private let target: String
    private let targetID: SQL
    private let keyColumns: [String]

    /// Nil for any other property.
    init?(_ property: Property, of map: ClassMap, _ dialect: Dialect) throws {
        guard case .reference = property.shape, let codec = property.codec as? ReferenceCodec,
            !codec.target.primaryKey.isEmpty
        else { return nil }
        let target = try ClassMap.map(of: codec.target)
        guard target.keyColumns.count == property.columns.count else {
            throw SchemaError.tableDiffers(
                className: map.name, table: map.table,
                differences: [
                    "\(property.name) is stored in \(property.columns.joined(separator: ", ")), but the key of "
                        + "\(target.name) is \(target.keyColumns.joined(separator: ", ")). Name a column for each "
                        + "part of the key in @Column(\"…\", and: \"…\")"
                ])
        }
        columns = property.columns
        owner = map.table
        self.target = target.table
        targetID = ForeignSQL.id(of: target, dialect)
        keyColumns = target.keyColumns
    }

    private static let row = " key"
    private static let other = " other"

    /// The id of the row that a row refers to.
    func id(in row: String) -> SQL {
        let conditions = zip(keyColumns, columns).map { key, column in
            "\(column: key, of: KeyedReference.row) = \(column: column, of: row)" as SQL
        }
        return """
            (SELECT \(targetID) FROM \(name: target) AS \(name: KeyedReference.row) \
            WHERE \(list: conditions, separator: " AND "))
            """
    }

    /// One part of the key of the row with the given id.
    func keyValue(_ index: Int, of id: SQL) -> SQL {
        "(SELECT \(name: keyColumns[index]) FROM \(name: target) WHERE \(targetID) = \(id))"
    }

    /// The condition that a row refers to one of several rows; `ids` is a condition on their ids. It uses the index of
    /// the columns, because there is no index of the ids derived from them.
    ///
    /// Keys are compared by the collation of the target, as foreign keys are: with `NOCASE`, `alfki` refers to `ALFKI`.
    /// `IN` would use the collation of the columns, so it compares them only with themselves.
    ///
    /// - Parameter row: The alias of the row; nil for the table itself, in a statement that writes.
    func refers(_ row: String?, toRowsWhose ids: (_ id: SQL) -> SQL) -> SQL {
        let own = columns.map { column in
            row.map { "\(column: ForeignSQL.rawName(column), of: $0)" as SQL } ?? "\(name: column)"
        }
        let left: SQL = own.count == 1 ? own[0] : "(\(list: own))"
        let (key, other) = (KeyedReference.row, KeyedReference.other)
        let equal = zip(keyColumns, columns).map { "\(column: $0, of: key) = \(column: $1, of: other)" as SQL }
        return """
            \(left) IN (SELECT \(columns: columns, of: other) FROM (SELECT \(names: keyColumns) FROM \(name: target) \
            WHERE \(ids(targetID))) AS \(name: key) JOIN \(name: owner) AS \(name: other) \
            ON \(list: equal, separator: " AND "))
            """
    }

    /// The condition that a row refers to another row.
    func refers(_ owner: String, to row: String) -> SQL {
        let conditions = zip(keyColumns, columns).map { key, column in
            let (key, column) = (ForeignSQL.rawName(key), ForeignSQL.rawName(column))
            return "\(column: key, of: row) = \(column: column, of: owner)" as SQL
        }
        return "\(list: conditions, separator: " AND ")"
    }
}

extension ClassMap {
    /// The rows of the class's table as a table named `alias`.
    package func rows(as alias: String, _ dialect: Dialect) throws -> SQL {
        try ForeignSQL(self, dialect)?.rows(as: alias) ?? "\(name: table) AS \(name: alias)"
    }
}

internal import PersistentObjects
internal import StoreEngine

/// A table whose rows are copied.
struct CopiedTable {
    enum Contents {
        /// The objects of a class and its subclasses.
        case objects
        /// The elements of a collection.
        case elements
        /// A part of the history of all classes.
        case history
    }

    /// A column, and its property if it has one.
    struct Column {
        let name: String
        let property: String?
        let type: String
    }

    let name: String
    let contents: Contents
    /// The class that declares the table.
    let className: String
    let columns: [Column]
    /// The column of the ids of the objects, by which rows are sorted first.
    let key: String
    /// The column by which the elements of an object are sorted; nil if each has one row.
    var order: String?
    /// The view from which the rows are read; nil for the table itself.
    var view: String?
    /// The condition of the rows; nil for all rows.
    var condition: SQL?

    var source: SQL { "\(name: view ?? name)" }

    /// The tables of a class and its collections, with the columns that its table in the store has.
    static func all(of space: ClassSpace, _ session: Session) throws -> [CopiedTable] {
        var children: [(table: ChildTable, property: Property)] = []
        var properties: [String: String] = [:]
        for map in space.family {
            for property in map.properties {
                if property.hasColumn { properties[property.column] = property.name }
                guard let child = ChildTable(property, of: map) else { continue }
                if !children.contains(where: { $0.table.name == child.name }) { children.append((child, property)) }
            }
        }
        let hasSubclasses = space.family.count > 1
        func columns(_ table: String, _ property: (String) -> String?) throws -> [Column] {
            try session.connection.schema.table(table)?.columns.compactMap { column in
                let property = property(column.name)
                // A column without a property belonged to a removed property. The target has no column of the class if
                // no row has a subclass.
                guard property != nil || column.name == "id" || column.name == "class" && hasSubclasses else {
                    return nil
                }
                return Column(name: column.name, property: property, type: column.type)
            } ?? []
        }
        let (table, className) = (space.map.table, space.map.name)
        let own = CopiedTable(
            name: table, contents: .objects, className: className, columns: try columns(table) { properties[$0] },
            key: "id")
        return try [own]
            + children.map { child, property in
                CopiedTable(
                    name: child.name, contents: .elements, className: className,
                    columns: try columns(child.name) { _ in property.name }, key: ChildTable.ownerColumn,
                    order: child.orderColumn)
            }
    }

    /// The history of some tables.
    ///
    /// Values are copied from the view that shows all of them to the table that can hold any, because the places of
    /// values in entries differ between stores.
    static func history(of tables: [String], _ dialect: Dialect) -> [CopiedTable] {
        let names = tables.compactMap { SQLLiteral(.text($0)) }.map { "\(literal: $0)" as SQL }
        let ofTables: SQL = "\(name: "table") IN (\(list: names))"
        let ofEntries: SQL = """
            \(name: "entry_id") IN (SELECT \(name: "id") FROM \(name: HistoryNames.entries) WHERE \(ofTables))
            """
        func columns(_ numbers: [String], _ texts: [String], _ values: [String]) -> [Column] {
            func column(_ type: LogicalType) -> (String) -> Column {
                { Column(name: $0, property: $0, type: dialect.declaredType(type).text) }
            }
            return numbers.map(column(.integer)) + texts.map(column(.text)) + values.map(column(.any))
        }
        return [
            CopiedTable(
                name: HistoryNames.entries, contents: .history, className: "HistoryEntry",
                columns: columns(["id", "object", "date", "transaction"], ["table", "change", "author"], []), key: "id",
                condition: ofTables),
            CopiedTable(
                name: HistoryNames.extras, contents: .history, className: "HistoryValue",
                columns: columns(["entry_id"], ["column"], ["old", "new"]), key: "entry_id", order: "id",
                view: HistoryNames.values, condition: ofEntries),
            CopiedTable(
                name: HistoryNames.elements, contents: .history, className: "HistoryElement",
                columns: columns(["id", "entry_id"], ["table", "change"], ["key", "old", "new"]), key: "id",
                condition: ofEntries),
        ]
    }

    /// The index of the key among the columns.
    var keyIndex: Int { columns.firstIndex { $0.name == key } ?? 0 }

    /// Whether no two rows have the same key.
    var hasUniqueKeys: Bool { key == "id" }

    /// Selects the rows, sorted by key.
    ///
    /// - Parameter key: The lowest key; nil for all rows.
    func select(from key: Int64?) -> SQL {
        let start = key.map { "\(name: self.key) >= \(number: Int($0))" as SQL }
        return """
            SELECT \(names: columns.map(\.name)) FROM \(source)\(CopiedTable.filter([condition, start])) \
            ORDER BY \(names: [self.key] + (order.map { [$0] } ?? []))
            """
    }

    var count: SQL { "SELECT count(*) FROM \(source)\(CopiedTable.filter([condition]))" }

    private static func filter(_ conditions: [SQL?]) -> SQL {
        let conditions = conditions.compactMap(\.self)
        return conditions.isEmpty ? "" : " WHERE \(list: conditions, separator: " AND ")"
    }

    func insert(rows: Int) -> SQL {
        let row: SQL = "(\(placeholders: columns.count))"
        let all = [SQL](repeating: row, count: rows)
        return "INSERT INTO \(name: name) (\(names: columns.map(\.name))) VALUES \(list: all)"
    }

    /// An error about a row.
    func problem(_ message: String, column: Int? = nil, id: Int64? = nil) -> TransferError {
        var error = TransferError(message, className: className, property: column.flatMap { columns[$0].property })
        error.rowID = id
        return error
    }
}

internal import PersistentObjects
internal import StoreEngine

/// The columns and tables in which a Core Data file stores the properties of a class.
struct CoreDataColumns {
    let tables: [String: [String]]
    let entities: CoreDataEntities

    static let idColumn = "Z_PK"
    static let entityColumn = "Z_ENT"

    /// Whether a column serves Core Data itself, such as `Z_OPT`, `Z3_COMPANY` or `Z_FOK_OWNER`.
    static func isTechnical(_ column: String) -> Bool {
        guard column.hasPrefix("Z") else { return false }
        let rest = column.dropFirst().drop { $0.isNumber }
        return rest.hasPrefix("_")
    }

    /// The column of an attribute or a reference.
    func column(_ name: String, in table: String) -> String? {
        let wanted = name.uppercased()
        return tables[table]?.first {
            let column = $0.uppercased()
            return (column == "Z" + wanted || column == wanted) && !CoreDataColumns.isTechnical($0)
        }
    }

    /// The statement that reads a list of objects, and the table or column that it uses.
    ///
    /// The list is stored in a join table, or in a column of the target's table that the mapping names.
    func children(
        _ property: Property, named name: String, of entity: CoreDataEntities.Entity, isMapped: Bool,
        target: CoreDataEntities.Entity
    ) -> (select: SQL, used: String)? {
        if let pairs = pairs(name, of: entity) { return (pairs.select, pairs.table) }
        let table = entities.table(of: target)
        guard isMapped, let column = column(name, in: table) else { return nil }
        let bare = column.hasPrefix("Z") ? String(column.dropFirst()) : column
        let order = tables[table]?.first { $0.uppercased() == "Z_FOK_" + bare.uppercased() }
        let select: SQL = """
            SELECT NULL, \(name: CoreDataColumns.idColumn), NULL, NULL FROM \(name: table) \
            WHERE \(name: column) = ? ORDER BY \(names: [order, CoreDataColumns.idColumn].compactMap { $0 })
            """
        return (select, "\(table).\(column)")
    }

    /// The join table of a list, such as `Z_1TAGS` with the columns `Z_1PEOPLE` and `Z_2TAGS`.
    ///
    /// If the list is ordered, the table also has the column `Z_FOK_2TAGS`.
    private func pairs(_ name: String, of entity: CoreDataEntities.Entity) -> (select: SQL, table: String)? {
        let numbers = Set(entities.line(of: entity).map(\.number))
        for table in tables.keys.sorted() where CoreDataColumns.number(table) != nil {
            let columns = tables[table] ?? []
            let pair = columns.filter { CoreDataColumns.number($0) != nil }
            guard pair.count == 2,
                let target = pair.first(where: { CoreDataColumns.bare($0) == name.uppercased() }),
                let owner = pair.first(where: { $0 != target }),
                let number = CoreDataColumns.number(owner), numbers.contains(number)
            else { continue }
            let order = columns.first { $0.uppercased() == "Z_FOK_" + target.uppercased().dropFirst(2) }
            let select: SQL = """
                SELECT NULL, \(name: target), NULL, NULL FROM \(name: table) WHERE \(name: owner) = ? \
                ORDER BY \(names: [order, target].compactMap { $0 })
                """
            return (select, table)
        }
        return nil
    }

    /// The entity's number in a name such as `Z_1TAGS`; nil for other names.
    static func number(_ name: String) -> Int64? {
        guard name.uppercased().hasPrefix("Z_") else { return nil }
        let digits = name.dropFirst(2).prefix { $0.isASCII && $0.isNumber }
        return digits.isEmpty || digits.count == name.count - 2 ? nil : Int64(digits)
    }

    private static func bare(_ name: String) -> String {
        name.dropFirst(2).drop { $0.isASCII && $0.isNumber }.uppercased()
    }
}

// Elements: conditions on collections, and on lists inside values. It knows their tables and their JSON, and must not
// know the purpose of the results.

internal import StoreEngine

/// The source of the elements of one object's collection or inverse.
struct ElementSource {
    /// The tables, joined with the element's row if elements are objects.
    let from: SQL
    /// The tables without the element's row.
    let bareFrom: SQL
    /// The column of these tables that contains the owner's id.
    let key: SQL
    /// The column that contains the element: a value, or the id of an object.
    let value: SQL
    let valueAcceptsNull: Bool
    /// The codec of elements that are values, for their column.
    let valueCodec: PropertyCodec?
    /// The column that contains an element's key in a dictionary.
    let keyInDictionary: SQL?
    /// The element's row, if the element is an object.
    let element: QueryScope.Row?
    let ownerKey: SQL
    let owner: QueryScope.Row
    /// The condition that a row belongs to the owner.
    private let isOwners: SQL
    /// If one object can occur several times, the objects, and the condition that an object belongs to the owner.
    private var once: (from: SQL, isOwners: SQL)?
    /// Selects the objects on the other side that an inverse contains.
    private let filter: InverseFilter?

    init(_ property: Property, of owner: QueryScope.Row, _ classes: any ClassDirectory, newAlias: () -> String) throws {
        ownerKey = ElementSource.column("id", owner.alias)
        self.owner = owner
        if let child = ChildTable(property, of: owner.map) {
            let alias = newAlias()
            bareFrom = ElementSource.table(child.name, alias)
            key = ElementSource.column("owner_id", alias)
            value = ElementSource.column(child.valueColumn, alias)
            valueAcceptsNull = child.valueAcceptsNull
            valueCodec = child.target == nil ? (property.codec as? CollectionCodec)?.element : nil
            keyInDictionary = child.keyType.map { _ in ElementSource.column(ChildTable.keyColumn, alias) }
            isOwners = "\(key) = \(ownerKey)"
            filter = nil
            guard let target = child.target else {
                from = bareFrom
                element = nil
                return
            }
            let row = QueryScope.Row(map: try classes.map(of: target), alias: newAlias(), chain: [])
            from = ElementSource.join(bareFrom, row, try classes.rows(of: target, as: row.alias), value)
            element = row
            return
        }
        guard case .inverse = property.shape else {
            throw QueryError.notExpressible("\(owner.map.name).\(property.name) is not a collection")
        }
        let side = try InverseSide.of(property, in: owner.map)
        let row = QueryScope.Row(map: try classes.map(of: side.other.type), alias: newAlias(), chain: [])
        let rows = try classes.rows(of: side.other.type, as: row.alias)
        element = row
        valueAcceptsNull = false
        valueCodec = nil
        keyInDictionary = nil
        let other = side.other.properties[side.ordinal]
        filter = try InverseFilter(property.codec, of: row, classes, newAlias: newAlias)
        guard let child = ChildTable(other, of: side.other) else {
            from = rows + (filter?.joins ?? SQL())
            bareFrom = from
            key = ElementSource.column(other.column, row.alias)
            value = ElementSource.column("id", row.alias)
            let keyed = try KeyedReference(other, of: side.other, classes.dialect)
            isOwners = keyed?.refers(row.alias, to: owner.alias) ?? "\(key) = \(ownerKey)"
            return
        }
        let alias = newAlias()
        let links = ElementSource.table(child.name, alias)
        key = ElementSource.column(child.valueColumn, alias)
        value = ElementSource.column("owner_id", alias)
        from = ElementSource.join(links, row, rows, value) + (filter?.joins ?? SQL())
        bareFrom = filter == nil ? links : from
        isOwners = "\(key) = \(ownerKey)"
        // An array can refer to the owner twice, but the inverse contains the object once.
        if child.style == .array {
            let id = ElementSource.column("id", row.alias)
            once = (rows + (filter?.joins ?? SQL()), "\(id) IN (SELECT \(value) FROM \(links) WHERE \(isOwners))")
        }
    }

    /// The owner's elements, for a `FROM` clause; joined with the element's row on request.
    func rows(withElement: Bool, joined joins: SQL = SQL()) -> SQL {
        if let once { return "\(once.from)\(joins) WHERE \(filtered(once.isOwners))" }
        return "\(withElement ? from : bareFrom)\(joins) WHERE \(filtered(isOwners))"
    }

    /// The ids of the owners of elements that meet a condition, for an `IN` operator.
    func owners(withElement: Bool, joined joins: SQL = SQL(), where condition: SQL) -> SQL {
        "SELECT \(key) FROM \(withElement ? from : bareFrom)\(joins) WHERE \(filtered(condition))"
    }

    /// Pairs of an owner's id and the id of one of its elements, for owners that are bound as a list.
    func pairs(_ classes: any ClassDirectory) throws -> SQL {
        let owners = try classes.rows(of: owner.map.type, as: owner.alias)
        let isOne: SQL = "\(ownerKey) \(classes.dialect.isInList("?", .plain)) AND \(isOwners)"
        return "SELECT DISTINCT \(ownerKey), \(value) FROM \(owners), \(from) WHERE \(filtered(isOne)) ORDER BY 1, 2"
    }

    private func filtered(_ condition: SQL) -> SQL {
        filter.map { "(\(condition)) AND (\($0.condition))" } ?? condition
    }

    private static func column(_ column: String, _ table: String) -> SQL { "\(column: column, of: table)" }

    private static func table(_ table: String, _ alias: String) -> SQL { "\(name: table) AS \(name: alias)" }

    private static func join(_ start: SQL, _ row: QueryScope.Row, _ rows: SQL, _ id: SQL) -> SQL {
        "\(start) JOIN \(rows) ON \(column: "id", of: row.alias) = \(id)"
    }
}

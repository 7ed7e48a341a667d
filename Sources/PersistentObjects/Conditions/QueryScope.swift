internal import StoreEngine

/// The objects that a part of a query refers to: the query's objects at the top, or the elements of a collection in a
/// closure.
final class QueryScope {
    let map: ClassMap
    /// The alias of their rows in SQL.
    let alias: String
    /// Whether there may be no row, as on the right side of a left join.
    var mayBeMissing = false
    /// The tables of referenced objects that the query uses.
    private var tables: [(alias: String, sql: SQL)] = []
    private var joined: [Link: Row] = [:]

    private struct Link: Hashable {
        let alias: String
        let ordinal: Int
    }

    /// A row that a reference leads to.
    struct Row {
        let map: ClassMap
        let alias: String
        /// The aliases of this row and of the rows on the way to it that references lead to. Each of these rows may be
        /// missing.
        let chain: Set<String>

        /// Whether the row may be missing.
        var mayBeMissing: Bool { !chain.isEmpty }
    }

    init(_ map: ClassMap, alias: String) {
        self.map = map
        self.alias = alias
    }

    var row: Row { Row(map: map, alias: alias, chain: mayBeMissing ? [alias] : []) }

    /// Whether the query uses properties of referenced objects.
    var hasJoins: Bool { !tables.isEmpty }

    /// The joined tables of referenced objects. If a condition needs a row, its join is an inner join, so that SQLite
    /// may start with that table.
    func joins(needed: Set<String>) -> SQL {
        var joins = SQL()
        for table in tables {
            joins.append(needed.contains(table.alias) ? " JOIN \(table.sql)" : " LEFT JOIN \(table.sql)")
        }
        return joins
    }

    /// Joins a further table.
    func join(_ alias: String, _ sql: SQL) { tables.append((alias, sql)) }

    /// The row that a reference or a single inverse leads to. `newAlias` creates its alias at first use.
    func row(through ordinal: Int, of row: Row, _ classes: any ClassDirectory, newAlias: () -> String) throws -> Row {
        let link = Link(alias: row.alias, ordinal: ordinal)
        if let known = joined[link] { return known }
        let alias = newAlias()
        let property = row.map.properties[ordinal]
        let target: ClassMap
        let id: SQL
        var isReferred: SQL?
        switch property.shape {
        case .reference:
            guard let reference = property.codec as? ReferenceCodec else {
                throw QueryError.notALink(property, row.map)
            }
            target = try classes.map(of: reference.target)
            id = "\(column: property.column, of: row.alias)"
            isReferred = try KeyedReference(property, of: row.map, classes.dialect)?.refers(row.alias, to: alias)
        case .inverse:
            let source = try ElementSource(property, of: row, classes, newAlias: newAlias)
            guard let element = source.element, (property.codec as? InverseCodec)?.isSingle == true else {
                throw QueryError.notALink(property, row.map)
            }
            target = element.map
            // The file does not guarantee that at most one object refers to the row.
            id = "(SELECT min(\(column: "id", of: element.alias)) FROM \(source.rows(withElement: true)))"
        case .scalar, .collection: throw QueryError.notALink(property, row.map)
        }
        let rows = try target.rows(as: alias, classes.dialect)
        join(alias, "\(rows) ON \(isReferred ?? "\(column: "id", of: alias) = \(id)")")
        let found = Row(map: target, alias: alias, chain: row.chain.union([alias]))
        joined[link] = found
        return found
    }
}

extension QueryError {
    static func notALink(_ property: Property, _ map: ClassMap) -> QueryError {
        .notExpressible("\(map.name).\(property.name) does not refer to a single object. Use any { } with a collection")
    }
}

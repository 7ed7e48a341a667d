internal import StoreEngine

/// The objects that a part of a query speaks of: its own class's at the top, a collection's elements inside.
final class QueryScope {
    let map: ClassMap
    /// The alias of their rows in SQL.
    let alias: String
    /// Whether there may be no row, as on the right of a left join.
    var mayBeMissing = false
    /// The tables of what they refer to, as far as the query asks.
    private var tables: [(alias: String, sql: SQL)] = []
    private var joined: [Link: Row] = [:]

    private struct Link: Hashable {
        let alias: String
        let place: Int
    }

    /// A row that an object's reference leads to.
    struct Row {
        let map: ClassMap
        let alias: String
        /// The names of the rows that references lead to on the way here, and here: each of these may be missing.
        let chain: Set<String>

        /// Whether there may be none.
        var mayBeMissing: Bool { !chain.isEmpty }
    }

    init(_ map: ClassMap, alias: String) {
        self.map = map
        self.alias = alias
    }

    var row: Row { Row(map: map, alias: alias, chain: mayBeMissing ? [alias] : []) }

    /// Whether what the objects refer to is asked for.
    var hasJoins: Bool { !tables.isEmpty }

    /// The tables of what the objects refer to, joined. SQLite may begin with those that a condition needs to hold.
    func joins(needed: Set<String>) -> SQL {
        var joins = SQL()
        for table in tables {
            joins.append(needed.contains(table.alias) ? " JOIN \(table.sql)" : " LEFT JOIN \(table.sql)")
        }
        return joins
    }

    /// Joins a further table.
    func join(_ alias: String, _ sql: SQL) { tables.append((alias, sql)) }

    /// The row that a reference, or an inverse of one object, leads to; `newAlias` names it where it was not asked for
    /// before.
    func row(behind place: Int, of row: Row, _ classes: any ClassDirectory, newAlias: () -> String) throws -> Row {
        let link = Link(alias: row.alias, place: place)
        if let known = joined[link] { return known }
        let alias = newAlias()
        let property = row.map.properties[place]
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
            // Nothing in the file says that there is one at most.
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

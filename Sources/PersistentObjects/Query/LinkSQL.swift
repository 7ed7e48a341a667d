internal import StoreEngine

/// How the rows that a link leads to are found from the row that has it.
///
/// The subqueries stand for themselves, so that the tables on a path can be the
/// same one, and SQLite can use the indexes at both of their ends.
struct LinkSQL {
    private enum Form {
        /// The id of the other row in a column.
        case reference(column: String, target: String)
        /// The ids of the other rows in a child table.
        case elements(ChildTable)
        /// The other rows have this row's id in a column, or in a child table of theirs.
        case inverse(column: String, ClassSQL)
        case inverseElements(ChildTable, ClassSQL)
    }

    /// The table of the class that has the link.
    let table: String
    private let form: Form
    /// Whether there is one object at most, or none.
    let isToOne: Bool
    /// The class on the other side; nil for a collection of values.
    let target: ClassMap?

    /// The link that a property is; nil for one that is none.
    init?(_ property: Property, of map: ClassMap, _ session: Session) throws {
        table = map.table
        switch property.shape {
        case .scalar: return nil
        case .reference:
            guard let reference = property.codec as? ReferenceCodec else { return nil }
            let target = try session.space(of: reference.target).map
            self.target = target
            form = .reference(column: property.column, target: target.table)
            isToOne = true
        case .collection:
            guard let child = ChildTable(property, of: map) else { return nil }
            target = try child.target.map { try session.space(of: $0).map }
            form = .elements(child)
            isToOne = false
        case .inverse:
            guard let inverse = property.codec as? InverseCodec else { return nil }
            let side = try InverseSide.of(property, in: map)
            let space = try session.space(of: side.other.type)
            target = space.map
            let other = side.other.properties[side.place]
            if let child = ChildTable(other, of: side.other) {
                form = .inverseElements(child, space.sql)
            } else {
                form = .inverse(column: other.column, space.sql)
            }
            isToOne = inverse.isSingle
        }
    }

    /// The column, where it has the other row's id.
    var referenceColumn: String? {
        if case .reference(let column, _) = form { column } else { nil }
    }

    /// Appends that one of the other rows meets a condition, up to where the condition stands; so many `)` end it.
    func appendOpening(to sql: inout SQL) -> Int {
        appendKey(to: &sql)
        sql.append(" IN (SELECT ")
        switch form {
        case .reference(_, let target):
            sql.append("\"id\" FROM ")
            sql.append(identifier: target)
            sql.append(" WHERE ")
            return 1
        case .elements(let child):
            sql.append("\"owner_id\" FROM ")
            sql.append(identifier: child.name)
            sql.append(" WHERE \"value_id\" IN (SELECT \"id\" FROM ")
            sql.append(identifier: target?.table ?? "")
            sql.append(" WHERE ")
            return 2
        case .inverse(let column, let other):
            sql.append(identifier: column)
            sql.append(" FROM ")
            other.appendSource(to: &sql)
            sql.append(" WHERE ")
            return 1
        case .inverseElements(let child, let other):
            sql.append("\"value_id\" FROM ")
            sql.append(identifier: child.name)
            sql.append(" WHERE \"owner_id\" IN (SELECT \"id\" FROM ")
            other.appendSource(to: &sql)
            sql.append(" WHERE ")
            return 2
        }
    }

    /// Appends that an element equals an argument, or that the id of one of the other rows does.
    func appendContains(to sql: inout SQL) {
        appendKey(to: &sql)
        switch form {
        case .reference: sql.append(" = ?")
        case .elements(let child):
            sql.append(" IN (SELECT \"owner_id\" FROM ")
            sql.append(identifier: child.name)
            sql.append(" WHERE ")
            sql.append(identifier: child.valueColumn)
            sql.append(child.valueAcceptsNull ? " IS ?)" : " = ?)")
        case .inverse(let column, let other):
            sql.append(" IN (SELECT ")
            sql.append(identifier: column)
            sql.append(" FROM ")
            other.appendSource(to: &sql)
            sql.append(" WHERE \"id\" = ?)")
        case .inverseElements(let child, _):
            sql.append(" IN (SELECT \"value_id\" FROM ")
            sql.append(identifier: child.name)
            sql.append(" WHERE \"owner_id\" = ?)")
        }
    }

    /// Appends that there is nothing on the other side, or that there is something.
    func appendEmptiness(_ isEmpty: Bool, to sql: inout SQL) {
        appendKey(to: &sql)
        if case .reference = form { return sql.append(isEmpty ? " IS NULL" : " IS NOT NULL") }
        sql.append(isEmpty ? " NOT IN (SELECT " : " IN (SELECT ")
        switch form {
        case .reference: break
        case .elements(let child):
            sql.append("\"owner_id\" FROM ")
            sql.append(identifier: child.name)
        case .inverse(let column, let other):
            sql.append(identifier: column)
            sql.append(" FROM ")
            other.appendSource(to: &sql)
            // One NULL in a list would make each `NOT IN` unknown.
            sql.append(" WHERE ")
            sql.append(identifier: column)
            sql.append(" IS NOT NULL")
        case .inverseElements(let child, let other):
            sql.append("\"value_id\" FROM ")
            sql.append(identifier: child.name)
            sql.append(" WHERE \"owner_id\" IN (SELECT \"id\" FROM ")
            other.appendSource(to: &sql)
            sql.append(")")
        }
        sql.append(")")
    }

    private func appendKey(to sql: inout SQL) { sql.append(column: referenceColumn ?? "id", of: table) }
}

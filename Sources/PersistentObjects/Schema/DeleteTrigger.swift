internal import StoreEngine

/// The trigger that does in the file what a property's delete rule says: for deletions by others, in SQL.
///
/// The library's own deletions have cleared the links before, so that it finds
/// nothing.
struct DeleteTrigger: Equatable {
    /// What the refusal of a rule that denies ends in.
    static let denial = " denies the deletion"

    let name: String
    let className: String
    let property: String
    let column: String
    let sql: SQL

    /// Those of a class's properties, inherited ones too.
    static func triggers(of map: ClassMap) throws -> [DeleteTrigger] {
        try map.properties.compactMap { property in
            guard property.deleteRule != .nullify else { return nil }
            return try DeleteTrigger(property, of: map)
        }
    }

    /// Names end in the rule, and for a subclass's property, which a sibling may share the column with, in the class.
    static func ending(
        _ rule: DeleteRule, declarer: PersistentObject.Type, root: PersistentObject.Type
    ) -> String {
        let ending = rule == .cascade ? ".cascade" : ".deny"
        return declarer == root ? ending : "\(ending).\(declarer)"
    }

    /// Nil where the property has no links.
    private init?(_ property: Property, of map: ClassMap) throws {
        switch property.shape {
        case .scalar: return nil
        case .reference:
            guard let codec = property.codec as? ReferenceCodec else { return nil }
            let target = try ClassMap.map(of: codec.target).table
            self.init(property, of: map, reference: property.column, to: target)
        case .collection:
            guard let child = ChildTable(property, of: map), let target = child.target else { return nil }
            self.init(property, of: map, collection: child, to: try ClassMap.map(of: target).table)
        case .inverse: self.init(property, of: map, inverse: try InverseSide.of(property, in: map))
        }
    }

    private init(_ property: Property, of map: ClassMap, _ make: (inout SQL, SQLLiteral?) -> Void) {
        let declarer = ClassLineage.declarer(of: property, in: map)
        className = String(describing: declarer)
        self.property = property.name
        column = property.column
        name =
            "\(map.table).\(property.column)"
            + DeleteTrigger.ending(property.deleteRule, declarer: declarer, root: map.root)
        var sql = SQL("CREATE TRIGGER ")
        sql.append(identifier: name)
        let denial = SQLLiteral(.text("\(className).\(property.name)\(DeleteTrigger.denial)"))
        make(&sql, property.deleteRule == .deny ? denial ?? SQLLiteral(.text("the deletion is denied")) : nil)
        sql.append("; END")
        self.sql = sql
    }

    private init(_ property: Property, of map: ClassMap, reference column: String, to target: String) {
        self.init(property, of: map) { sql, denial in
            if let denial {
                sql.append(" BEFORE DELETE ON ")
                sql.append(identifier: target)
                sql.append(" WHEN EXISTS (")
                sql.append(rowsOf: map.table, whose: column)
                // Who refers to itself may go.
                if target == map.table { sql.append(" AND \"id\" <> OLD.\"id\"") }
                sql.append(denial: denial)
            } else {
                // Behind: where two refer to each other the first is gone when the second comes back to it.
                sql.append(" AFTER DELETE ON ")
                sql.append(identifier: map.table)
                sql.append(" WHEN OLD.")
                sql.append(identifier: column)
                sql.append(" IS NOT NULL BEGIN DELETE FROM ")
                sql.append(identifier: target)
                sql.append(" WHERE \"id\" = OLD.")
                sql.append(identifier: column)
            }
        }
    }

    init(_ property: Property, of map: ClassMap, collection child: ChildTable, to target: String) {
        self.init(property, of: map) { sql, denial in
            sql.append(" BEFORE DELETE ON ")
            sql.append(identifier: map.table)
            if let denial {
                sql.append(" WHEN EXISTS (")
                sql.append(rowsOf: child.name, whose: ChildTable.ownerColumn)
                sql.append(denial: denial)
            } else {
                sql.append(" BEGIN DELETE FROM ")
                sql.append(identifier: target)
                sql.append(
                    idsIn: child.name, child.valueColumn, whose: ChildTable.ownerColumn)
            }
        }
    }

    init(_ property: Property, of map: ClassMap, inverse side: InverseSide) {
        let child = ChildTable(side.property, of: side.other)
        self.init(property, of: map) { sql, denial in
            sql.append(" BEFORE DELETE ON ")
            sql.append(identifier: map.table)
            if let denial {
                sql.append(" WHEN EXISTS (")
                sql.append(
                    rowsOf: child?.name ?? side.other.table,
                    whose: child?.valueColumn ?? side.property.column)
                if child == nil, side.other.table == map.table { sql.append(" AND \"id\" <> OLD.\"id\"") }
                sql.append(denial: denial)
            } else {
                sql.append(" BEGIN DELETE FROM ")
                sql.append(identifier: side.other.table)
                if let child {
                    sql.append(idsIn: child.name, ChildTable.ownerColumn, whose: child.valueColumn)
                } else {
                    sql.append(" WHERE ")
                    sql.append(identifier: side.property.column)
                    sql.append(" = OLD.\"id\"")
                }
            }
        }
    }
}

extension SQL {
    fileprivate mutating func append(rowsOf table: String, whose column: String) {
        append("SELECT 1 FROM ")
        append(identifier: table)
        append(" WHERE ")
        append(identifier: column)
        append(" = OLD.\"id\"")
    }

    fileprivate mutating func append(denial: SQLLiteral) {
        append(") BEGIN SELECT RAISE(ABORT, ")
        append(literal: denial)
        append(")")
    }

    fileprivate mutating func append(idsIn table: String, _ column: String, whose owner: String) {
        append(" WHERE \"id\" IN (SELECT ")
        append(identifier: column)
        append(" FROM ")
        append(identifier: table)
        append(" WHERE ")
        append(identifier: owner)
        append(" = OLD.\"id\")")
    }
}

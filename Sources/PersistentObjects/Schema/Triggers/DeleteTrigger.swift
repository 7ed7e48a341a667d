// Triggers: the triggers of delete rules, search indexes and histories, which run for every program that writes rows.
// It knows plans and the contents of the file, and must know neither sessions nor objects.

internal import StoreEngine

/// The trigger that implements a property's delete rule in the file, for deletions by other programs, in SQL.
///
/// It finds no rows in deletions by the library, which clears the links before.
struct DeleteTrigger: Equatable {
    let name: String
    let className: String
    let property: String
    let column: String
    let sql: SQL

    /// The triggers of a class's properties, including inherited properties.
    static func triggers(of map: ClassMap, _ dialect: Dialect) throws -> [DeleteTrigger] {
        try map.properties.compactMap { property in
            guard property.deleteRule != .nullify, property.linkedClass?.origin.isOwn != false else { return nil }
            return try DeleteTrigger(property, of: map, dialect)
        }
    }

    /// The end of a trigger's name: the rule and, for a subclass's property, the class, because a sibling class may
    /// share the column.
    static func ending(
        _ rule: DeleteRule, declarer: PersistentObject.Type, root: PersistentObject.Type
    ) -> String {
        let ending = rule == .cascade ? ".cascade" : ".deny"
        return declarer == root ? ending : "\(ending).\(declarer)"
    }

    /// Nil if the property has no links.
    private init?(_ property: Property, of map: ClassMap, _ dialect: Dialect) throws {
        switch property.shape {
        case .scalar: return nil
        case .reference:
            guard let codec = property.codec as? ReferenceCodec else { return nil }
            let target = try ClassMap.map(of: codec.target).table
            self.init(property, of: map, Rule(property, of: map, reference: property.column, to: target), dialect)
        case .collection:
            guard let child = ChildTable(property, of: map), let target = child.target else { return nil }
            let other = try ClassMap.map(of: target)
            self.init(property, of: map, Rule(property, of: map, collection: child, to: other), dialect)
        case .inverse: self.init(property, of: map, inverse: try InverseSide.of(property, in: map), dialect)
        }
    }

    init(_ property: Property, of map: ClassMap, inverse side: InverseSide, _ dialect: Dialect) {
        self.init(property, of: map, Rule(property, of: map, inverse: side), dialect)
    }

    private init(_ property: Property, of map: ClassMap, _ rule: Rule, _ dialect: Dialect) {
        let declarer = ClassLineage.declarer(of: property, in: map)
        className = String(describing: declarer)
        self.property = property.name
        column = property.column
        name =
            "\(map.table).\(property.column)"
            + DeleteTrigger.ending(property.deleteRule, declarer: declarer, root: map.root)
        sql = dialect.deleteTrigger(
            DeleteTriggerText(
                name: name, table: rule.table, actsAfterwards: rule.actsAfterwards, condition: rule.condition,
                action: rule.statement.map { .run($0) } ?? .deny(rule: "\(className).\(property.name)")))
    }
}

/// The effect of one property's trigger.
private struct Rule {
    /// The table whose rows are deleted.
    let table: String
    var actsAfterwards = false
    var condition: SQL?
    /// Nil if the deletion is denied.
    var statement: SQL?

    init(_ property: Property, of map: ClassMap, reference column: String, to target: String) {
        if property.deleteRule == .deny {
            table = target
            // A row that refers to itself may be deleted.
            condition = Rule.exists(map, column, exceptItself: target == map.table)
        } else {
            table = map.table
            // An AFTER trigger, so that if two rows refer to each other, the first row no longer exists when the
            // trigger of the second row runs.
            actsAfterwards = true
            condition = "OLD.\(name: column) IS NOT NULL"
            statement = "DELETE FROM \(name: target) WHERE \"id\" = OLD.\(name: column)"
        }
    }

    init(_ property: Property, of map: ClassMap, collection child: ChildTable, to target: ClassMap) {
        table = map.table
        if property.deleteRule == .deny {
            condition = Rule.exists(child, ChildTable.ownerColumn, of: target, child.valueColumn)
        } else {
            statement = Rule.delete(target.table, in: child, child.valueColumn, whose: ChildTable.ownerColumn)
        }
    }

    init(_ property: Property, of map: ClassMap, inverse side: InverseSide) {
        table = map.table
        let other = side.other.table
        switch (ChildTable(side.property, of: side.other), property.deleteRule) {
        case (let child?, .deny):
            condition = Rule.exists(child, child.valueColumn, of: side.other, ChildTable.ownerColumn)
        case (let child?, _):
            statement = Rule.delete(other, in: child, ChildTable.ownerColumn, whose: child.valueColumn)
        case (nil, .deny):
            condition = Rule.exists(side.other, side.property.column, exceptItself: other == map.table)
        case (nil, _): statement = "DELETE FROM \(name: other) WHERE \(name: side.property.column) = OLD.\"id\""
        }
    }

    /// The condition that rows refer to the deleted row and are not softly deleted.
    private static func exists(_ map: ClassMap, _ column: String, exceptItself: Bool = false) -> SQL {
        let others: SQL = exceptItself ? " AND \"id\" <> OLD.\"id\"" : ""
        let living: SQL = map.softDeleteColumn.map { " AND \(name: $0) IS NULL" } ?? ""
        return "EXISTS (SELECT 1 FROM \(name: map.table) WHERE \(name: column) = OLD.\"id\"\(others)\(living))"
    }

    /// The same for rows linked to the deleted row through a collection's table.
    private static func exists(_ child: ChildTable, _ column: String, of map: ClassMap, _ other: String) -> SQL {
        let tied: SQL = "SELECT \(names: [other]) FROM \(name: child.name) WHERE \(name: column) = OLD.\"id\""
        guard let living = map.softDeleteColumn else {
            return "EXISTS (SELECT 1 FROM \(name: child.name) WHERE \(name: column) = OLD.\"id\")"
        }
        return "EXISTS (SELECT 1 FROM \(name: map.table) WHERE \(name: living) IS NULL AND \"id\" IN (\(tied)))"
    }

    /// Deletes the rows linked to the deleted row in a collection's table.
    private static func delete(
        _ target: String, in child: ChildTable, _ column: String, whose owner: String
    ) -> SQL {
        """
        DELETE FROM \(name: target) WHERE "id" IN \
        (SELECT \(name: column) FROM \(name: child.name) WHERE \(name: owner) = OLD."id")
        """
    }
}

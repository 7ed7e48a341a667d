internal import StoreEngine

// Checks of references, and of the rows of collections.
extension IntegrityCheck {
    /// Finds rows with a dangling reference, or with a reference to a row of a class that it cannot hold.
    func checkReference(_ property: Property, of map: ClassMap) throws {
        guard let target = property.linkedClass else { return }
        for column in property.columns { checkedReferences.insert([map.table, column].map(Naming.folded)) }
        // A dangling key reads as nil; a foreign key reports it.
        if map.foreign != nil, !target.primaryKey.isEmpty {
            return property.columns.forEach { checkedReferences.remove([map.table, $0].map(Naming.folded)) }
        }
        let rows = try map.rows(as: "row", session.dialect)
        try checkTargets(target, property, of: map, table: map.table, rows, "id", property.column)
    }

    private func checkTargets(
        _ type: PersistentObject.Type, _ property: Property, of map: ClassMap, table name: String, _ rows: SQL,
        _ id: String, _ column: String
    ) throws {
        let target = try ClassMap.map(of: type)
        guard try table(target.table) != nil else { return }
        checkedReferences.insert([Naming.folded(name), Naming.folded(column)])
        let (row, other): (SQL, SQL) = ("\(column: column, of: "row")", "\(column: "id", of: "other")")
        let found = try wanted(target).map { "\(other) = \(row) AND \($0)" as SQL } ?? "\(other) = \(row)"
        try forEachRow(
            """
            SELECT \(column: id, of: "row"), \(row) FROM \(rows) WHERE \(row) IS NOT NULL \
            AND NOT EXISTS (SELECT 1 FROM \(try target.rows(as: "other", session.dialect)) WHERE \(found)) ORDER BY 1
            """
        ) { result in
            guard let owner = result.column(0).integer, let missing = result.column(1).integer else { return }
            try add(
                .reference, "it refers to \(target.name) #\(missing), which does not exist or is of another class",
                map.name,
                property.name, table: name, rowID: owner)
        }
    }

    /// The condition for rows of a class; nil if all rows of its table belong to it.
    private func wanted(_ map: ClassMap) throws -> SQL? {
        guard !map.isRoot, session.store.classes.hasClassColumn(map) else { return nil }
        let family = session.store.classes.relatives(of: map).filter { $0.derives(from: map) }
        let names = family.compactMap { SQLLiteral(.text($0.name)) }.map { "\(literal: $0)" as SQL }
        return "\(column: "class", of: "other") IN (\(list: names))"
    }

    /// Checks the rows of a collection.
    func checkCollection(_ property: Property, of map: ClassMap, ownerColumns: Set<String>) throws {
        guard let child = ChildTable(property, of: map), let codec = property.codec as? CollectionCodec else { return }
        guard try table(child.name) != nil else {
            return try add(
                .missingTable, "the table of its elements, \(child.name), does not exist. Prepare the class", map.name,
                property.name, table: child.name)
        }
        try checkOwners(child, property, of: map)
        if property.hasColumn, ownerColumns.contains(Naming.folded(property.column)) {
            try checkNil(child, property, of: map)
        }
        if let target = child.target {
            try checkTargets(
                target, property, of: map, table: child.name, "\(name: child.name) AS \"row\"", ChildTable.ownerColumn,
                child.valueColumn)
        }
        try checkElements(child, codec, property, of: map)
    }

    private func checkOwners(_ child: ChildTable, _ property: Property, of map: ClassMap) throws {
        checkedReferences.insert([child.name, ChildTable.ownerColumn].map(Naming.folded))
        let owner: SQL = "\(column: ChildTable.ownerColumn, of: "row")"
        try forEachRow(
            """
            SELECT \(owner), count(*) FROM \(name: child.name) AS "row" WHERE NOT EXISTS (SELECT 1 \
            FROM \(name: child.ownerTable) AS "owner" WHERE \(column: "id", of: "owner") = \(owner)) GROUP BY 1
            """
        ) { row in
            let count = row.integer(1)
            try add(
                .orphan, "\(count) element\(count == 1 ? " belongs" : "s belong") to a row that does not exist",
                map.name,
                property.name, table: child.name, rowID: row.integer(0))
        }
    }

    /// The condition for rows of classes that have a collection; empty if all rows of the table have it. The file keeps
    /// the elements of other rows if the property has moved to a subclass.
    private func owners(of property: Property, in map: ClassMap) -> SQL {
        guard property.level > map.rootLevel, session.store.classes.hasClassColumn(map) else { return "" }
        let family = session.store.classes.relatives(of: map).filter { relative in
            relative.properties.contains {
                $0.isCollection && Naming.folded($0.column) == Naming.folded(property.column)
            }
        }
        let names = family.compactMap { SQLLiteral(.text($0.name)) }.map { "\(literal: $0)" as SQL }
        return "\(column: "class", of: "owner") IN (\(list: names))"
    }

    private func checkNil(_ child: ChildTable, _ property: Property, of map: ClassMap) throws {
        let id: SQL = "\(column: "id", of: "owner")"
        let isNil: SQL = "\(column: property.column, of: "owner") IS NULL"
        try forEachRow(
            """
            SELECT \(id) FROM \(name: child.ownerTable) AS "owner" \
            WHERE \(SQL.and([isNil, owners(of: property, in: map)])) AND EXISTS (SELECT 1 \
            FROM \(name: child.name) AS "row" WHERE \(column: ChildTable.ownerColumn, of: "row") = \(id)) ORDER BY 1
            """
        ) { row in
            try add(
                .collection, "it is nil but has elements", map.name, property.name, table: child.name,
                rowID: row.integer(0))
        }
    }

    /// Reads every element, and the keys of dictionaries.
    private func checkElements(
        _ child: ChildTable, _ codec: CollectionCodec, _ property: Property, of map: ClassMap
    ) throws {
        var reader = ElementReader(codec, isLink: child.target != nil)
        // In primary key order.
        let key = [ChildTable.ownerColumn, child.orderColumn]
        try forEachRow(
            "SELECT \(names: key + [child.valueColumn]) FROM \(name: child.name) ORDER BY \(names: key)"
        ) { row in
            try countRow()
            let owner = row.integer(0)
            guard let (kind, message) = reader.fault(of: row, owner) else { return }
            try add(kind, message, map.name, property.name, table: child.name, rowID: owner)
        }
    }
}

/// Reads the elements of one collection at a time, and reports the unreadable elements.
private struct ElementReader {
    private let codec: CollectionCodec
    private let isLink: Bool
    private let memory: ElementMemory
    private let keyMemory: ElementMemory?
    /// Used for sets and dictionaries of values, because elements can be equal in Swift and different in SQLite.
    private let builder: CollectionBuilder?
    private var owner: Int64?
    private var position: Int64?

    init(_ codec: CollectionCodec, isLink: Bool) {
        self.codec = codec
        self.isLink = isLink
        memory = ElementMemory(codec.element)
        keyMemory = codec.key.map { ElementMemory($0) }
        builder = isLink || codec.style == .array ? nil : codec.makeBuilder()
    }

    /// The columns are the owner, the position or key, and the value.
    mutating func fault(of row: Statement, _ owner: Int64) -> (IntegrityReport.Kind, String)? {
        if owner != self.owner {
            self.owner = owner
            position = nil
            builder?.begin()
        }
        if codec.style == .array {
            guard let place = row.column(1).integer else { return (.collection, "a position is not a number") }
            defer { position = place }
            if place == position { return (.collection, "two elements have the position \(place)") }
        }
        do throws(ValueFault) {
            try read(row)
            return nil
        } catch { return (.value, codec.style == .dictionary ? "a key or value: \(error)" : "an element: \(error)") }
    }

    private func read(_ row: Statement) throws(ValueFault) {
        let value = row.column(2)
        if let builder {
            return try builder.append(key: codec.style == .dictionary ? row.column(1) : nil, value: value)
        }
        if let key = codec.key, let keyMemory {
            try key.create(row.column(1), at: keyMemory.address)
            key.destroy(keyMemory.address)
        }
        if isLink {
            guard value.integer != nil else { throw value.mismatch(expected: "INTEGER") }
        } else {
            try codec.element.create(value, at: memory.address)
            codec.element.destroy(memory.address)
        }
    }
}

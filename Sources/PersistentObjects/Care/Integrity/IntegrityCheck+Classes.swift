internal import StoreEngine

// Checks of class tables: their structure, and every value in them.
extension IntegrityCheck {
    /// The alias of a class's rows in a statement.
    static let rows = "checked rows"

    /// Checks the classes of one table.
    func check(_ family: [ClassMap]) throws {
        guard let map = family.first else { return }
        // Several classes can map the same existing table; each class is checked separately.
        if map.foreign != nil, family.count > 1 { return try family.forEach { try check([$0]) } }
        guard let description = try table(map.table) else {
            return try add(.missingTable, "its table does not exist. Prepare the class", map.name, table: map.table)
        }
        let columns = Set(description.columns.map { Naming.folded($0.name) })
        var missing: Set<String> = []
        for map in family {
            for property in map.properties where property.hasColumn {
                for column in property.columns
                where !columns.contains(Naming.folded(column)) && missing.insert(column).inserted {
                    try add(
                        .missingColumn, "its column \(column) does not exist. Prepare the class", map.name,
                        property.name, table: map.table)
                }
            }
        }
        let classes = try knownClasses(family, hasClassColumn: columns.contains("class"))
        try checkValues(of: map, classes, columns)
        if map.foreign == nil { try checkSequence(of: map, description) }
        var seen: Set<String> = []
        for map in family {
            for property in map.properties where seen.insert(property.column).inserted {
                switch property.shape {
                case .reference where property.columns.allSatisfy { columns.contains(Naming.folded($0)) }:
                    try checkReference(property, of: map)
                case .collection: try checkCollection(property, of: map, ownerColumns: columns)
                case .scalar, .reference, .inverse: break
                }
            }
        }
    }

    /// The classes of the rows, by their class names; by nil if the table has no class column.
    private func knownClasses(_ family: [ClassMap], hasClassColumn: Bool) throws -> [String?: ClassMap] {
        let map = family.first { $0.isRoot } ?? family[0]
        guard hasClassColumn, session.store.classes.hasClassColumn(map) else { return [nil: map] }
        var classes: [String?: ClassMap] = [:]
        for map in family { classes[map.name] = map }
        var unknown: [(name: String, count: Int64, first: Int64)] = []
        try forEachRow("SELECT \"class\", count(*), min(\"id\") FROM \(name: map.table) GROUP BY 1") { row in
            // A value that is not text is found together with the other values.
            guard let name = try? String.read(row.column(0)), classes[name] == nil else { return }
            if let type = ClassResolver.subclass(named: name, of: map.root), let found = try? ClassMap.map(of: type) {
                classes[name] = found
            } else {
                unknown.append((name, row.integer(1), row.integer(2)))
            }
        }
        for (name, count, first) in unknown {
            try add(
                .unknownClass,
                "\(count) row\(count == 1 ? " is" : "s are") of class \(VisibleText.of(name)), which this program "
                    + "does not have or cannot find by its name. Prepare the class if the program has it", map.name,
                table: map.table,
                rowID: first)
        }
        return classes
    }

    private func checkValues(
        of root: ClassMap, _ classes: [String?: ClassMap], _ columns: Set<String>
    ) throws {
        let table = root.table
        var names: [String] = []
        var readers: [String?: ValueReader] = [:]
        for (name, map) in classes.sortedUnspecialized(by: { ($0.key ?? "") < ($1.key ?? "") }) {
            let properties = map.properties.filter { property in
                property.hasColumn && property.columns.allSatisfy { columns.contains(Naming.folded($0)) }
            }
            for property in properties where !names.contains(property.column) { names.append(property.column) }
            let places = properties.map { Int32(names.firstIndex(of: $0.column) ?? 0) + 2 }
            readers[name] = ValueReader(map, properties, places)
        }
        let isMixed = readers[nil] == nil
        let className: SQL = isMixed ? "\"class\"" : "NULL"
        let chosen = ["\"id\"", className] + names.map { "\(name: $0)" as SQL }
        let rows = try root.rows(as: IntegrityCheck.rows, session.dialect)
        try forEachRow("SELECT \(list: chosen) FROM \(rows) ORDER BY \"id\"") { row in
            try countRow()
            let id = row.integer(0)
            guard isMixed else { return try readers[nil]?.check(row, id, self) ?? () }
            let name: String
            do throws(ValueFault) { name = try String.read(row.column(1)) } catch {
                return try add(.unknownClass, "its class cannot be read: \(error)", table: table, rowID: id)
            }
            // A row of an unknown class was already reported.
            try readers[name]?.check(row, id, self)
        }
    }

    /// Checks that the next row gets an id that no row has had.
    private func checkSequence(of map: ClassMap, _ table: TableDescription) throws {
        guard let upkeep, !table.isView, !table.reusesIDs,
            case .integer(let greatest)? = try session.connection.value("SELECT max(\"id\") FROM \(name: map.table)"),
            greatest > 0
        else { return }
        let recorded = try upkeep.greatestID(of: table.name) ?? 0
        guard recorded < greatest else { return }
        try add(
            .idSequence,
            "the recorded largest id is \(recorded), but row \(greatest) exists, so an id could be reused after this "
                + "row is deleted", map.name, table: map.table, rowID: greatest)
    }
}

/// Reads the values of one class's rows, and reports the unreadable values.
private final class ValueReader {
    private let map: ClassMap
    private let fields: [(property: Property, place: Int32, memory: ElementMemory)]

    /// - Parameter places: The positions of the properties' values in a row.
    init(_ map: ClassMap, _ properties: [Property], _ places: [Int32]) {
        self.map = map
        fields = zip(properties, places).map { ($0, $1, ElementMemory($0.codec)) }
    }

    func check(_ row: Statement, _ id: Int64, _ check: IntegrityCheck) throws {
        for field in fields {
            if let sealing = field.property.sealing {
                try checkSealed(row, id, check, field, sealing)
                continue
            }
            guard let fault = fault(of: row.column(field.place), field.property, field.memory) else { continue }
            try check.add(
                field.property.isKey ? .key : .value, "\(fault)", map.name, field.property.name, table: map.table,
                rowID: id)
        }
    }

    /// Decrypts a value, and reads it. A value without a key in the keyring cannot be checked.
    private func checkSealed(
        _ row: Statement, _ id: Int64, _ check: IntegrityCheck,
        _ field: (property: Property, place: Int32, memory: ElementMemory), _ sealing: PropertySealing
    ) throws {
        guard let sealed = check.session.store.sealed else { return }
        func add(_ message: String) throws {
            try check.add(.value, message, map.name, field.property.name, table: map.table, rowID: id)
        }
        let keyPlace = fields.first { $0.property.isKey }?.place
        do {
            let key = try keyPlace.map { try row.column($0).value() } ?? .null
            let value = try sealed.value(
                try row.column(field.place).value(), sealing.context, key: key, check.session.connection)
            let fault: ValueFault? = try value.withCell { (cell) throws(ValueFault) in
                self.fault(of: cell, field.property, field.memory)
            }
            if let fault { try add("\(fault)") }
        } catch let error as StoreError where error.code == .damaged {
            try add(error.message)
        } catch let error as StoreError where error.code == .locked || error.code == .wrongKey {
            check.countLocked()
        } catch let fault as ValueFault {
            try add("\(fault)")
        }
    }

    private func fault(of cell: Cell, _ property: Property, _ memory: ElementMemory) -> ValueFault? {
        do throws(ValueFault) {
            guard case .scalar = property.shape else {
                // A reference's id, or whether a collection is nil.
                guard cell.isNull || cell.integer != nil else { throw cell.mismatch(expected: "INTEGER") }
                return nil
            }
            try property.codec.create(cell, at: memory.address)
            defer { property.codec.destroy(memory.address) }
            // A value that can be read as a key may still be invalid.
            if property.isKey { _ = try property.codec.encode(memory.address) }
            return nil
        } catch { return error }
    }
}

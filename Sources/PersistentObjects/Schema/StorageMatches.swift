internal import StoreEngine

/// The file's storage for one name in a class's table: a column, the table of a collection, or both. If there is a
/// table, the column is the flag that distinguishes a nil collection from an empty collection, and never a value.
struct FoundStorage {
    /// The name of the column, which is the suffix of the name of a collection's table.
    let name: String
    let column: ColumnDescription?
    let table: TableDescription?

    /// Whether the property uses the column for the same purpose as the file, possibly with other values.
    func keepsColumn(for property: Property) -> Bool {
        property.hasColumn && column != nil && (table != nil) == property.isCollection
    }
}

/// The assignment of the file's columns and tables to the properties of a class, by their present and former names.
///
/// Each column, and each table of a collection, belongs to at most one property. A former name can be the present name
/// of another property, which takes its values from a third property: `a` became `b`, and the former `b` became `c`. If
/// names are exchanged, only the file's record shows whether the exchange was already done.
struct StorageMatches {
    typealias Rename = (found: FoundStorage, property: Property)

    /// The renamed properties. Except in an exchange, the order ensures that each new name is free when it is needed.
    private(set) var renames: [Rename] = []
    /// Whether a new name is another property's former name.
    private(set) var isExchange = false
    /// The storage by the names of the properties, and of embedded values whose fields have no columns yet.
    private var claimed: [String: FoundStorage] = [:]
    private var unclaimed: [String: FoundStorage] = [:]

    /// - Parameters:
    ///   - tables: The tables of the collections, by their folded names without the name of the class's table.
    ///   - settled: The tables that already have the names of their properties, so that former names are ignored.
    ///   - record: The record of the class that has the property.
    init(
        _ map: ClassMap, _ columns: [ColumnDescription], _ tables: [String: TableDescription] = [:],
        settled: Set<String> = [], record: (Property) -> ClassRecord?
    ) throws {
        for column in columns {
            let name = Naming.folded(column.name)
            unclaimed[name] = unclaimed[name] ?? FoundStorage(name: column.name, column: column, table: tables[name])
        }
        for (name, table) in tables where unclaimed[name] == nil {
            unclaimed[name] = FoundStorage(name: name, column: nil, table: table)
        }
        var stored = map.properties.filter { $0.hasColumn || $0.isCollection }
        separate(stored)
        for property in stored where property.isCollection && settled.contains(Naming.folded(property.column)) {
            claimed[property.name] = unclaimed.removeValue(forKey: Naming.folded(property.column))
        }
        stored += wholes(map, stored)
        stored.removeAll { claimed[$0.name] != nil }
        try exchange(stored, map, record)
        rename(stored)
        for property in stored where claimed[property.name] == nil {
            claimed[property.name] = unclaimed.removeValue(forKey: Naming.folded(property.column))
        }
        // An embedded value has no column to rename.
        renames.removeAll { map.ordinal(of: $0.property.name) == nil }
    }

    /// Separates a table and a column that have the same name and belong to different properties.
    private mutating func separate(_ stored: [Property]) {
        let columns = Set(stored.filter(\.hasColumn).map { Naming.folded($0.column) })
        for property in stored where property.isCollection && !property.hasColumn {
            let name = Naming.folded(property.column)
            guard columns.contains(name), let found = unclaimed[name], found.table != nil else { continue }
            claimed[property.name] = FoundStorage(name: found.name, column: nil, table: found.table)
            unclaimed[name] = found.column.map { FoundStorage(name: found.name, column: $0, table: nil) }
        }
    }

    /// Embedded values whose fields have no columns yet, so that the value may be in one column.
    private func wholes(_ map: ClassMap, _ stored: [Property]) -> [Property] {
        map.embedded.filter { value in
            let fields = value.ordinals.map { map.properties[$0] }
            let name = Naming.folded(value.whole.column)
            return !fields.contains { field in
                ([field.column] + field.formerColumns).contains { unclaimed[Naming.folded($0)] != nil }
            } && !stored.contains { Naming.folded($0.column) == name }
        }.map(\.whole)
    }

    private mutating func rename(_ stored: [Property]) {
        var missing = stored.filter {
            unclaimed[Naming.folded($0.column)] == nil && claimed[$0.name] == nil
        }
        var next = 0
        while next < missing.count {
            let property = missing[next]
            next += 1
            for former in property.formerColumns.map(Naming.folded) {
                guard let found = unclaimed.removeValue(forKey: former) else { continue }
                claimed[property.name] = found
                renames.append((found, property))
                missing += stored.filter { Naming.folded($0.column) == former && claimed[$0.name] == nil }
                break
            }
        }
    }

    /// Properties that use each other's columns or tables.
    private mutating func exchange(
        _ stored: [Property], _ map: ClassMap, _ record: (Property) -> ClassRecord?
    ) throws {
        for circle in Property.renamingCircles(in: stored)
        where circle.allSatisfy({ unclaimed[Naming.folded($0.column)] != nil }) {
            let names = Set(circle.map { Naming.folded($0.column) })
            var found: [Rename] = []
            for property in circle {
                guard let record = record(property) else {
                    throw SchemaError.renamedInCircle(
                        className: map.name, properties: circle.map(\.name).sortedUnspecialized())
                }
                let applied = record.properties[property.name]?.formerNames ?? []
                guard let former = property.formerColumns.first(where: { names.contains(Naming.folded($0)) }),
                    !applied.contains(former), let storage = unclaimed[Naming.folded(former)]
                else { continue }
                found.append((storage, property))
            }
            for (storage, property) in found {
                claimed[property.name] = storage
                unclaimed[Naming.folded(storage.name)] = nil
            }
            if !found.isEmpty { isExchange = true }
            renames += found
        }
    }

    /// The storage of a property in the file, possibly under a former name; nil if the file has no storage for it.
    func found(_ property: Property) -> FoundStorage? { claimed[property.name] }

    /// The column of a property in the file, possibly under a former name.
    func column(of property: Property) -> ColumnDescription? { found(property)?.column }

    /// The columns that are renamed to their properties' names, keeping their values.
    var columnRenames: [(column: ColumnDescription, property: Property)] {
        renames.compactMap { found, property in
            guard found.keepsColumn(for: property), let column = found.column else { return nil }
            return (column, property)
        }
    }

    /// All storage that belongs to properties.
    var all: [FoundStorage] { Array(claimed.values) }

    /// Whether a column belongs to a property, possibly under a former name.
    func claims(column: String) -> Bool {
        let name = Naming.folded(column)
        return claimed.values.contains { $0.column.map { Naming.folded($0.name) == name } ?? false }
    }
}

// The matches of a table of the file.
extension StorageMatches {
    init(_ map: ClassMap, _ table: PlannedTable, _ context: PlanContext) throws {
        let tables = try FoundCollection.tables(of: table, map, context)
        // Moves create tables with their final names.
        let made = tables.filter { context.inspector.overlay.isNew($0.value.name) }.keys
        try self.init(map, table.found?.columns ?? [], tables, settled: Set(made)) {
            context.record.record(of: $0, in: map)
        }
        for (found, property) in renames { try context.checkIsOwn(found.name, property, of: map, in: table) }
        for property in map.properties where claimed[property.name] == nil && property.part == nil {
            for name in StorageMatches.relatedNames(of: property) {
                guard let found = unclaimed[name], StorageMatches.fits(found, property, table),
                    !StorageMatches.isTaken(name, outside: map, context)
                else { continue }
                claimed[property.name] = found
                unclaimed[name] = nil
                break
            }
        }
    }

    /// Whether a class of the same table has a property of that name, which this class does not have.
    private static func isTaken(_ name: String, outside map: ClassMap, _ context: PlanContext) -> Bool {
        context.relatives(of: map).flatMap(\.properties).contains {
            Naming.folded($0.column) == name && map.ordinal(of: $0.name) == nil
        }
    }

    /// The names under which the file may have a property that changed from a collection to a reference, or the
    /// reverse.
    private static func relatedNames(of property: Property) -> [String] {
        let names = [property.column] + property.formerColumns + [Naming.snakeCase(property.name)]
        return names.map(Naming.folded).flatMap { name -> [String] in
            switch property.shape {
            case .reference: name.hasSuffix("_id") ? [String(name.dropLast(3)), name] : [name]
            case .collection: [name + "_id"]
            case .scalar: [name]
            case .inverse: []
            }
        }
    }

    private static func fits(_ found: FoundStorage, _ property: Property, _ table: PlannedTable) -> Bool {
        if let source = found.table { return !property.isCollection && FoundCollection(source) != nil }
        guard property.isCollection, property.linkedClass != nil, let column = found.column else { return false }
        return table.foreignKeys[Naming.folded(column.name)] != nil
    }
}

internal import StoreEngine

/// The columns in which the file stores an embedded value whose property is no longer embedded.
struct EmbeddedSource {
    /// The columns, by the Swift names of the fields after the property.
    private(set) var columns: [String: String] = [:]
    /// The presence column; nil if there is always a value.
    private(set) var presenceFlag: String?

    var isEmpty: Bool { columns.isEmpty && presenceFlag == nil }
    /// All columns in a fixed order.
    var all: [String] { columns.values.sortedUnspecialized() + [presenceFlag].compactMap(\.self) }

    fileprivate mutating func add(_ column: String, _ field: String) {
        if field == EmbeddedField.presenceName { presenceFlag = column } else { columns[field] = column }
    }
}

extension PlanContext {
    /// The location in the file of the value of a property that was embedded, possibly under a former name.
    ///
    /// The columns must belong to no property, and no conversion may read them.
    func embeddedSource(of property: Property, _ map: ClassMap, _ table: PlannedTable) throws -> EmbeddedSource? {
        guard property.part == nil, !property.isInverse, table.found != nil,
            try matches(of: map, in: table).found(property) == nil,
            let record = record.record(of: property, in: map), record.hasEmbeddedValues
        else { return nil }
        let own = try source(property.column, property, record, map, table)
        if own != nil, try !isTaken(from: property, record, map, table) { return own }
        for former in property.formerColumns {
            if let source = try source(former, nil, record, map, table) { return source }
        }
        return nil
    }

    /// The columns of a value that was embedded with this name as the prefix of its columns.
    ///
    /// - Parameter property: The property that may have had columns with other names; nil for a former name.
    private func source(
        _ name: String, _ property: Property?, _ record: ClassRecord, _ map: ClassMap, _ table: PlannedTable
    ) throws -> EmbeddedSource? {
        guard let found = table.found else { return nil }
        var source = EmbeddedSource()
        for entry in record.properties.values where !entry.isRemoved {
            guard let field = entry.fieldName, let column = entry.column, found.column(column) != nil,
                entry.isField(of: name, property), try isFree(column, map, table)
            else { continue }
            source.add(column, field)
        }
        return source.isEmpty ? nil : source
    }

    /// Whether another property had the property's name before, and takes its value from the columns of that name.
    private func isTaken(
        from property: Property, _ record: ClassRecord, _ map: ClassMap, _ table: PlannedTable
    ) throws -> Bool {
        let name = Naming.folded(property.column)
        return try map.properties.contains { other in
            guard other.name != property.name, other.part == nil, !other.isInverse,
                other.formerColumns.contains(where: { Naming.folded($0) == name }),
                try matches(of: map, in: table).found(other) == nil
            else { return false }
            guard let own = try source(other.column, other, record, map, table) else { return true }
            // If names were exchanged, the file shows whether that was already done.
            let isExchanged = property.formerColumns.contains { Naming.folded($0) == Naming.folded(other.column) }
            let applied = record.properties.values.filter { own.all.contains($0.column ?? "") }.flatMap(\.formerNames)
            return isExchanged && !applied.contains { Naming.folded($0).hasPrefix(name + "_") }
        }
    }

    /// The presence columns of an embedded value that can no longer be nil.
    func formerSigns(of whole: Property, _ map: ClassMap, _ table: PlannedTable) -> [String] {
        guard let found = table.found, let record = record.record(of: whole, in: map) else { return [] }
        return record.properties.values.compactMap { entry -> String? in
            guard !entry.isRemoved, entry.fieldName == EmbeddedField.presenceName, let column = entry.column,
                found.column(column) != nil,
                ([whole.column] + whole.formerColumns).contains(where: { entry.isField(of: $0, whole) }),
                (try? isFree(column, map, table)) ?? false
            else { return nil }
            return column
        }
    }

    /// The folded names of the columns from which the plans of a table's classes move embedded values.
    func embeddedColumns(of map: ClassMap, _ table: PlannedTable) -> Set<String> {
        var columns: Set<String> = []
        for relative in relatives(of: map) {
            for property in relative.properties {
                guard let source = try? embeddedSource(of: property, relative, table) else { continue }
                columns.formUnion(source.all.map(Naming.folded))
            }
            for value in relative.embedded where value.presenceFlag == nil {
                columns.formUnion(formerSigns(of: value.whole, relative, table).map(Naming.folded))
            }
        }
        return columns
    }

    /// Whether a column belongs to no property under a present or former name, and no conversion of the user reads it.
    private func isFree(_ column: String, _ map: ClassMap, _ table: PlannedTable) throws -> Bool {
        let folded = Naming.folded(column)
        let relatives = relatives(of: map)
        return try !relatives.flatMap(\.properties).contains { $0.hasColumn && Naming.folded($0.column) == folded }
            && !relatives.flatMap(\.type.conversions).contains { Naming.folded($0.source) == folded }
            && !matches(of: map, in: table).claims(column: column)
    }
}

extension PropertyRecord {
    /// The name of a field within its embedded value; nil for another property.
    fileprivate var fieldName: String? {
        name.firstIndex(of: ".").map { String(name[name.index(after: $0)...]) }
    }

    /// Whether it is a field of a property that was embedded with `storage` as the prefix of its columns.
    ///
    /// - Parameter property: The property whose name the record may also have.
    fileprivate func isField(of storage: String, _ property: Property?) -> Bool {
        guard let field = fieldName, let column else { return false }
        if let property, name == "\(property.name).\(field)" { return true }
        let ending = field.split(separator: ".").map { "_" + Naming.snakeCase(String($0)) }.joined()
        return Naming.folded(storage + ending) == Naming.folded(column)
    }
}

extension ClassRecord {
    /// Whether a property of the class is, or was, a field of an embedded value.
    fileprivate var hasEmbeddedValues: Bool { properties.values.contains { $0.fieldName != nil } }
}

// Moves: moves the rows of a class that became a subclass, or is no longer a subclass. It knows plans and the contents
// of the file, and must know neither sessions nor objects.

internal import StoreEngine

/// Determines whether a class became a subclass, or stopped being a subclass, and decides how its rows are moved to its
/// new table and how references to the rows are updated.
struct MovePlan {
    private let map: ClassMap
    private let context: PlanContext

    init(_ map: ClassMap, _ context: PlanContext) throws {
        self.map = map
        self.context = context
    }

    func add() throws {
        guard !context.moves.contains(where: { $0.includes(map) }) else { return }
        if map.isRoot { try leave() } else { try join() }
    }

    private var inspector: SchemaInspector { context.inspector }

    private var recorded: ClassRecord? {
        ([map.name] + map.type.formerNames).lazy.compactMap { context.record.classes[$0] }.first
    }

    private func refusal(_ table: String, _ reason: String) -> SchemaError {
        .notMovable(className: map.name, table: table, reason: reason)
    }

    private func isSame(_ one: String, _ other: String) -> Bool { Naming.folded(one) == Naming.folded(other) }
}

// A class that became a subclass.
extension MovePlan {
    private func join() throws {
        guard let planned = context.table(map.table), let source = try joiningTable(planned) else { return }
        guard let literal = SQLLiteral(.text(String(describing: map.root))) else { return }
        let found = planned.found
        let targetStoresClass = HierarchyPlan.hasClassColumn(found, map, context.dialect)
        if !targetStoresClass, found?.column(HierarchyPlan.column) != nil {
            throw SchemaError.unsuitableTable(
                className: map.name, table: map.table, reason: "already has another column \"class\"")
        }
        let move = TableMove(
            map: map, source: source, found: found, target: planned.foundName, isWhole: true,
            classNames: context.record.names(in: source.name).sortedUnspecialized() + [map.name],
            sourceStoresClass: HierarchyPlan.hasClassColumn(source, map, context.dialect), classDefault: literal,
            targetStoresClass: targetStoresClass)
        try MoveDetails(move, context).add()
    }

    /// The table that the class had before it became a subclass; nil if it had no table.
    private func joiningTable(_ target: PlannedTable) throws -> TableDescription? {
        let names: [String]
        if let recorded {
            names = [recorded.table]
        } else {
            names = [Naming.snakeCase(map.name)] + map.type.formerTableNames.filter { !map.formerTables.contains($0) }
        }
        let hierarchy = [target.foundName, map.table] + map.formerTables
        for name in names where !hierarchy.contains(where: { isSame($0, name) }) {
            guard let found = try inspector.table(name) else { continue }
            guard recorded != nil else {
                if try isOthers(found) || hasRows(target) { continue }
                return found
            }
            if let reason = found.unsuitability(context.dialect) { throw refusal(name, "it \(reason)") }
            let others = context.record.names(in: name).subtracting(context.record.family(of: recorded?.name ?? ""))
            if let other = others.sortedUnspecialized().first {
                throw refusal(
                    name,
                    "it also has rows of \(other). Make \(map.name) a class without a superclass first, open the "
                        + "file once with that version, and then make it a subclass of \(map.root)")
            }
            if let other = context.known.first(where: { isSame(context.table($0.table)?.foundName ?? $0.table, name) })
            {
                throw refusal(name, "\(other.name) uses the table now. Remove it from its formerTableNames")
            }
            return found
        }
        return nil
    }

    /// Whether a table without a record in the file cannot belong to the class.
    private func isOthers(_ table: TableDescription) throws -> Bool {
        guard table.unsuitability(context.dialect) == nil, context.record.names(in: table.name).isEmpty else {
            return true
        }
        return context.known.contains { other in
            isSame(context.table(other.table)?.foundName ?? other.table, table.name)
                || other.properties.contains { ChildTable($0, of: other).map { isSame($0.name, table.name) } ?? false }
        }
    }

    /// Whether the hierarchy's table already has rows of the class.
    private func hasRows(_ target: PlannedTable) throws -> Bool {
        guard let found = try context.connection.schema.table(target.foundName),
            HierarchyPlan.hasClassColumn(found, map, context.dialect)
        else { return false }
        return try inspector.hasStoredRows(of: map.name, in: found.name)
    }
}

// A class that is no longer a subclass.
extension MovePlan {
    private func leave() throws {
        guard let recorded, recorded.superclass != nil, let planned = context.table(map.table),
            !([map.table] + map.formerTables).contains(where: { isSame($0, recorded.table) }),
            let source = try inspector.table(recorded.table)
        else { return }
        if let found = planned.found {
            throw refusal(
                source.name,
                "table \"\(found.name)\" already exists in the file. Rename or drop it, or override "
                    + "tableName")
        }
        guard HierarchyPlan.hasClassColumn(source, map, context.dialect) else {
            throw refusal(source.name, "it has no column \"class\" with the classes of its rows")
        }
        if let reason = source.unsuitability(context.dialect) { throw refusal(source.name, "it \(reason)") }
        let below = context.record.family(of: recorded.name).subtracting([recorded.name]).sortedUnspecialized()
        let names = [map.name] + map.type.formerNames
        let move = TableMove(
            map: map, source: source, found: nil, target: map.table, isWhole: false, classNames: names + below,
            sourceStoresClass: true, classDefault: below.isEmpty ? nil : SQLLiteral(.text(map.name)),
            targetStoresClass: false)
        try MoveDetails(move, context).add()
    }
}

extension FileRecord {
    /// The classes whose rows are in a table.
    func names(in table: String) -> Set<String> {
        Set(classes.values.filter { Naming.folded($0.table) == Naming.folded(table) }.map(\.name))
    }

    /// The names of a class and of its subclasses in its table.
    func family(of name: String) -> Set<String> {
        guard let table = classes[name]?.table else { return [] }
        return names(in: table).filter { other in
            var next: String? = other
            var seen: Set<String> = []
            while let current = next, seen.insert(current).inserted {
                if current == name { return true }
                next = classes[current]?.superclass
            }
            return false
        }
    }
}

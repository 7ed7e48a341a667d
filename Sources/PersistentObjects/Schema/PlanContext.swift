internal import StoreEngine

/// The state that all plans of one preparation share.
final class PlanContext {
    let connection: any Connection
    let inspector: SchemaInspector
    let record: FileRecord
    let settings: SchemaSettings
    /// The store's known classes, including the classes to prepare.
    let known: [ClassMap]
    var plan = SchemaPlan()
    /// The moves of rows to another table, because their class became, or stopped being, a subclass.
    var moves: [TableMove] = []
    /// The file's encrypted columns.
    let sealed: SealedColumns
    private var tables: [String: PlannedTable] = [:]
    private var renames: [(from: String, to: String, className: String)] = []
    private var released: Set<String> = []
    /// The matches of each class.
    private var matches: [ObjectIdentifier: StorageMatches] = [:]

    init(
        _ connection: any Connection, _ schema: any SchemaReader, _ record: FileRecord, _ settings: SchemaSettings,
        known: [ClassMap]
    ) throws {
        sealed = try SealedColumns(connection, schema)
        self.connection = connection
        inspector = SchemaInspector(connection, schema)
        self.record = record
        self.settings = settings
        self.known = known
    }

    var dialect: Dialect { connection.dialect }

    func table(_ name: String) -> PlannedTable? { tables[Naming.folded(name)] }

    func add(_ table: PlannedTable) { tables[Naming.folded(table.name)] = table }

    /// The file's storage of a class's properties, after the moves of the plan.
    func matches(of map: ClassMap, in table: PlannedTable) throws -> StorageMatches {
        if let known = matches[ObjectIdentifier(map)] { return known }
        let found = try StorageMatches(map, table, self)
        matches[ObjectIdentifier(map)] = found
        return found
    }

    /// The storage of the properties of all known classes of a table.
    ///
    /// A class whose properties do not match is omitted, because its own plan rejects it.
    func claims(of map: ClassMap, in table: PlannedTable) -> [FoundStorage] {
        relatives(of: map).flatMap { (try? matches(of: $0, in: table))?.all ?? [] }
    }

    func rename(_ from: String, to: String, _ className: String) { renames.append((from, to, className)) }

    /// The name of a table of the file after all renames.
    func finalName(_ name: String) -> String {
        renames.first { Naming.folded($0.from) == Naming.folded(name) }?.to ?? name
    }

    /// Inspects the tables again that the overlay describes.
    ///
    /// - Parameter changed: The tables whose rows change, so that their search indexes are rebuilt.
    func refresh(changed: [String]) throws {
        for (key, table) in tables where inspector.overlay.mentions(table.foundName) {
            let other = try PlannedTable(table.name, found: inspector.table(table.foundName), inspector)
            other.isRebuilt =
                table.isRebuilt || changed.contains { Naming.folded($0) == Naming.folded(table.foundName) }
            tables[key] = other
        }
    }

    /// Requests that triggers that mention the tables are dropped while the tables are changed.
    func releaseTriggers(of tables: [String]) { released.formUnion(tables.map(Naming.folded)) }

    /// The tables that no trigger may mention during the changes, by their folded current and future names.
    var releasedTables: Set<String> {
        let rebuilt = tables.values.filter(\.isRebuilt).flatMap {
            [Naming.folded($0.name), Naming.folded($0.foundName)]
        }
        return released.union(rebuilt)
    }

    /// The known classes that share a class's table.
    func relatives(of map: ClassMap) -> [ClassMap] { known.filter { $0.root == map.root } }

    /// Whether all classes with rows in a table are known, so that unused columns belong to no class.
    func knowsAllClasses(of map: ClassMap, _ hasClassColumn: Bool) -> Bool {
        let names = Set(relatives(of: map).flatMap { [$0.name] + $0.type.formerNames })
        let tables = Set(([map.table] + map.formerTables).map(Naming.folded))
        var recorded = Set(record.classes.values.filter { tables.contains(Naming.folded($0.table)) }.map(\.name))
        for move in moves {
            if tables.contains(Naming.folded(move.source.name)) { recorded.subtract(move.classNames) }
            if tables.contains(Naming.folded(move.target)) { recorded.formUnion(move.classNames) }
        }
        return recorded.isEmpty ? !hasClassColumn : recorded.isSubset(of: names)
    }

    /// The condition of the rows that were in a table before the plan's moves, if the moved rows have no value of a
    /// property; empty for all rows.
    func withoutNewcomers(to table: PlannedTable, lacking property: Property) -> SQL {
        newcomers(to: table, lacking: property).map { "\"class\" NOT IN (\($0))" } ?? ""
    }

    /// The class names of the rows that move to a table and have no value of a property yet, as an SQL list.
    func newcomers(to table: PlannedTable, lacking property: Property) -> SQL? {
        let names = moves.filter { move in
            Naming.folded(move.target) == Naming.folded(table.foundName)
                && move.columns.contains { $0.isPlaceholder && $0.property == property.name }
        }.flatMap(\.classNames)
        let literals = Set(names).sortedUnspecialized().compactMap { SQLLiteral(.text($0)) }
        return literals.isEmpty ? nil : "\(list: literals.map { "\(literal: $0)" as SQL })"
    }

    /// Whether rows are moved to a class's table together with their history.
    func movesHistory(to map: ClassMap) throws -> Bool {
        try moves.contains { move in
            guard Naming.folded(finalName(move.target)) == Naming.folded(map.table) else { return false }
            let triggers = try inspector.triggers(on: move.source.name)
            return triggers.contains { HistoryTriggers.table(ofTrigger: $0.name) != nil }
        }
    }

    /// Adds the renames of all tables. If names are exchanged, the tables get temporary names first.
    func addRenames() throws {
        let targets = Set(renames.map { Naming.folded($0.to) })
        let isExchange = renames.contains { targets.contains(Naming.folded($0.from)) }
        func add(_ from: String, _ to: String, _ className: String) throws {
            var steps = SchemaSteps()
            steps.renameTable(from, to: to)
            try addHistoryRenaming(from, to: to, &steps)
            if try inspector.definition(of: CaptureNames.tables) != nil {
                steps.add(CaptureRecord.renaming(table: from, to: to))
            }
            plan.changes.append(
                SchemaPlan.Change("renames table \"\(from)\" to \"\(to)\"", .renames, className: className, steps))
        }
        for (from, to, name) in renames { try add(from, isExchange ? "po_former_" + from : to, name) }
        guard isExchange else { return }
        for (from, to, name) in renames { try add("po_former_" + from, to, name) }
    }

    /// Updates the record of encrypted columns for renamed tables.
    func addSealedRenames() throws {
        let renames = renames.filter { !sealed.columns(of: $0.from).isEmpty }
        guard let first = renames.first else { return }
        var steps = SchemaSteps()
        // Names may be exchanged, so all columns are renamed by one statement.
        let cases = renames.compactMap { rename -> SQL? in
            guard let from = SQLLiteral(.text(Naming.folded(rename.from))),
                let to = SQLLiteral(.text(Naming.folded(rename.to)))
            else { return nil }
            return "WHEN \(literal: from) THEN \(literal: to)"
        }
        steps.add(
            """
            UPDATE \(name: SealNames.columns) SET table_name = CASE table_name \(list: cases, separator: " ") \
            ELSE table_name END
            """)
        plan.changes.append(
            SchemaPlan.Change("renames the tables of encrypted columns", .renames, className: first.className, steps))
    }

    /// Updates the history for a renamed table.
    func addHistoryRenaming(_ from: String, to: String, _ steps: inout SchemaSteps) throws {
        guard try inspector.table(HistoryNames.elements) != nil else { return }
        for statement in HistoryStatements.renaming(table: from, to: to, dialect) { steps.add(statement) }
    }
}

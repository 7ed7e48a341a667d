internal import StoreEngine

/// Updates the triggers that capture a hierarchy's changes to its topmost class's declaration.
///
/// The triggers name all columns of the table. They are dropped before all other changes and recreated afterwards,
/// because a schema change must not be captured as an edit.
struct CapturePlan {
    /// The steps before all other changes.
    private(set) var removal = SchemaSteps()
    /// The steps after all other changes.
    private(set) var steps = SchemaSteps()
    /// The steps that drop captured changes, which need the user's consent.
    private(set) var ending = SchemaSteps()
    /// The folded names of the triggers that the plan creates or drops.
    private(set) var names: Set<String> = []

    /// - Parameters:
    ///   - map: Any class of the hierarchy.
    ///   - isCaptured: Whether the table has such triggers.
    init(_ map: ClassMap, _ context: PlanContext, isCaptured: Bool) throws {
        guard map.isSynced || isCaptured else { return }
        let inspector = context.inspector
        let planned = context.table(map.table)
        let found = planned?.foundName ?? map.table
        var triggers = try CapturePlan.triggers(on: found, inspector)
        guard map.isSynced || !triggers.isEmpty else { return }
        let collections =
            try planned?.found == nil
            ? []
            : ElementTriggers.all(of: map.table, inspector.tables(referringTo: found, by: ChildTable.ownerColumn)) {
                try inspector.table($0)
            }
        for collection in collections { triggers += try CapturePlan.triggers(on: collection.table, inspector) }
        let rules = CapturePlan.mergeRules(context.relatives(of: map))
        if map.isSynced, let table = planned?.found, !HistoryPlan.isChanged(map, context),
            let wanted = try CapturePlan.definitions(of: map.table, table.columns, collections, rules, context),
            triggers.map(\.text).sortedUnspecialized() == wanted.map(\.text).sortedUnspecialized()
        {
            return
        }
        names = Set(triggers.map { Naming.folded($0.name) })
        for trigger in triggers { removal.add(context.dialect.dropTrigger(trigger.name, trigger.table)) }
        let table = map.table
        let tables = [table] + collections.map { context.finalName($0.table) }
        guard map.isSynced else {
            ending.add("-- drops the captured changes of \"\(table)\"") { run in
                let record = CaptureRecord(run.connection)
                for table in tables { if let number = try record.table(table)?.number { try record.forget(number) } }
                try record.forgetMissing()
                try record.dropIfEmpty()
            }
            return
        }
        let children = context.relatives(of: map).flatMap { map in
            map.properties.compactMap { ChildTable($0, of: map)?.name }
        }
        for table in tables + children {
            names.formUnion(CaptureTriggers.Event.allCases.map { Naming.folded(CaptureTriggers.name(table, $0)) })
        }
        steps.add(
            "-- creates the triggers that capture the changes of \"\(table)\", with all its columns and collections"
        ) { run in
            try CaptureCreation(run.connection).create(table, rules)
        }
    }

    /// Whether the changes of a table are captured.
    static func isCaptured(_ table: String, _ inspector: SchemaInspector) throws -> Bool {
        try !triggers(on: table, inspector).isEmpty
    }

    private static func triggers(on table: String, _ inspector: SchemaInspector) throws -> [TriggerDescription] {
        try inspector.triggers(on: table).filter { CaptureTriggers.table(ofTrigger: $0.name) != nil }
    }

    /// The merge rules by folded column.
    private static func mergeRules(_ maps: [ClassMap]) -> [String: MergeRule?] {
        var rules: [String: MergeRule?] = [:]
        for property in maps.flatMap(\.properties) where property.hasColumn {
            let column = Naming.folded(property.column)
            rules.updateValue(property.mergeRule ?? rules[column] ?? nil, forKey: column)
        }
        return rules
    }

    /// The triggers that the file should have; nil if a table, a column or a merge rule is not recorded yet.
    private static func definitions(
        of table: String, _ columns: [ColumnDescription], _ collections: [ElementTriggers],
        _ rules: [String: MergeRule?], _ context: PlanContext
    ) throws -> [SQL]? {
        guard try context.inspector.definition(of: CaptureNames.tables) != nil else { return nil }
        let record = CaptureRecord(context.connection)
        guard let captured = try record.table(table), captured.kind == .rows,
            let triggers = CaptureTriggers(table, columns, captured),
            !rules.contains(where: { column, rule in captured.columns[column].map { $0.mergeRule != rule } ?? false })
        else { return nil }
        var definitions = triggers.definitions
        for collection in collections {
            guard let captured = try record.table(collection.table), let capture = ElementCapture(collection, captured)
            else { return nil }
            definitions += capture.definitions
        }
        return definitions
    }
}

/// Creates the triggers of one hierarchy, after all other changes.
private struct CaptureCreation {
    private let connection: any Connection
    private let record: CaptureRecord

    init(_ connection: any Connection) {
        self.connection = connection
        record = CaptureRecord(connection)
    }

    func create(_ table: String, _ rules: [String: MergeRule?]) throws {
        try record.create()
        try record.forgetMissing()
        let columns = try connection.schema.table(table)?.columns ?? []
        let names = HistoryTriggers.columns(columns).map(\.name)
        let captured = try record.register(table, .rows, names, rules: rules)
        var definitions = CaptureTriggers(table, columns, captured)?.definitions ?? []
        for elements in try ElementTriggers.all(of: table, connection.schema) {
            let captured = try record.register(
                elements.table, CapturedTable.Kind(elements), ElementCapture.columns(of: elements))
            definitions += ElementCapture(elements, captured)?.definitions ?? []
        }
        for definition in definitions { try connection.execute(definition) }
    }
}

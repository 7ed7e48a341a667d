internal import StoreEngine

/// Makes the plan for some classes by comparing their declarations with the file, which it does not change.
struct SchemaPlanner {
    private let context: PlanContext
    /// The classes of the plan, superclasses before their subclasses.
    private let maps: [ClassMap]

    init(
        _ maps: [ClassMap], known: [ClassMap], _ settings: SchemaSettings, _ connection: any Connection,
        _ schema: any SchemaReader
    ) throws {
        self.maps = maps
        let others = known.filter { map in !maps.contains { $0 === map } }
        let record = try FileRecord(for: maps, known: others + maps, connection, schema)
        context = try PlanContext(connection, schema, record, settings, known: others + maps)
    }

    func plan() throws -> SchemaPlan {
        for map in maps where map.keepsHistory || HistoryNames.contains(map.table) {
            try context.connection.require(.history, className: map.name)
            guard let sealed = map.properties.first(where: { $0.sealing != nil }) else { continue }
            try context.connection.require(.sealedHistory, className: map.name, property: sealed.name)
        }
        for map in maps where map.isSynced { try context.connection.require(.capture, className: map.name) }
        context.plan.maps = maps
        // 1. The table of each class in the file, its columns and indexes, and the tables of collections.
        for map in maps where map.isRoot { try findTable(of: map) }
        for map in maps where !map.isRoot && context.table(map.table) == nil { try findTable(of: map) }
        for map in maps { try MovePlan(map, context).add() }
        try SealedCheck(maps, context).check()
        for map in maps { addUnboundNote(of: map) }
        for map in maps { try compareTable(of: map) }
        for map in maps { try compareCollections(of: map) }
        try DroppedCollections(maps, context).add()
        for move in context.moves { context.plan.changes.append(try MoveSteps(move, context).change()) }
        try context.addRenames()
        try context.addSealedRenames()
        // 2. Triggers, which name several tables.
        let rules = try RulePlan(maps, context)
        add("updates the triggers of delete rules", .triggers, maps.first, rules.steps)
        var own = rules.names
        for map in maps {
            let search = try SearchPlan(map, context)
            own.formUnion(search.names)
            add("drops the triggers of its search index", .release, map, search.removal)
            add("creates the search index", .search, map, search.steps)
        }
        var tables: Set<String> = []
        for map in maps where tables.insert(Naming.folded(map.table)).inserted {
            let history = try HistoryPlan(map, context)
            own.formUnion(history.names)
            add("drops the triggers of its history", .release, map, history.removal)
            let phase: SchemaPlan.Phase = history.isRenewal ? .triggers : .history
            add("keeps the history of table \"\(map.table)\"", phase, map, history.steps)
            let isCaptured = rules.capturedTables.contains(Naming.folded(map.table))
            own.formUnion(addCapture(try CapturePlan(map, context, isCaptured: isCaptured), of: map))
        }
        for move in context.moves {
            add("rebuilds the search index", .search, move.map, try move.searchSteps(maps, context))
        }
        try addHistoryStorage()
        releaseTriggers(except: own)
        context.plan.sort()
        return context.plan
    }

    private func add(_ summary: String, _ phase: SchemaPlan.Phase, _ map: ClassMap?, _ steps: SchemaSteps) {
        guard let map, !steps.isEmpty else { return }
        context.plan.changes.append(SchemaPlan.Change(summary, phase, className: map.name, steps))
    }

    /// - Returns: The triggers that the plan creates or drops.
    private func addCapture(_ capture: CapturePlan, of map: ClassMap) -> Set<String> {
        add("drops the triggers that capture its changes", .release, map, capture.removal)
        add("captures the changes of table \"\(map.table)\"", .capture, map, capture.steps)
        if !capture.ending.isEmpty {
            add("stops capturing the changes of table \"\(map.table)\"", .capture, map, capture.ending)
            let last = context.plan.changes.count - 1
            context.plan.changes[last].loss = "the changes of \(map.name) that were not sent to other devices yet"
            context.plan.changes[last].needsConsent = true
        }
        return capture.names
    }

    /// Converts the history of a file of an earlier version before any other change uses it.
    private func addHistoryStorage() throws {
        let map = maps.first { $0.table == HistoryNames.entries }
        guard map != nil || !context.plan.changes.isEmpty else { return }
        let storage = try HistoryStorage(context, creates: map != nil)
        add("converts the history to the current format", .renames, map ?? maps.first, storage.conversion)
        if let last = context.plan.changes.last, last.phase == .renames, !storage.conversion.isEmpty {
            context.plan.changes.insert(context.plan.changes.removeLast(), at: 0)
        }
        add("creates the tables of the history's values", .columns, map, storage.creation)
    }

    /// Finds the table of the class in the file by its name or a former name. If classes exchanged their names, the
    /// file's record shows which table belongs to which class.
    private func findTable(of map: ClassMap) throws {
        let names = [map.table] + map.formerTables
        let recorded = ([map.name] + map.type.formerNames).lazy.compactMap { context.record.classes[$0]?.table }.first
        var found: TableDescription?
        if let recorded, names.contains(where: { Naming.folded($0) == Naming.folded(recorded) }) {
            found = try context.inspector.table(recorded)
        }
        for name in names where found == nil { found = try context.inspector.table(name) }
        if let found, let reason = found.unsuitability(context.dialect) {
            throw SchemaError.unsuitableTable(className: map.name, table: found.name, reason: reason)
        }
        context.add(try PlannedTable(map.table, found: found, context.inspector))
        if let found, Naming.folded(found.name) != Naming.folded(map.table) {
            context.rename(found.name, to: map.table, map.name)
        }
        // The move plan moves the rows of a class that was a subclass.
        let wasSubclass = context.record.classes[map.name]?.superclass != nil
        if found == nil, !wasSubclass, let recorded, try context.inspector.table(recorded) != nil, map.isRoot {
            context.plan.leftBehind.append(
                "\(map.name): The file has its objects in table \"\(recorded)\". To keep them, write override "
                    + "class var formerTableNames: [String] { [\"\(recorded)\"] }")
        }
        if found == nil, map.isRoot, context.record.classes[map.name] == nil { try addFormerNameNote(of: map) }
    }

    /// Adds a note about a class of the file that this program does not have and whose properties match a new class,
    /// because it was probably renamed and its rows would appear to be lost.
    private func addFormerNameNote(of map: ClassMap) throws {
        guard !context.record.classes.isEmpty else { return }
        let properties = map.properties.filter { !$0.isInverse }
        let types = Dictionary(
            properties.map { ($0.name, PropertyRecord.typeName(of: $0)) }, uniquingKeysWith: { first, _ in first })
        for former in context.record.classes.values.sortedUnspecialized(by: { $0.name < $1.name }) {
            let old = former.properties.values.filter { !$0.isRemoved && $0.kind != "inverse" }
            let isLike =
                old.allSatisfy { types[$0.name] == $0.type }
                || old.map(\.type).sortedUnspecialized() == types.values.sortedUnspecialized()
            guard isLike, !old.isEmpty, former.superclass == nil,
                !context.known.contains(where: { $0.name == former.name || $0.type.formerNames.contains(former.name) }),
                !ClassResolver.isThere(former.name, inModuleOf: map.type),
                try context.inspector.table(former.table) != nil
            else { continue }
            let tables = properties.compactMap { ChildTable($0, of: map)?.name } + [map.table]
            context.plan.leftBehind.append(
                """
                \(map.name): The file has a class \(former.name) with the same properties, which this program does not \
                have. Its rows stay in table "\(former.table)", and \(map.name) starts without rows. If \(map.name) is \
                its new name, drop the new tables while they are empty, \
                \(tables.map { "try session.execute(#\"DROP TABLE \"\($0)\"\"#)" }.joined(separator: ", ")), and write \
                override class var formerTableNames: [String] { ["\(former.table)"] }
                """)
        }
    }

    /// Adds a note about a class without keys whose first properties become encrypted.
    private func addUnboundNote(of map: ClassMap) {
        let properties = map.sealedOrdinals.map { map.properties[$0] }.filter { $0.sealing?.owner == map.name }
        guard map.keyOrdinal == nil, !properties.isEmpty,
            context.sealed.columns(of: context.table(map.table)?.foundName ?? map.table).isEmpty
        else { return }
        context.plan.notes.append(
            "\(map.name).\(properties.map(\.name).joined(separator: ", ")): The class has no keys, so an encrypted value "
                + "that is copied to another row of the same property is not detected. To bind the values to their "
                + "objects, write override class var identity: Identity { .uuid } before the first save")
    }

    private func compareTable(of map: ClassMap) throws {
        guard let table = context.table(map.table) else { return }
        let plan = try TablePlan(map, table, context)
        context.plan.add(plan.changes)
        if plan.hierarchy.hasClassColumn { context.plan.tablesWithClassColumn.insert(map.table) }
    }

    private func compareCollections(of map: ClassMap) throws {
        guard let owner = context.table(map.table) else { return }
        for property in map.properties {
            guard let table = ChildTable(property, of: map) else { continue }
            let found = try context.matches(of: map, in: owner).found(property)
            // For an inherited property, the superclass's plan has the table.
            guard context.plan.collections.insert(Naming.folded(table.name)).inserted else { continue }
            context.plan.add(try ChildTablePlan(table, of: property, in: map, owner: owner, found, context).changes)
        }
    }

    /// Temporarily drops the triggers of all programs that mention a table whose columns are dropped or recreated.
    private func releaseTriggers(except own: Set<String>) {
        let tables = context.releasedTables
        guard !tables.isEmpty, let map = maps.first else { return }
        let moves = context.moves.map { TriggerMove($0, context) }
        var steps = SchemaSteps()
        steps.add(
            "-- drops triggers that mention \(tables.sortedUnspecialized().joined(separator: ", ")), and recreates them at "
                + "the end"
        ) {
            run in
            for trigger in try run.connection.schema.triggers(beginning: "") where trigger.mentions(tables) {
                try run.connection.execute(run.connection.dialect.dropTrigger(trigger.name, trigger.table))
                // Other changes of the plan recreate their own triggers.
                guard !own.contains(Naming.folded(trigger.name)) else { continue }
                let text = moves.reduce(trigger.text as String?) { text, move in
                    text.flatMap { move.text(of: trigger.name, $0) }
                }
                if let text { run.suspended.append(text) }
            }
        }
        var back = SchemaSteps()
        back.add("-- recreates the triggers") { run in
            for trigger in run.suspended { try run.connection.execute(SQL(RawSQL(trigger))) }
            run.suspended = []
        }
        let release = SchemaPlan.Change("drops triggers temporarily", .release, className: map.name, steps)
        let comeBack = SchemaPlan.Change("recreates the triggers", .triggers, className: map.name, back)
        context.plan.changes.insert(release, at: 0)
        context.plan.changes.append(comeBack)
    }
}

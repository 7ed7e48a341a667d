internal import StoreEngine

/// Brings the triggers that write the history of a hierarchy to what its topmost class says.
struct HistoryPlan {
    private(set) var steps = SchemaSteps()
    /// The triggers that it makes or drops, folded.
    private(set) var names: Set<String> = []

    init(_ map: ClassMap, _ context: PlanContext) throws {
        let inspector = context.inspector
        let wanted = HistoryTable(table: map.table)
        let isWanted = map.type.keepsHistory
        // Values of any type in one column, and triggers in SQLite's words.
        if isWanted {
            try context.connection.require(.anyValues, className: map.name)
            guard map.foreign == nil else {
                throw StoreError(.misuse, "a table of others has no history here", className: map.name)
            }
        }
        let table = context.table(map.table)
        let found = table?.foundName ?? map.table
        let triggers = try inspector.triggers(on: found).filter { HistoryPlan.formerTable(of: $0) != nil }
        if !isWanted, triggers.isEmpty { return }
        let present = try inspector.columnNames(of: found)
        let own = context.relatives(of: map).flatMap(\.properties).filter(\.hasColumn).map(\.column)
        let isComplete = Set(own.map(Naming.folded)).isSubset(of: present.map(Naming.folded))
        let texts = HistoryTable.Event.allCases.map { wanted.trigger($0, present).text }
        if isWanted, isComplete, table?.isRebuilt != true, triggers.map(\.text).sorted() == texts.sorted() { return }
        names = Set(triggers.map { Naming.folded($0.name) })
        for trigger in triggers { steps.add(context.dialect.dropTrigger(trigger.name, trigger.table)) }
        guard isWanted else { return }
        names.formUnion(HistoryTable.Event.allCases.map { Naming.folded(wanted.triggerName($0)) })
        let former = triggers.compactMap(HistoryPlan.formerTable).first.map { HistoryTable(table: $0) }
        var isNew = false
        if let former, former.table != wanted.table {
            steps.renameTable(former.entries, to: wanted.entries)
            steps.renameTable(former.values, to: wanted.values)
        } else if try inspector.definition(of: wanted.entries) == nil {
            isNew = true
            for definition in wanted.definitions { steps.add(definition) }
        }
        steps.add("-- triggers that write the history of \(map.table)") { [isNew] run in
            // Which columns the table has by then, subclasses' too.
            let columns = try run.connection.schema.columnNames(of: wanted.table)
            if isNew { for sql in wanted.beginnings(columns) { try run.connection.execute(sql) } }
            for event in HistoryTable.Event.allCases {
                try run.connection.execute(run.connection.dialect.dropTrigger(wanted.triggerName(event), wanted.table))
                try run.connection.execute(wanted.trigger(event, columns))
            }
        }
    }

    /// The name that the table had when a trigger was made; nil where it is not one of ours.
    private static func formerTable(of trigger: TriggerDescription) -> String? {
        for event in HistoryTable.Event.allCases {
            let ending = HistoryTable(table: "").triggerName(event)
            if trigger.name.hasSuffix(ending) { return String(trigger.name.dropLast(ending.count)) }
        }
        return nil
    }
}

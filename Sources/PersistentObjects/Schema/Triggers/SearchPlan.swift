internal import StoreEngine

/// Updates a class's search index to its declaration. If any part differs, the index is recreated.
struct SearchPlan {
    private(set) var steps = SchemaSteps()
    /// The folded names of the triggers that the plan creates or drops.
    private(set) var names: Set<String> = []

    init(_ map: ClassMap, _ context: PlanContext) throws {
        guard map.isRoot else { return }
        let connection = context.connection
        let inspector = context.inspector
        let search = connection.dialect.search
        let dropTrigger = connection.dialect.dropTrigger
        let name = SearchIndex.name(for: map.table)
        let wanted = SearchIndex(map)
        if wanted != nil {
            try connection.require(.search, className: map.name, property: map.searchColumns.first)
        } else if !connection.capabilities.contains(.search) {
            return
        }
        let wantedTriggers = wanted.map { index in SearchIndex.Event.allCases.map { search.trigger(index, $0) } } ?? []
        let definition = try inspector.definition(of: name)
        let table = context.table(map.table)
        let triggers = try inspector.triggers(on: table?.foundName ?? map.table).filter {
            SearchPlan.formerTable(of: $0) != nil
        }
        if let wanted, table?.isRebuilt != true, definition == search.definition(wanted).text,
            triggers.map(\.text).sortedUnspecialized() == wantedTriggers.map(\.text).sortedUnspecialized()
        {
            return
        }
        names = Set(triggers.map { Naming.folded($0.name) })
        for trigger in triggers { steps.add(dropTrigger(trigger.name, trigger.table)) }
        // A renamed table keeps its triggers, whose names contain the table's former name and so identify its index.
        for former in Set(triggers.compactMap(SearchPlan.formerTable)).sortedUnspecialized() where former != map.table {
            let name = SearchIndex.name(for: former)
            if let text = try inspector.definition(of: name), search.isDefinition(text, name) { dropTable(name) }
        }
        if let definition {
            if search.isDefinition(definition, name) {
                dropTable(name)
            } else if wanted != nil {
                throw SchemaError.unsuitableTable(
                    className: map.name, table: name, reason: "is not a search index of this library")
            }
        }
        guard let wanted else { return }
        // Another class's table may have had this name, and still have triggers with these names.
        for event in SearchIndex.Event.allCases {
            names.insert(Naming.folded(SearchIndex.triggerName(map.table, event)))
            steps.add(dropTrigger(SearchIndex.triggerName(map.table, event), map.table))
        }
        steps.add(search.definition(wanted))
        for trigger in wantedTriggers { steps.add(trigger) }
        steps.add(search.rebuilding(wanted))
    }

    /// The table's name when a trigger was created; nil if the trigger does not belong to the library.
    private static func formerTable(of trigger: TriggerDescription) -> String? {
        for event in SearchIndex.Event.allCases {
            let ending = SearchIndex.triggerName("", event)
            guard trigger.name.hasSuffix(ending) else { continue }
            let table = String(trigger.name.dropLast(ending.count))
            let target: SQL = " INSERT INTO \(name: SearchIndex.name(for: table))"
            return trigger.text.contains(target.text) ? table : nil
        }
        return nil
    }

    private mutating func dropTable(_ name: String) { steps.add("DROP TABLE \(name: name)") }
}

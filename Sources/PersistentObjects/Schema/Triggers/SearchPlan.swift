internal import StoreEngine

/// Updates a class's search index to its declaration. If any part differs, the index is recreated.
struct SearchPlan {
    private(set) var steps = SchemaSteps()
    /// The steps before all other changes.
    private(set) var removal = SchemaSteps()
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
        let wantedTriggers = wanted.map { index in search.events.map { search.trigger(index, $0) } } ?? []
        let table = context.table(map.table)
        let triggers = try inspector.triggers(on: table?.foundName ?? map.table).filter {
            SearchPlan.formerTable(of: $0, search) != nil
        }
        if wanted == nil, triggers.isEmpty, search.keepsIndexWithTriggers { return }
        let definition = try inspector.definition(of: name)
        if let wanted, table?.isRebuilt != true, definition == search.definition(wanted).text,
            triggers.map(\.text).sortedUnspecialized() == wantedTriggers.map(\.text).sortedUnspecialized()
        {
            return
        }
        names = Set(triggers.map { Naming.folded($0.name) })
        for trigger in triggers {
            // Tables were renamed before.
            let dropping = dropTrigger(trigger.name, context.finalName(trigger.table))
            if search.dropsTriggersFirst { removal.add(dropping) } else { steps.add(dropping) }
        }
        // A renamed table keeps its triggers, whose names contain the table's former name and so identify its index.
        let formers = Set(triggers.compactMap { SearchPlan.formerTable(of: $0, search) })
        for former in formers.sortedUnspecialized() where former != map.table {
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
        for event in search.events {
            names.insert(Naming.folded(SearchIndex.triggerName(map.table, event)))
            steps.add(dropTrigger(SearchIndex.triggerName(map.table, event), map.table))
        }
        steps.add(search.definition(wanted))
        for trigger in wantedTriggers { steps.add(trigger) }
        steps.add(search.rebuilding(wanted))
    }

    /// The table's name when a trigger was created; nil if the trigger does not belong to the library.
    private static func formerTable(of trigger: TriggerDescription, _ search: SearchDialect) -> String? {
        for event in search.events {
            let ending = SearchIndex.triggerName("", event)
            guard trigger.name.hasSuffix(ending) else { continue }
            let table = String(trigger.name.dropLast(ending.count))
            return search.isTrigger(trigger.text, SearchIndex.name(for: table)) ? table : nil
        }
        return nil
    }

    private mutating func dropTable(_ name: String) { steps.add("DROP TABLE \(name: name)") }
}

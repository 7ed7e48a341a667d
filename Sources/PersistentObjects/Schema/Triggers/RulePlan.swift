internal import StoreEngine

/// Updates the triggers of delete rules to the classes' declarations.
///
/// Rules are implemented by triggers, not by foreign keys, so that they can be changed without recreating a table.
struct RulePlan {
    private(set) var steps = SchemaSteps()
    /// The folded names of the existing triggers of delete rules.
    private(set) var names: Set<String> = []
    /// The folded present names of the tables whose changes are captured for sync.
    private(set) var capturedTables: Set<String> = []

    init(_ maps: [ClassMap], _ context: PlanContext) throws {
        let inspector = context.inspector
        var wanted: [String: DeleteTrigger] = [:]
        for trigger in try maps.flatMap({ try DeleteTrigger.triggers(of: $0, inspector.dialect) }) {
            let other = wanted.updateValue(trigger, forKey: Naming.folded(trigger.name))
            if let other, other != trigger {
                throw SchemaError.duplicateColumn(
                    className: trigger.className, column: trigger.column,
                    properties: [other.property, trigger.property].sortedUnspecialized())
            }
        }
        var existing: [String: TriggerDescription] = [:]
        for map in maps {
            let tables = [map.table, context.table(map.table)?.foundName ?? map.table] + map.formerTables
            for table in tables {
                for trigger in try inspector.triggers(beginning: table + ".") {
                    if RulePlan.belongs(trigger, to: map, in: tables) { existing[trigger.name] = trigger }
                    if CaptureTriggers.table(ofTrigger: trigger.name) != nil {
                        capturedTables.insert(Naming.folded(map.table))
                    }
                }
            }
        }
        names = Set(existing.keys.map(Naming.folded))
        // Triggers that mention changed tables are already dropped.
        let released = context.releasedTables
        existing = existing.filter { !$0.value.mentions(released) }
        var isThere: Set<String> = []
        for (name, found) in existing.sortedUnspecialized(by: { $0.key < $1.key }) {
            if let trigger = wanted[Naming.folded(name)], trigger.sql.text == found.text {
                isThere.insert(Naming.folded(name))
            } else {
                steps.add(inspector.dialect.dropTrigger(name, context.finalName(found.table)))
            }
        }
        for (name, trigger) in wanted.sortedUnspecialized(by: { $0.key < $1.key }) where !isThere.contains(name) {
            steps.add(trigger.sql)
        }
    }

    /// Whether a trigger belongs to the library, for a property of the class or its superclasses. Subclasses are
    /// excluded, because their properties are not known here.
    private static func belongs(_ trigger: TriggerDescription, to map: ClassMap, in tables: [String]) -> Bool {
        // Another table's name can start with this prefix, so the trigger must also mention one of the tables.
        guard trigger.mentions(Set(tables.map(Naming.folded))) else { return false }
        return ClassLineage.hierarchy(of: map).contains { type in
            [DeleteRule.cascade, .deny].contains { rule in
                trigger.name.hasSuffix(DeleteTrigger.ending(rule, declarer: type, root: map.root))
            }
        }
    }
}

extension TriggerDescription {
    /// Whether the trigger is on one of some tables, given by folded name, or its text contains one of the names.
    func mentions(_ tables: Set<String>) -> Bool {
        let folded = Naming.folded(text)
        return tables.contains { name in
            let quoted: SQL = "\(name: name)"
            return Naming.folded(table) == name || folded.contains(quoted.text) || folded.contains(" \(name) ")
        }
    }
}

internal import StoreEngine

/// Brings the triggers of classes' delete rules to what the classes say.
///
/// Triggers, not the foreign keys, have the rules: they can be changed without
/// making a table anew.
struct RulePlan {
    private(set) var steps = SchemaSteps()
    /// The triggers that it has looked after, folded.
    private(set) var names: Set<String> = []

    init(_ maps: [ClassMap], _ context: PlanContext) throws {
        let inspector = context.inspector
        var wanted: [String: DeleteTrigger] = [:]
        for trigger in try maps.flatMap({ try DeleteTrigger.triggers(of: $0, inspector.dialect) }) {
            let other = wanted.updateValue(trigger, forKey: Naming.folded(trigger.name))
            if let other, other != trigger {
                throw SchemaError.duplicateColumn(
                    className: trigger.className, column: trigger.column,
                    properties: [other.property, trigger.property].sorted())
            }
        }
        var existing: [String: TriggerDescription] = [:]
        for map in maps {
            let tables = [map.table, context.table(map.table)?.foundName ?? map.table] + map.formerTables
            for table in tables {
                for trigger in try inspector.triggers(beginning: table + ".")
                where RulePlan.belongs(trigger, to: map, in: tables) { existing[trigger.name] = trigger }
            }
        }
        names = Set(existing.keys.map(Naming.folded))
        // Those that mention what is changed have gone by then.
        let released = context.releasedTables
        existing = existing.filter { !$0.value.mentions(released) }
        var isThere: Set<String> = []
        for (name, found) in existing.sortedUnspecialized(by: { $0.key < $1.key }) {
            if let trigger = wanted[Naming.folded(name)], trigger.sql.text == found.text {
                isThere.insert(Naming.folded(name))
            } else {
                steps.add(inspector.dialect.dropTrigger(name, found.table))
            }
        }
        for (name, trigger) in wanted.sortedUnspecialized(by: { $0.key < $1.key }) where !isThere.contains(name) {
            steps.add(trigger.sql)
        }
    }

    /// Whether a trigger is one of ours for a property of the class or its superclasses. Subclasses' are not: which
    /// properties they have is not known here.
    private static func belongs(_ trigger: TriggerDescription, to map: ClassMap, in tables: [String]) -> Bool {
        // Which table another name that begins so belongs to, the text tells.
        guard trigger.mentions(Set(tables.map(Naming.folded))) else { return false }
        return ClassLineage.hierarchy(of: map).contains { type in
            [DeleteRule.cascade, .deny].contains { rule in
                trigger.name.hasSuffix(DeleteTrigger.ending(rule, declarer: type, root: map.root))
            }
        }
    }
}

extension TriggerDescription {
    /// Whether it is on one of some tables, given folded, or its text has the name of one.
    func mentions(_ tables: Set<String>) -> Bool {
        let folded = Naming.folded(text)
        return tables.contains { name in
            let quoted: SQL = "\(name: name)"
            return Naming.folded(table) == name || folded.contains(quoted.text) || folded.contains(" \(name) ")
        }
    }
}

internal import StoreEngine

/// Keeps the tables of collections that no class has any more, or drops them if that was requested.
struct DroppedCollections {
    private let maps: [ClassMap]
    private let context: PlanContext

    init(_ maps: [ClassMap], _ context: PlanContext) {
        self.maps = maps
        self.context = context
    }

    func add() throws {
        for map in maps where map.isRoot {
            guard let table = context.table(map.table), let found = table.found else { continue }
            let hasClassColumn = found.column(HierarchyPlan.column) != nil
            guard context.knowsAllClasses(of: map, hasClassColumn) else { continue }
            // The source table of another collection is dropped with that collection.
            let busy = context.releasedTables
            let wanted = Set(
                context.relatives(of: map).flatMap(\.properties).compactMap { property in
                    ChildTable(property, of: map).map { Naming.folded($0.name) }
                })
            let sources = Set(context.claims(of: map, in: table).compactMap { $0.table.map { Naming.folded($0.name) } })
            for name in try context.inspector.tables(referringTo: found.name, by: ChildTable.ownerColumn) {
                let folded = Naming.folded(name)
                guard folded.hasPrefix(Naming.folded(found.name) + "_"), !wanted.contains(folded),
                    !sources.contains(folded), !busy.contains(folded)
                else { continue }
                if context.settings.changes == .dropping {
                    drop(name, map)
                } else {
                    context.plan.leftBehind.append(
                        "\(map.name): Table \"\(name)\" of a collection has no property. The table and its rows "
                            + "stay in the file")
                }
            }
        }
    }

    private func drop(_ name: String, _ map: ClassMap) {
        context.releaseTriggers(of: [name])
        var steps = SchemaSteps()
        steps.dropTable(name)
        context.plan.changes.append(
            SchemaPlan.Change(
                "drops table \"\(name)\"", .drops, className: map.name, loss: "all elements in table \"\(name)\"",
                rowsOf: name, steps))
    }
}

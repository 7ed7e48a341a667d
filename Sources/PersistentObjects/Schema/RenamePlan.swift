internal import StoreEngine

/// Gives a table that is found under a former name its new one: first of all, since other tables' foreign keys follow.
struct RenamePlan {
    private(set) var steps = SchemaSteps()

    init(_ map: ClassMap, _ connection: any Connection) throws {
        let inspector = SchemaInspector(connection)
        guard map.isRoot, !map.formerTables.isEmpty, try inspector.table(map.table) == nil else { return }
        for name in map.formerTables {
            guard let former = try inspector.table(name) else { continue }
            if let reason = former.unsuitability(inspector.dialect) {
                throw SchemaError.unsuitableTable(className: map.name, table: former.name, reason: reason)
            }
            steps.renameTable(former.name, to: map.table)
            steps.dropIndexes(of: former.name, try inspector.indexNames(of: former.name))
            return
        }
    }
}

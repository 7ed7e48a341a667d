internal import StoreEngine

// Fetching the results of joins.
extension Fetch {
    /// The objects that a join finds: for each row, one object or nil for each side.
    func objects(_ definition: JoinDefinition) throws -> [[PersistentObject?]] {
        let spaces = try spaces(definition)
        let plan = try JoinPlan(definition, spaces.map(\.map), session.directory)
        return try session.readTransaction.inOneState {
            var rows: [[Int64?]] = []
            try spaces[0].forEachRow(
                of: plan.ids(definition), bind: { try plan.bind(definition, to: $0, session) }
            ) { statement in
                memory.lookForCommits()
                rows.append(
                    spaces.indices.map { side in
                        let column = statement.column(Int32(side))
                        return column.isNull ? nil : statement.integer(Int32(side))
                    })
            }
            let found = try spaces.indices.map { side in
                try currentObjects(spaces[side], Set(rows.compactMap { $0[side] }))
            }
            return rows.map { row in row.indices.map { side in row[side].flatMap { found[side][$0] } } }
        }
    }

    func count(_ definition: JoinDefinition) throws -> Int {
        try integer(definition) { $0.count(definition) }
    }

    func exists(_ definition: JoinDefinition) throws -> Bool {
        try integer(definition) { $0.exists(definition) } != 0
    }

    private func integer(_ definition: JoinDefinition, _ sql: (JoinPlan) -> SQL) throws -> Int {
        let spaces = try spaces(definition)
        let plan = try JoinPlan(definition, spaces.map(\.map), session.directory)
        var number = 0
        try spaces[0].forEachRow(of: sql(plan), bind: { try plan.bind(definition, to: $0, session) }) {
            number = Int($0.integer(0))
        }
        return number
    }

    private func spaces(_ definition: JoinDefinition) throws -> [ClassSpace] {
        try definition.check()
        // Preparing a class can register other classes of its hierarchy, which changes the statements of the spaces.
        for side in definition.sides { _ = try session.space(of: side.type) }
        return try definition.sides.map { try session.space(of: $0.type) }
    }

    /// The objects of several rows as they are stored now, from memory if the file is unchanged.
    private func currentObjects(_ space: ClassSpace, _ ids: Set<Int64>) throws -> [Int64: PersistentObject] {
        var found: [Int64: PersistentObject] = [:]
        // The targets of weak references may have been released meanwhile.
        if !space.map.links.hasWeakReferences {
            for id in ids {
                guard let object = space.identity.object(for: id), object.freshness == memory.epoch else { continue }
                found[id] = object
            }
        }
        let missing = ids.filter { found[$0] == nil }.sorted()
        guard !missing.isEmpty else { return found }
        return try found.merging(fetchRows(space, missing)) { _, row in row }
    }
}

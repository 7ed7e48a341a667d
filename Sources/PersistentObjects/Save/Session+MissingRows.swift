internal import StoreEngine

// What a save says of rows that are not there any more.
extension Session {
    /// The rows of collections are written into a table of their own: the owner's row is not met on the way.
    func checkOwners(_ updates: [RowUpdate], _ space: ClassSpace) throws {
        let owners = updates.filter(\.columns.isEmpty).map(\.rowID)
        guard !owners.isEmpty else { return }
        let there = Set(try connection.integers(space.sql.selectIDs, owners))
        if let gone = owners.first(where: { !there.contains($0) }) {
            throw space.located(
                StoreError(.rowGone, "the row is not there any more; somebody deleted it"), rowID: gone)
        }
    }

    /// Which reference of a plan is to a row that is not there.
    func brokenReference(in plan: SavePlan) throws -> any Error {
        let written = plan.inserts.map { ($0.0, $0.1) } + plan.updates.map { ($0.0, $0.1.map(\.object)) }
        for (space, objects) in written {
            for place in space.map.links.targets {
                guard let codec = space.map.properties[place].codec as? any LinkCodec else { continue }
                let target = try self.space(of: codec.target)
                for object in objects {
                    let start = ObjectMemory.start(of: object)
                    guard space.map.properties[place].isLoaded(in: start) else { continue }
                    var ids: [Int64] = []
                    codec.forEachTarget(space.map.properties[place].address(in: start)) { ids.append($0.rowID) }
                    guard !ids.isEmpty else { continue }
                    let there = Set(try connection.integers(target.sql.selectIDs, ids))
                    if let gone = ids.first(where: { !there.contains($0) }) {
                        return space.located(
                            StoreError(
                                .brokenReference,
                                "it refers to \(target.map.name) #\(gone), which somebody deleted; set another or nil"),
                            property: place, rowID: object.id)
                    }
                }
            }
        }
        for (space, objects) in plan.inserts {
            let ids = objects.map(\.rowID)
            let there = Set(try connection.integers(space.sql.selectIDs, ids))
            guard let gone = ids.first(where: { !there.contains($0) }) else { continue }
            return space.located(
                StoreError(
                    .constraint,
                    "the row is not there any more after its insert; a trigger of the table \(space.map.table) has "
                        + "deleted it or given it another id, which no trigger may do; drop or mend the trigger"),
                rowID: gone)
        }
        return try brokenKey(in: plan) ?? StoreError(.constraint, "a reference is to a row that is not there")
    }

    /// The error for rows of existing tables that refer by its key to a row whose key the save has changed, or to none.
    private func brokenKey(in plan: SavePlan) throws -> StoreError? {
        for map in store.classes.preparedMaps where map.foreign != nil {
            for (rowID, column) in try connection.schema.brokenReferences(in: map.table) {
                let folded = Naming.folded(column)
                let property = map.properties.first { $0.columns.contains { Naming.folded($0) == folded } }
                let target = try property?.linkedClass.map { try ClassMap.map(of: $0).table } ?? ""
                for (space, updates) in plan.updates where space.map.table == target {
                    let key = space.map.foreign?.key ?? []
                    guard let update = updates.first(where: { key.contains(where: $0.changed.contains) }) else {
                        continue
                    }
                    let names = key.map { space.map.properties[$0].name }.joined(separator: ", ")
                    let place = "\(map.name).\(property?.name ?? column)" + (rowID.map { " #\($0)" } ?? "")
                    return StoreError(
                        .constraint,
                        "rows refer to the key that it had, \(place) for one, so the key cannot be changed; nothing was "
                            + "saved; save a new object with the new key, and have them refer to that",
                        className: space.map.name, property: names, rowID: update.rowID)
                }
                return StoreError(
                    .constraint, "it refers to a row that is not there; nothing was saved; set another",
                    className: map.name, property: property?.name ?? column, rowID: rowID)
            }
        }
        return nil
    }
}

internal import StoreEngine

// Errors of a save for rows that no longer exist.
extension Save {
    /// Checks that the rows of owners exist if only their collections change, because the owner's row is not written
    /// then.
    func checkOwners(_ updates: [RowUpdate], _ space: ClassSpace) throws {
        let owners = updates.filter(\.columns.isEmpty).map(\.rowID)
        guard !owners.isEmpty else { return }
        let there = Set(try connection.integers(space.sql.selectIDs, owners))
        if let missing = owners.first(where: { !there.contains($0) }) {
            throw space.located(
                StoreError(
                    .rowGone, "The row was deleted. Nothing was saved. Call copy() to save the values in a new row"),
                rowID: missing)
        }
    }

    /// The error for the reference of a plan that points to a row that does not exist.
    func brokenReference(in plan: SavePlan) throws -> any Error {
        let written = plan.inserts.map { ($0.0, $0.1) } + plan.updates.map { ($0.0, $0.1.map(\.object)) }
        for (space, objects) in written {
            for ordinal in space.map.links.targets {
                guard let codec = space.map.properties[ordinal].codec as? any LinkCodec else { continue }
                let target = try session.space(of: codec.target)
                for object in objects {
                    let start = ObjectMemory.start(of: object)
                    guard space.map.properties[ordinal].isLoaded(in: start) else { continue }
                    var ids: [Int64] = []
                    codec.forEachTarget(space.map.properties[ordinal].address(in: start)) { ids.append($0.rowID) }
                    guard !ids.isEmpty else { continue }
                    let there = Set(try connection.integers(target.sql.selectIDs, ids))
                    if let missing = ids.first(where: { !there.contains($0) }) {
                        return space.located(
                            StoreError(
                                .brokenReference,
                                "The object refers to \(target.map.name) #\(missing), which was deleted. Nothing was "
                                    + "saved. Set another object or nil"),
                            property: ordinal, rowID: object.id)
                    }
                }
            }
        }
        for (space, objects) in plan.inserts { try checkInserted(objects.map(\.rowID), space) }
        if let error = try brokenKey(in: plan) { return error }
        let object = plan.updates.first?.1.first?.object ?? plan.inserts.first?.1.first
        return StoreError(
            .constraint,
            "A row of a table without a class refers, or would refer, to a value that does not exist. Nothing was saved. "
                + "Keep the values to which other tables refer, or save the rows that they need first"
        ).at(className: object.map { String(describing: type(of: $0)) }, rowID: object?.id)
    }

    /// Throws if triggers of other programs removed new rows, or changed their ids.
    func checkAfterTriggers(_ plan: SavePlan) throws {
        guard session.classes.lookForTriggers() else { return }
        for (space, objects) in plan.inserts { try checkInserted(objects.map(\.rowID), space) }
    }

    /// Throws if new rows do not exist.
    func checkInserted(_ ids: [Int64], _ space: ClassSpace) throws {
        let there = Set(try connection.integers(space.sql.selectIDs, ids))
        guard let missing = ids.first(where: { !there.contains($0) }) else { return }
        throw space.located(
            StoreError(
                .constraint,
                "The inserted row does not exist, because a trigger of the table \(space.map.table) deleted "
                    + "it or changed its id. Nothing was saved. Drop or fix the trigger"),
            rowID: missing)
    }

    /// The error for rows of existing tables that refer to a key that the save changed, or to a key that does not
    /// exist.
    private func brokenKey(in plan: SavePlan) throws -> StoreError? {
        for map in session.store.classes.preparedMaps where map.foreign != nil {
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
                    let example = "\(map.name).\(property?.name ?? column)" + (rowID.map { " #\($0)" } ?? "")
                    return StoreError(
                        .constraint,
                        "The key cannot be changed, because rows refer to its old value, for example \(example). "
                            + "Nothing was saved. Save a new object with the new key, and change the references to it",
                        className: space.map.name, property: names, rowID: update.rowID)
                }
                return StoreError(
                    .constraint, "The object refers to a row that does not exist. Nothing was saved. Set another",
                    className: map.name, property: property?.name ?? column, rowID: rowID)
            }
        }
        return nil
    }
}

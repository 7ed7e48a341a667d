internal import StoreEngine

/// The work of a save, in the best order for writing it. It does not retain the objects of updates.
struct SavePlan {
    /// Classes of referenced objects come before the classes that refer to them, unless references form a cycle.
    private(set) var inserts: [(ClassSpace, [PersistentObject])] = []
    /// Sorted by row id in each class.
    private(set) var updates: [(ClassSpace, [RowUpdate])] = []

    /// Saved objects that were removed from an inverse that owns its objects; deleted unless something else owns them.
    var leaving: [LeavingObject] = []

    /// The written values of objects whose encoding runs user code, which may edit them during the save.
    private var written: [ObjectIdentifier: ObjectCopy] = [:]

    /// The options of the save.
    let options: SaveOptions

    init(_ options: SaveOptions) { self.options = options }

    var isEmpty: Bool { inserts.isEmpty && updates.isEmpty }

    /// Whether the updates free unique values, so that rows may exchange them.
    var canPark: Bool {
        updates.contains { space, updates in
            space.map.hasUniqueIndexOfSome || updates.contains { space.map.hasUnique($0.columns) }
        }
    }

    /// Whether the save may delete objects that were removed from their owners.
    var mayDelete: Bool { !leaving.isEmpty || updates.contains { !$0.0.map.links.owningCollections.isEmpty } }

    /// Whether the classes of updated objects have collections, whose rows are in separate tables.
    var updatesOwners: Bool { updates.contains { !$0.0.map.links.collections.isEmpty } }

    private var insertPlaces: [ObjectIdentifier: Int] = [:]
    private var updatePlaces: [ObjectIdentifier: Int] = [:]
    /// The class of the last object without links, because consecutive objects often have the same class.
    private var last: (keeper: Borrowed<ObjectKeeper>, map: ClassMap, place: Int)?

    /// Adds an object to save and its changes; `order()` must follow.
    mutating func add(_ object: PersistentObject, _ session: SessionParts) throws {
        let space = try session.space(of: object)
        guard object.lifecycle == .saved else {
            let place = insertPlaces[ObjectIdentifier(space)] ?? inserts.count
            if place == inserts.count {
                insertPlaces[ObjectIdentifier(space)] = place
                inserts.append((space, []))
            }
            try space.map.checkWritable("saved")
            if space.map.links.hasWeakReferences { try space.map.checkWeakReferences(of: object, nil) }
            inserts[place].1.append(object)
            return
        }
        let changed = changes(of: object, space.map)
        guard !changed.isEmpty else { return }
        try space.map.checkSaves(changed, rowID: object.rowID)
        if space.map.links.hasWeakReferences { try space.map.checkWeakReferences(of: object, changed) }
        updates[updatePlace(of: space)].1.append(RowUpdate(object: object, changed: changed, space.map))
    }

    /// Adds the changes of a saved object of a class without links; returns false for any other object.
    ///
    /// Objects are read once and not retained, because each pass over 100,000 objects waits for their memory.
    @inline(__always)
    mutating func addAlone(_ object: PersistentObject, _ session: SessionParts) throws -> Bool {
        let start = ObjectMemory.start(of: object)
        guard let block = start.header.baseline, let keeper = start.header.keeper else { return false }
        if last?.keeper != keeper {
            guard let identity = object.identityMap, identity.classMap.isUpdatedAlone else { return false }
            try session.checkOwns(object)
            last = (keeper, identity.classMap, updatePlace(of: try session.space(of: object)))
        }
        guard let last else { return false }
        let changed = last.map.baseline.changes(start, block)
        if !changed.isEmpty {
            updates[last.place].1.append(RowUpdate(object: object, changed: changed, last.map))
        }
        return true
    }

    private func changes(of object: PersistentObject, _ map: ClassMap) -> ColumnSet {
        guard let block = object.baseline else { return ColumnSet() }
        let start = ObjectMemory.start(of: object)
        if options.flags.contains(.withoutTimestamps) { return map.baseline.changes(start, block) }
        let changed = map.changesToSave(start, block)
        // The store maintains this date. If it is the only property that the user set, the edit is discarded.
        if changed.isEmpty, let updated = map.timestamps?.updated,
            !map.baseline.isSame(map.baseline.slots[updated.ordinal], start, block)
        {
            map.baseline.restore(updated.ordinal, of: start, from: block) { _, _ in nil }
        }
        return changed
    }

    private mutating func updatePlace(of space: ClassSpace) -> Int {
        if let place = updatePlaces[ObjectIdentifier(space)] { return place }
        updates.append((space, []))
        updatePlaces[ObjectIdentifier(space)] = updates.count - 1
        return updates.count - 1
    }

    /// Sets the dates that the store maintains in the objects, and adds them to the properties to write.
    mutating func stamp(_ times: inout Timestamps) {
        guard !options.flags.contains(.withoutTimestamps) else { return }
        for (space, objects) in inserts {
            guard let dates = space.map.timestamps else { continue }
            for object in objects { times.stamp(inserted: object, dates) }
        }
        for place in updates.indices {
            let map = updates[place].0.map
            guard let dates = map.timestamps, let updated = dates.updated else { continue }
            for index in updates[place].1.indices {
                let update = updates[place].1[index]
                times.stamp(updated: update.object, dates)
                var changed = update.changed
                changed.insert(updated.ordinal)
                updates[place].1[index] = RowUpdate(object: update.object, changed: changed, map)
            }
        }
    }

    /// Rounds the objects' dates to the precision of their columns; returns the rounded properties of observed classes.
    func round() -> [(object: PersistentObject, map: ClassMap, ordinals: [Int])] {
        var rounded: [(object: PersistentObject, map: ClassMap, ordinals: [Int])] = []
        func round(_ object: PersistentObject, _ map: ClassMap, _ isWritten: (Int) -> Bool) {
            let start = ObjectMemory.start(of: object)
            let ordinals = map.roundedOrdinals.filter { ordinal in
                let property = map.properties[ordinal]
                return isWritten(ordinal) && property.isLoaded(in: start)
                    && property.codec.round(property.address(in: start))
            }
            if !ordinals.isEmpty, map.observed != nil { rounded.append((object, map, ordinals)) }
        }
        for (space, objects) in inserts where !space.map.roundedOrdinals.isEmpty {
            for object in objects { round(object, space.map) { _ in true } }
        }
        for (space, updates) in updates where !space.map.roundedOrdinals.isEmpty {
            for update in updates { round(update.object, space.map, update.changed.contains) }
        }
        return rounded
    }

    /// Replaces the updates of one class by the remaining updates.
    mutating func replaceUpdates(_ place: Int, by left: [RowUpdate]) { updates[place].1 = left }

    /// Removes the updates of rows that the save deletes.
    mutating func dropUpdates(where isMissing: (ClassSpace, RowUpdate) -> Bool) {
        for place in updates.indices {
            let space = updates[place].0
            updates[place].1.removeAll { isMissing(space, $0) }
        }
        updates.removeAll { $0.1.isEmpty }
    }

    /// Increments the versions in the objects of classes with a version, and adds them to the properties to write.
    mutating func countUp(_ versions: inout VersionCounts) {
        for place in updates.indices {
            let map = updates[place].0.map
            guard let version = updates[place].0.versionOrdinal else { continue }
            for index in updates[place].1.indices {
                let update = updates[place].1[index]
                versions.countUp(update.object, map, version)
                var changed = update.changed
                changed.insert(version)
                updates[place].1[index] = RowUpdate(object: update.object, changed: changed, map)
            }
        }
    }

    /// Sorts the plan into the best order for writing.
    mutating func order() {
        updates.removeAll { $0.1.isEmpty }
        if inserts.count > 1 { putParentsFirst() }
        putInRowOrder()
    }

    /// Sorts the classes of new objects so that each class follows the classes it refers to. In a cycle any order is
    /// correct, because foreign keys are checked at the commit.
    private mutating func putParentsFirst() {
        var left = inserts
        inserts = []
        while !left.isEmpty {
            let roots = left.map { ObjectIdentifier($0.0.map.root) }
            let next =
                left.firstIndex { space, _ in
                    space.map.links.references.allSatisfy { ordinal in
                        guard let codec = space.map.properties[ordinal].codec as? ReferenceCodec,
                            let target = try? ClassMap.map(of: codec.target)
                        else { return true }
                        return target.root == space.map.root || !roots.contains(ObjectIdentifier(target.root))
                    }
                } ?? 0
            inserts.append(left.remove(at: next))
        }
    }

    /// Sorts updates by row id, because any other order misses SQLite's page cache. Removes repeated updates of a row.
    private mutating func putInRowOrder() {
        for place in updates.indices {
            let isOrdered = zip(updates[place].1, updates[place].1.dropFirst()).allSatisfy { $0.rowID < $1.rowID }
            if isOrdered { continue }
            updates[place].1.sort { $0.rowID < $1.rowID }
            var last: Int64?
            updates[place].1.removeAll { update in
                defer { last = update.rowID }
                return last == update.rowID
            }
        }
    }

    /// The error if an object cannot be saved, regardless of its values.
    @inline(__always)
    static func refusal(_ object: PersistentObject) -> StoreError? {
        switch object.lifecycle {
        case .new, .saved: nil
        case .deleted: deletedError(object)
        case .untracked: .untracked(object, "so neither it nor an object that refers to it can be saved")
        }
    }

    private static func deletedError(_ object: PersistentObject) -> StoreError {
        StoreError(
            .objectIsDeleted, "The object was deleted. Nothing was saved. Call copy() to save its values in a new row",
            className: String(describing: type(of: object)), rowID: object.rowID)
    }
}

// Edits that a user's `encode(to:)` makes during the save.
extension SavePlan {
    /// Copies the values that are about to be written.
    mutating func keepWritten() {
        for (space, objects) in inserts where !space.map.editableInSave.isEmpty {
            for object in objects {
                written[ObjectIdentifier(object)] = ObjectCopy(of: object, space.map, space.map.editableInSave)
            }
        }
        for (space, updates) in updates where !space.map.editableInSave.isEmpty {
            for update in updates {
                var ordinals = ColumnSet()
                update.changed.forEach { if space.map.editableInSave.contains($0) { ordinals.insert($0) } }
                if ordinals.isEmpty { continue }
                written[ObjectIdentifier(update.object)] = ObjectCopy(of: update.object, space.map, ordinals)
            }
        }
    }

    /// Sets the baseline of an object to the written values if user code changed them since, so that the changes are
    /// edits.
    func keepEdits(of object: PersistentObject) {
        if !written.isEmpty { written[ObjectIdentifier(object)]?.rebaseChanges(of: object) }
    }
}

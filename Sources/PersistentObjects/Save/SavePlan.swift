internal import StoreEngine

/// The work of a save, in the best order for writing it. It does not keep the objects of updates.
struct SavePlan {
    /// Parents before those that refer to them, as far as classes have an order.
    private(set) var inserts: [(ClassSpace, [PersistentObject])] = []
    /// In the order of the rows.
    private(set) var updates: [(ClassSpace, [RowUpdate])] = []

    /// Saved objects that left an inverse which owns its objects, and go unless something else owns them.
    var leaving: [LeavingObject] = []

    /// The written values of objects whose encoding runs user code, which may edit them meanwhile.
    private var written: [ObjectIdentifier: ObjectCopy] = [:]

    /// The options of the save.
    let options: SaveOptions

    init(_ options: SaveOptions) { self.options = options }

    var isEmpty: Bool { inserts.isEmpty && updates.isEmpty }

    /// Whether unique values are about to become free, so that rows may have each other's.
    var canPark: Bool {
        updates.contains { space, updates in
            space.map.hasUniqueIndexOfSome || updates.contains { space.map.hasUnique($0.columns) }
        }
    }

    /// Whether objects may have left what owns them, and be deleted.
    var mayDelete: Bool { !leaving.isEmpty || updates.contains { !$0.0.map.links.owningCollections.isEmpty } }

    /// Whether objects are updated that have more rows than their own.
    var updatesOwners: Bool { updates.contains { !$0.0.map.links.collections.isEmpty } }

    private var insertPlaces: [ObjectIdentifier: Int] = [:]
    private var updatePlaces: [ObjectIdentifier: Int] = [:]
    /// Most objects in a row are of one class: the one of the last object that leads to nothing.
    private var last: (keeper: Borrowed<ObjectKeeper>, map: ClassMap, place: Int)?

    /// Adds an object that is to be saved and its changes; `order()` must follow.
    mutating func add(_ object: PersistentObject, _ session: Session) throws {
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

    /// Adds the changes of a saved object of a class without links, which leads to no other; false for any other object.
    ///
    /// Each look at 100,000 objects waits for their memory, so there is one, and no object is retained.
    @inline(__always)
    mutating func addAlone(_ object: PersistentObject, _ session: Session) throws -> Bool {
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
        // The store keeps this date: one that the user has set, and nothing else, is not for it.
        if changed.isEmpty, let updated = map.timestamps?.updated,
            !map.baseline.isSame(map.baseline.slots[updated.place], start, block)
        {
            map.baseline.restore(updated.place, of: start, from: block) { _, _ in nil }
        }
        return changed
    }

    private mutating func updatePlace(of space: ClassSpace) -> Int {
        if let place = updatePlaces[ObjectIdentifier(space)] { return place }
        updates.append((space, []))
        updatePlaces[ObjectIdentifier(space)] = updates.count - 1
        return updates.count - 1
    }

    /// Sets the dates that the store keeps, in the objects; they are written with them.
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
                changed.insert(updated.place)
                updates[place].1[index] = RowUpdate(object: update.object, changed: changed, map)
            }
        }
    }

    /// Rounds dates to what their columns have room for, in the objects; the answer is in which of an observed class.
    func round() -> [(object: PersistentObject, map: ClassMap, places: [Int])] {
        var rounded: [(object: PersistentObject, map: ClassMap, places: [Int])] = []
        func round(_ object: PersistentObject, _ map: ClassMap, _ isWritten: (Int) -> Bool) {
            let start = ObjectMemory.start(of: object)
            let places = map.roundedPlaces.filter { place in
                let property = map.properties[place]
                return isWritten(place) && property.isLoaded(in: start)
                    && property.codec.round(property.address(in: start))
            }
            if !places.isEmpty, map.observed != nil { rounded.append((object, map, places)) }
        }
        for (space, objects) in inserts where !space.map.roundedPlaces.isEmpty {
            for object in objects { round(object, space.map) { _ in true } }
        }
        for (space, updates) in updates where !space.map.roundedPlaces.isEmpty {
            for update in updates { round(update.object, space.map, update.changed.contains) }
        }
        return rounded
    }

    /// Replaces the updates of one class by what is left of them.
    mutating func replaceUpdates(_ place: Int, by left: [RowUpdate]) { updates[place].1 = left }

    /// Takes the updates of rows out that the save deletes.
    mutating func dropUpdates(where isGone: (ClassSpace, RowUpdate) -> Bool) {
        for place in updates.indices {
            let space = updates[place].0
            updates[place].1.removeAll { isGone(space, $0) }
        }
        updates.removeAll { $0.1.isEmpty }
    }

    /// Counts the versions of objects that have one up, in the objects; they are written with them.
    mutating func countUp(_ versions: inout VersionCounts) {
        for place in updates.indices {
            let map = updates[place].0.map
            guard let version = updates[place].0.versionPlace else { continue }
            for index in updates[place].1.indices {
                let update = updates[place].1[index]
                versions.countUp(update.object, map, version)
                var changed = update.changed
                changed.insert(version)
                updates[place].1[index] = RowUpdate(object: update.object, changed: changed, map)
            }
        }
    }

    /// Brings all into the order in which it is best written.
    mutating func order() {
        updates.removeAll { $0.1.isEmpty }
        if inserts.count > 1 { putParentsFirst() }
        putInRowOrder()
    }

    /// Orders the classes of new objects so that each comes after those it refers to. In a circle any order is right:
    /// foreign keys are checked at the commit.
    private mutating func putParentsFirst() {
        var left = inserts
        inserts = []
        while !left.isEmpty {
            let roots = left.map { ObjectIdentifier($0.0.map.root) }
            let next =
                left.firstIndex { space, _ in
                    space.map.links.references.allSatisfy { place in
                        guard let codec = space.map.properties[place].codec as? ReferenceCodec,
                            let target = try? ClassMap.map(of: codec.target)
                        else { return true }
                        return target.root == space.map.root || !roots.contains(ObjectIdentifier(target.root))
                    }
                } ?? 0
            inserts.append(left.remove(at: next))
        }
    }

    /// Updates in any other order miss SQLite's page cache. An object that was reached several times is one row.
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

    /// Why an object cannot be saved, whatever is in it.
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
    /// Keeps what is about to be written.
    mutating func keepWritten() {
        for (space, objects) in inserts where !space.map.editableInSave.isEmpty {
            for object in objects {
                written[ObjectIdentifier(object)] = ObjectCopy(of: object, space.map, space.map.editableInSave)
            }
        }
        for (space, updates) in updates where !space.map.editableInSave.isEmpty {
            for update in updates {
                var places = ColumnSet()
                update.changed.forEach { if space.map.editableInSave.contains($0) { places.insert($0) } }
                if places.isEmpty { continue }
                written[ObjectIdentifier(update.object)] = ObjectCopy(of: update.object, space.map, places)
            }
        }
    }

    /// Has the baseline of an object say what was written where the object has something else by now, which is an edit.
    func keepEdits(of object: PersistentObject) {
        if !written.isEmpty { written[ObjectIdentifier(object)]?.rebaseChanges(of: object) }
    }
}

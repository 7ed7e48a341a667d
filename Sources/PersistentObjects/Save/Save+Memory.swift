internal import StoreEngine

// Updates of the objects in memory after their rows are written.
extension Save {
    func didSave(_ plan: SavePlan) {
        // All new objects are registered before the baselines capture the ids of their link targets.
        let changes = plan.isEmpty ? nil : session.writing.beginRemembering()
        for (space, objects) in plan.inserts {
            for object in objects {
                didInsert(object, object.rowID, space)
                plan.keepEdits(of: object)
            }
            recordArrivals(objects, space)
            if objects.count == 1 {
                changes?.addInserted(objects[0], space.map)
            } else {
                changes?.addInserted(objects, space.map)
            }
        }
        var others = InverseChanges()
        for (space, objects) in plan.inserts where !space.map.links.isEmpty {
            let links = space.map.links.all
            let mirrored = mirroredPlaces(of: space.map)
            for object in objects {
                guard let block = object.baseline else { continue }
                for ordinal in mirrored { recordRelink(object, space.map, ordinal, isNew: true, &others) }
                space.map.baseline.recapture(links, of: ObjectMemory.start(of: object), in: block)
                plan.keepEdits(of: object)
                leaveInversesUnread(of: object, space.map, block)
            }
        }
        for (space, updates) in plan.updates {
            let hasLinks = !space.map.links.isEmpty
            let mirrored = hasLinks ? mirroredPlaces(of: space.map) : []
            let hasKeys = !space.hierarchy.uniqueKeys.isEmpty
            let baseline = space.map.baseline
            for update in updates {
                guard let block = update.object.baseline else { continue }
                news.recordUpdate(update.object, space.map, update.changed, plan.options)
                changes?.addUpdated(update.object, space.map, update.changed)
                for ordinal in mirrored where update.changed.contains(ordinal) {
                    recordRelink(update.object, space.map, ordinal, isNew: false, &others)
                }
                baseline.recapture(update.changed, of: ObjectMemory.start(of: update.object), in: block)
                plan.keepEdits(of: update.object)
                if hasLinks {
                    for ordinal in space.map.links.held where update.changed.contains(ordinal) {
                        memory.inverses.didFill(
                            update.object, ordinal, size: baseline.image(ordinal, in: block).ids.count)
                    }
                }
                if hasKeys { space.indexKeys(of: update.object) }
            }
        }
        others.apply(memory.inverses)
        releaseFilteredInverses(plan)
        for (space, objects) in plan.inserts { news.recordInserts(objects, space.map, plan.options) }
    }

    /// Releases inverses with a condition, because an object added to one of them may not meet its condition.
    private func releaseFilteredInverses(_ plan: SavePlan) {
        for (space, objects) in plan.inserts {
            for ordinal in space.map.links.filteredInverses {
                for object in objects { _ = FilteredInverses.release(ordinal, of: object, space.map.baseline) }
            }
            memory.inverses.didChangeValues(of: space.map)
        }
        for (space, updates) in plan.updates {
            for ordinal in space.map.links.filteredInverses {
                for update in updates { _ = FilteredInverses.release(ordinal, of: update.object, space.map.baseline) }
            }
            guard !memory.inverses.filtered.isEmpty else { continue }
            var changed = ColumnSet()
            for update in updates { update.changed.forEach { changed.insert($0) } }
            memory.inverses.didChangeValues(of: space.map, changed)
        }
    }

    /// An inverse that was never accessed is loaded on its first access: if it were filled with the objects that refer
    /// to its owner, these and the owner would keep each other in memory.
    private func leaveInversesUnread(of object: PersistentObject, _ map: ClassMap, _ block: Address) {
        for ordinal in map.links.held {
            let count = map.baseline.image(ordinal, in: block).ids.count
            if count > 0 {
                memory.inverses.didFill(object, ordinal, size: count)
            } else if !map.properties[ordinal].isWeaklyLazy {
                map.baseline.slots[ordinal].box(in: ObjectMemory.start(of: object))?.state = .unloaded
            }
        }
    }

    /// The links whose targets may have an inverse in memory.
    private func mirroredPlaces(of map: ClassMap) -> [Int] {
        map.links.targets.filter { ordinal in
            guard let codec = map.properties[ordinal].codec as? any LinkCodec, !(codec is InverseCodec) else {
                return false
            }
            return (try? session.space(of: codec.target))?.hierarchy.hasInverses ?? true
        }
    }

    /// Records the changes to the other sides in memory that follow from a changed link of an object.
    private func recordRelink(
        _ object: PersistentObject, _ map: ClassMap, _ ordinal: Int, isNew: Bool, _ others: inout InverseChanges
    ) {
        guard let block = object.baseline else { return }
        let slot = map.baseline.slots[ordinal]
        let links = slot.links
        var targets: [PersistentObject] = []
        links.forEachTarget(slot.address(in: ObjectMemory.start(of: object))) { targets.append($0) }
        let old = isNew ? [] : map.baseline.image(ordinal, in: block).ids
        let rows = try? session.space(of: links.target).identity
        others.relink(object, map, ordinal, from: old, to: targets) { rows?.object(for: $0) }
    }

    /// Records new objects whose ids earlier rows may have had, because an undo must not mistake them for the objects
    /// of these rows.
    func recordArrivals(_ objects: [PersistentObject], _ space: ClassSpace) {
        guard let history = session.writing.undoHistory, space.map.takesGivenIDs || space.map.foreign != nil else {
            return
        }
        history.departed.recordArrivals(objects, of: space.map.table, oldest: history.oldestNumber)
    }

    func didInsert(_ object: PersistentObject, _ id: Int64, _ space: ClassSpace) {
        object.freshness = memory.freshnessOfWritten
        let start = ObjectMemory.start(of: object)
        func register() -> PersistentObject? {
            let block = space.identity.takeBlock()
            space.map.baseline.capture(start, to: block)
            return space.identity.register(
                IdentityMap.Arrival(object: object, key: id, block: block, identity: space.identity))
        }
        // A custom encode(to:) that fetches its class can load the new row before this. The saved object replaces the
        // fetched object.
        while let intruder = register() { intruder.identityMap?.remove(intruder) }
        if !space.hierarchy.uniqueKeys.isEmpty { space.indexKeys(of: object) }
        for ordinal in space.map.links.boxes {
            guard let box = space.map.properties[ordinal].box(in: start) else { continue }
            box.attach(to: object, at: ordinal, space.map.observed)
        }
    }

    func didUpdate(_ object: PersistentObject, _ changed: ColumnSet, _ space: ClassSpace) {
        guard let block = object.baseline else { return }
        space.map.baseline.recapture(changed, of: ObjectMemory.start(of: object), in: block)
        if !space.hierarchy.uniqueKeys.isEmpty { space.indexKeys(of: object) }
    }
}

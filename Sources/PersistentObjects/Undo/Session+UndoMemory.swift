internal import StoreEngine

// After an undo: objects in memory follow the rows that it has written. Nothing fails here, the rows are there; what
// cannot be read now the next fetch reads, or says why not.
extension Session {
    /// Brings the objects of some rows, and inverses that these are in, to what the file has.
    func follow(_ rows: [ChangedRow], _ departed: DepartedObjects) {
        var revived: [PersistentObject] = []
        // By root class; the rows of collections are their owners'.
        var changed: [ObjectIdentifier: (root: ClassMap, ids: Set<Int64>)] = [:]
        var hasNewNumbers = false
        // Rows that are not there any more.
        var gone: [ObjectIdentifier: (root: ClassMap, ids: Set<Int64>)] = [:]
        for row in rows {
            guard let owner = store.classes.owner(of: row.table), let root = try? ClassMap.map(of: owner.map.root)
            else { continue }
            guard owner.map.foreign == nil || isNamedByID(row.table) else {
                // Which rows these are the keys do not tell, and they have other numbers by now.
                hasNewNumbers = true
                changed[ObjectIdentifier(root), default: (root, [])].ids.formUnion(liveIDs(of: root))
                continue
            }
            guard let id = row.key else { continue }
            changed[ObjectIdentifier(root), default: (root, [])].ids.insert(id)
            if owner.property == nil {
                if row.operation == .delete { gone[ObjectIdentifier(root), default: (root, [])].ids.insert(id) }
                if row.operation == .insert { gone[ObjectIdentifier(root)]?.ids.remove(id) }
            }
            if row.operation == .delete, owner.property == nil {
                pendingEdits.drop([id]) { $0.root == root.type }
            }
            if row.operation == .insert, owner.property == nil, let object = departed.take(id, of: row.table) {
                revived.append(object)
            }
        }
        for (root, ids) in changed.values { pendingEdits.rebase(ids, of: root.type) }
        forgetInverses(of: changed.values.map(\.root))
        let back = revive(revived)
        do {
            try refresh(changed.values.map { ($0.root, $0.ids) })
            for (object, space) in back {
                // What it had as a deleted object is no edit.
                try reload(object)
                if !space.hierarchy.uniqueKeys.isEmpty { space.noteKeys(of: object) }
            }
        } catch {
            noteAllStale()
            // No query meets these.
            for (root, ids) in gone.values {
                guard let hierarchy = usedHierarchy(of: root.type) else { continue }
                for object in ids.compactMap({ hierarchy.rows.object(for: $0) }) { object.identityMap?.remove(object) }
            }
        }
        noteSharedTables(changed.values.map(\.root))
        if hasNewNumbers { noteAllStale() }
    }

    /// Whether the primary key of a table of others is its rows' number.
    func isNamedByID(_ table: String) -> Bool {
        let inspector = SchemaInspector(connection)
        guard let table = try? inspector.table(table) else { return false }
        return (try? ForeignID(table, inspector).column) ?? nil != nil
    }

    private func liveIDs(of root: ClassMap) -> [Int64] {
        usedHierarchy(of: root.type)?.allIdentities.flatMap { $0.liveObjects().map(\.rowID) } ?? []
    }

    /// Inverses are read again that rows of some hierarchies may be in, unless the user has edited them.
    private func forgetInverses(of roots: [ClassMap]) {
        for root in roots { noteFiltered(root) }
        for identity in allIdentities {
            let map = identity.classMap
            let places = map.links.inverses.filter { place in
                guard let other = try? InverseSide.of(map.properties[place], in: map).other,
                    let root = try? ClassMap.map(of: other.root)
                else { return false }
                return roots.contains { $0 === root }
            }
            guard !places.isEmpty else { continue }
            for object in identity.liveObjects() {
                guard let block = object.baseline else { continue }
                let start = ObjectMemory.start(of: object)
                for place in places {
                    let slot = map.baseline.slots[place]
                    guard map.baseline.isSame(slot, start, block), let box = slot.box(in: start), box.state != .unloaded
                    else { continue }
                    box.state = .unloaded
                    map.baseline.didChange(place, of: start)
                }
            }
        }
    }

    /// Reads the live objects of some rows again, each hierarchy with one query; those without a row become deleted ones.
    private func refresh(_ rows: [(root: ClassMap, ids: Set<Int64>)]) throws {
        var live: [(root: ClassMap, objects: [PersistentObject])] = []
        for (root, ids) in rows {
            guard let hierarchy = usedHierarchy(of: root.type) else { continue }
            let objects = ids.compactMap { hierarchy.rows.object(for: $0) }
            for object in objects { object.freshness = epoch &- 1 }
            if !objects.isEmpty { live.append((root, objects)) }
        }
        let loader = GraphLoader(self)
        // It is this program's own change: edits go on top of it.
        loader.rebased = Set(live.flatMap(\.objects).map { ObjectIdentifier($0) })
        do {
            try inOneState {
                for (root, objects) in live {
                    _ = try readMissing(try space(of: root.type), objects.map(\.rowID), loader)
                }
                try loader.resolve()
            }
        } catch {
            loader.discard()
            throw error
        }
        loader.applyPendingEdits()
        for (_, objects) in live {
            for object in objects where object.lifecycle == .saved && !wasMet(object) {
                object.identityMap?.remove(object)
            }
        }
    }

    /// Makes deleted objects those of their rows, which are there again; the answer is which of them are.
    private func revive(_ objects: [PersistentObject]) -> [(object: PersistentObject, space: ClassSpace)] {
        var revived: [(object: PersistentObject, space: ClassSpace)] = []
        for object in objects {
            guard let space = try? space(of: object) else { continue }
            let block = space.identity.takeBlock()
            space.map.baseline.capture(ObjectMemory.start(of: object), to: block)
            let arrival = IdentityMap.Arrival(
                object: object, key: object.rowID, block: block, identity: space.identity)
            if space.identity.register(arrival) == nil { revived.append((object, space)) }
        }
        for (object, space) in revived {
            let start = ObjectMemory.start(of: object)
            // All are saved ones by now, so their ids are those of links.
            if let block = object.baseline, !space.map.links.isEmpty {
                space.map.baseline.recapture(space.map.links.all, of: start, in: block)
            }
            for place in space.map.links.boxes {
                space.map.properties[place].box(in: start)?.attach(to: object, at: place, space.map.observed)
            }
        }
        return revived
    }
}

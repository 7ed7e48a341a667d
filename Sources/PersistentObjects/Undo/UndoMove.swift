internal import StoreEngine

/// An undo or a redo: rows go back to what they were, or forth, and memory follows.
struct UndoMove {
    let session: Session

    init(_ session: Session) { self.session = session }

    var store: Store { session.store }
    var connection: any Connection { session.connection }
    var classes: UsedClasses { session.classes }
    var memory: Memory { session.memory }
}

// After an undo: objects in memory follow the rows that it has written. Nothing fails here, the rows are there; what
// cannot be read now the next fetch reads, or says why not.
extension UndoMove {
    /// Brings the objects of some rows, and inverses that these are in, to what the file has.
    ///
    /// - Returns: The rows that have another object now, since their ids were used again.
    func follow(
        _ rows: [ChangedRow], _ departed: DepartedObjects, _ level: UndoHistory.Level
    ) -> Set<RowKey> {
        // By root class; the rows of collections are their owners'.
        var changed: [ObjectIdentifier: (root: ClassMap, ids: Set<Int64>)] = [:]
        var hasNewNumbers = false
        var fates: [RowKey: RowFate] = [:]
        for row in rows {
            guard let owner = store.classes.owner(of: row.table), let root = try? ClassMap.map(of: owner.map.root)
            else { continue }
            guard owner.map.foreign == nil || SchemaInspector(connection).isNamedByID(row.table) else {
                // Which rows these are the keys do not tell, and they have other numbers by now.
                hasNewNumbers = true
                changed[ObjectIdentifier(root), default: (root, [])].ids.formUnion(liveIDs(of: root))
                continue
            }
            guard let id = row.key else { continue }
            changed[ObjectIdentifier(root), default: (root, [])].ids.insert(id)
            if owner.property == nil { fates[RowKey(row.table, id), default: RowFate(root, row)].add(row) }
        }
        var revived: [PersistentObject] = []
        var reused: Set<RowKey> = []
        for (row, fate) in fates.sorted(by: { $0.key.id < $1.key.id }) {
            let live = classes.usedHierarchy(of: fate.root.type)?.rows.object(for: row.id)
            var successor: PersistentObject?
            if fate.exists { successor = departed.take(row) }
            // The id was used again, so the row is another object's now.
            let isReused =
                fate.existed && fate.exists
                && (fate.hasCome || successor != nil || level.reusedRows.contains(row)
                    || live.map { departed.hasArrived($0, row, in: level.numbers) } ?? false)
            if isReused {
                reused.insert(row)
                live.map { $0.identityMap?.remove($0) }
            }
            if isReused || !fate.exists { memory.pendingEdits.drop([row.id]) { $0.root == fate.root.type } }
            if let successor { revived.append(successor) }
        }
        // Links to such a row are the same as before, and lead to another object.
        for (root, ids) in referrers(of: Set(reused.compactMap { fates[$0].map { ObjectIdentifier($0.root) } })) {
            changed[ObjectIdentifier(root), default: (root, [])].ids.formUnion(ids)
        }
        for (root, ids) in changed.values { memory.pendingEdits.rebase(ids, of: root.type) }
        forgetInverses(of: changed.values.map(\.root))
        let back = revive(revived)
        do {
            try refresh(changed.values.map { ($0.root, $0.ids) })
            for (object, space) in back {
                // What it had as a deleted object is no edit.
                try Fetch(session).reload(object)
                if !space.hierarchy.uniqueKeys.isEmpty { space.indexKeys(of: object) }
            }
        } catch {
            memory.markAllStale()
            // No query meets these.
            for (row, fate) in fates where !fate.exists {
                guard let object = classes.usedHierarchy(of: fate.root.type)?.rows.object(for: row.id) else { continue }
                object.identityMap?.remove(object)
            }
        }
        memory.markStaleIfShared(changed.values.map(\.root))
        if hasNewNumbers { memory.markAllStale() }
        return reused
    }

    /// The objects in memory that may refer to objects of some root classes.
    private func referrers(of roots: Set<ObjectIdentifier>) -> [(root: ClassMap, ids: [Int64])] {
        guard !roots.isEmpty else { return [] }
        return classes.allIdentities.compactMap { identity in
            let map = identity.classMap
            let refers = map.links.targets.contains { place in
                let target = map.properties[place].linkedClass.flatMap { try? ClassMap.map(of: $0).root }
                return target.flatMap { try? ClassMap.map(of: $0) }.map { roots.contains(ObjectIdentifier($0)) }
                    ?? false
            }
            guard refers, let root = try? ClassMap.map(of: map.root) else { return nil }
            return (root, identity.liveObjects().map(\.rowID))
        }
    }

    private func liveIDs(of root: ClassMap) -> [Int64] {
        classes.usedHierarchy(of: root.type)?.allIdentities.flatMap { $0.liveObjects().map(\.rowID) } ?? []
    }

    /// Inverses are read again that rows of some hierarchies may be in, unless the user has edited them.
    private func forgetInverses(of roots: [ClassMap]) {
        for root in roots { memory.inverses.didChangeValues(of: root) }
        for identity in classes.allIdentities {
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
            guard let hierarchy = classes.usedHierarchy(of: root.type) else { continue }
            let objects = ids.compactMap { hierarchy.rows.object(for: $0) }
            for object in objects { memory.markStale(object) }
            if !objects.isEmpty { live.append((root, objects)) }
        }
        let loader = GraphLoader(session)
        // It is this program's own change: edits go on top of it.
        loader.rebased = Set(live.flatMap(\.objects).map { ObjectIdentifier($0) })
        do {
            try session.readTransaction.inOneState {
                for (root, objects) in live {
                    _ = try Fetch(session).readMissing(try session.space(of: root.type), objects.map(\.rowID), loader)
                }
                try loader.resolve()
            }
        } catch {
            loader.discard()
            throw error
        }
        loader.applyPendingEdits()
        for (_, objects) in live {
            for object in objects where object.lifecycle == .saved && !memory.isCurrent(object) {
                object.identityMap?.remove(object)
            }
        }
    }

    /// Makes deleted objects those of their rows, which are there again; the answer is which of them are.
    private func revive(_ objects: [PersistentObject]) -> [(object: PersistentObject, space: ClassSpace)] {
        var revived: [(object: PersistentObject, space: ClassSpace)] = []
        for object in objects {
            guard let space = try? session.space(of: object) else { continue }
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

/// What an undo or redo does to one row, all its changes together.
private struct RowFate {
    let root: ClassMap
    /// Whether the row was there before.
    let existed: Bool
    /// Whether it is there now.
    private(set) var exists = false
    /// Whether it was inserted, so that it is another row than before.
    private(set) var hasCome = false

    init(_ root: ClassMap, _ first: ChangedRow) {
        self.root = root
        existed = first.operation != .insert
    }

    mutating func add(_ row: ChangedRow) {
        exists = row.operation != .delete
        if row.operation == .insert { hasCome = true }
    }
}

extension SchemaInspector {
    /// Whether the primary key of an existing table is the number of its rows.
    func isNamedByID(_ table: String) -> Bool {
        guard let table = try? self.table(table) else { return false }
        return (try? ForeignID(table, self).column) ?? nil != nil
    }
}

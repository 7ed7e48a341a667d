internal import StoreEngine

/// An undo or a redo: changes the rows back or forward, and updates the objects in memory.
struct UndoMove {
    let session: Session

    init(_ session: Session) { self.session = session }

    var store: Store { session.store }
    var connection: any Connection { session.connection }
    var classes: UsedClasses { session.classes }
    var memory: Memory { session.memory }
}

// Updates of the objects in memory after an undo. Nothing fails here, because the rows are written: if an object cannot
// be read now, the next fetch reads it or throws.
extension UndoMove {
    /// Refreshes the objects of some rows, and the inverses that contain them.
    ///
    /// - Returns: The rows that belong to another object now, because their ids were reused.
    func follow(
        _ rows: [ChangedRow], _ departed: DepartedObjects, _ level: UndoHistory.Level
    ) -> Set<RowKey> {
        // The changed rows by root class. A collection's rows count as the row of their owner.
        var changed: [ObjectIdentifier: (root: ClassMap, ids: Set<Int64>)] = [:]
        var hasNewNumbers = false
        var fates: [String: TableFates] = [:]
        for (table, rows) in rows.stretchesOfTables() {
            guard let owner = store.classes.owner(of: table), let root = try? ClassMap.map(of: owner.map.root)
            else { continue }
            guard owner.map.foreign == nil || SchemaInspector(connection).isNumbered(owner.map) else {
                // The keys do not identify the rows, and the rows have new row ids.
                hasNewNumbers = true
                changed[ObjectIdentifier(root), default: (root, [])].ids.formUnion(liveIDs(of: root))
                continue
            }
            changed[ObjectIdentifier(root), default: (root, [])].ids.formUnion(rows.lazy.compactMap(\.key))
            if owner.property == nil { fates[Naming.folded(table), default: TableFates(root)].add(rows) }
        }
        var revived: [PersistentObject] = []
        var reused: Set<RowKey> = []
        var reusedRoots: Set<ObjectIdentifier> = []
        for (table, fates) in fates.sortedUnspecialized(by: { $0.key < $1.key }) {
            let hierarchy = classes.usedHierarchy(of: fates.root.type)
            for (id, fate) in fates.rows {
                let row = RowKey(folded: table, id)
                let live = hierarchy?.rows.object(for: id)
                var successor: PersistentObject?
                if fate.exists { successor = departed.take(row) }
                // If the id was reused, the row belongs to another object now.
                let isReused =
                    fate.existed && fate.exists
                    && (fate.hasCome || successor != nil || level.reusedRows.contains(row)
                        || live.map { departed.hasArrived($0, row, in: level.numbers) } ?? false)
                if isReused {
                    reused.insert(row)
                    reusedRoots.insert(ObjectIdentifier(fates.root))
                    live.map { $0.identityMap?.remove($0) }
                }
                if isReused || !fate.exists { memory.pendingEdits.drop([id]) { $0.root == fates.root.type } }
                if let successor { revived.append(successor) }
            }
        }
        // Links to a reused row have the same id as before, but refer to another object.
        for (root, ids) in referrers(of: reusedRoots) {
            changed[ObjectIdentifier(root), default: (root, [])].ids.formUnion(ids)
        }
        for (root, ids) in changed.values { memory.pendingEdits.rebase(ids, of: root.type) }
        forgetInverses(of: changed.values.map(\.root))
        let back = revive(revived)
        do {
            try refresh(changed.values.map { ($0.root, $0.ids) })
            for (object, space) in back {
                // The values of a deleted object are not edits.
                try Fetch(session).reload(object)
                if !space.hierarchy.uniqueKeys.isEmpty { space.indexKeys(of: object) }
            }
        } catch {
            memory.markAllStale()
            // No query finds the deleted rows, so their objects are removed here.
            for fates in fates.values {
                let hierarchy = classes.usedHierarchy(of: fates.root.type)
                for (id, fate) in fates.rows where !fate.exists {
                    guard let object = hierarchy?.rows.object(for: id) else { continue }
                    object.identityMap?.remove(object)
                }
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
            let refers = map.links.targets.contains { ordinal in
                let target = map.properties[ordinal].linkedClass.flatMap { try? ClassMap.map(of: $0).root }
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

    /// Unloads inverses that may contain rows of some hierarchies, unless the user edited them.
    private func forgetInverses(of roots: [ClassMap]) {
        for root in roots { memory.inverses.didChangeValues(of: root) }
        for identity in classes.allIdentities {
            let map = identity.classMap
            let ordinals = map.links.inverses.filter { ordinal in
                guard let other = try? InverseSide.of(map.properties[ordinal], in: map).other,
                    let root = try? ClassMap.map(of: other.root)
                else { return false }
                return roots.contains { $0 === root }
            }
            guard !ordinals.isEmpty else { continue }
            for object in identity.liveObjects() {
                guard let block = object.baseline else { continue }
                let start = ObjectMemory.start(of: object)
                for ordinal in ordinals {
                    let slot = map.baseline.slots[ordinal]
                    guard map.baseline.isSame(slot, start, block), let box = slot.box(in: start), box.state != .unloaded
                    else { continue }
                    box.state = .unloaded
                    map.baseline.didChange(ordinal, of: start)
                }
            }
        }
    }

    /// Reads the live objects of some rows again with one query per hierarchy, and marks objects without a row as
    /// deleted.
    private func refresh(_ rows: [(root: ClassMap, ids: Set<Int64>)]) throws {
        var live: [(root: ClassMap, objects: [PersistentObject])] = []
        for (root, ids) in rows {
            guard let hierarchy = classes.usedHierarchy(of: root.type) else { continue }
            let objects = ids.compactMap { hierarchy.rows.object(for: $0) }
            for object in objects { memory.markStale(object) }
            if !objects.isEmpty { live.append((root, objects)) }
        }
        let loader = GraphLoader(session)
        // The change is the session's, so edits are rebased onto it and cannot conflict.
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

    /// Registers deleted objects for their restored rows, and returns the registered objects.
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
            // All objects are registered now, so links to them have their ids.
            if let block = object.baseline, !space.map.links.isEmpty {
                space.map.baseline.recapture(space.map.links.all, of: start, in: block)
            }
            for ordinal in space.map.links.boxes {
                space.map.properties[ordinal].box(in: start)?.attach(to: object, at: ordinal, space.map.observed)
            }
        }
        return revived
    }
}

/// The combined effect of an undo or redo on the rows of one table.
private struct TableFates {
    let root: ClassMap
    /// The rows in the order of their first changes.
    private(set) var rows: [(id: Int64, fate: RowFate)] = []
    private var places: [Int64: Int] = [:]

    init(_ root: ClassMap) { self.root = root }

    mutating func add(_ changes: ArraySlice<ChangedRow>) {
        for change in changes {
            guard let id = change.key else { continue }
            let place = places[id] ?? rows.endIndex
            if place == rows.endIndex {
                places[id] = place
                rows.append((id, RowFate(change)))
            }
            rows[place].fate.add(change)
        }
    }
}

/// The combined effect of an undo or redo on one row.
private struct RowFate {
    /// Whether the row existed before.
    let existed: Bool
    /// Whether the row exists now.
    private(set) var exists = false
    /// Whether the row was inserted, so that it is a different row than before.
    private(set) var hasCome = false

    init(_ first: ChangedRow) { existed = first.operation != .insert }

    mutating func add(_ row: ChangedRow) {
        exists = row.operation != .delete
        if row.operation == .insert { hasCome = true }
    }
}

extension [ChangedRow] {
    /// The stretches of adjacent rows of one table: a commit's rows of a table are adjacent.
    func stretchesOfTables() -> [(table: String, rows: ArraySlice<ChangedRow>)] {
        var stretches: [(table: String, rows: ArraySlice<ChangedRow>)] = []
        var start = startIndex
        while start < endIndex {
            let table = self[start].table
            let end = self[start...].firstIndex { $0.table != table } ?? endIndex
            stretches.append((table, self[start..<end]))
            start = end
        }
        return stretches
    }
}

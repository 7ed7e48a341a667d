internal import StoreEngine

// Making links from the ids of references and the rows of collections to objects in memory.
extension GraphLoader {
    /// Reads the rows of a collection for its owners.
    func readCollections(
        _ objects: [PersistentObject], _ map: ClassMap, _ ordinal: Int, _ pending: inout PendingLinks
    ) throws {
        let space = try session.space(of: map.type)
        var owners = objects
        if !zip(owners, owners.dropFirst()).allSatisfy({ $0.rowID < $1.rowID }) {
            owners.sort { $0.rowID < $1.rowID }
            // A result can contain an object twice.
            owners = owners.indices.filter { $0 == 0 || owners[$0] !== owners[$0 - 1] }.map { owners[$0] }
        }
        let layout = map.baseline
        let slot = layout.slots[ordinal]
        let target = try (map.properties[ordinal].codec as? any LinkCodec).map { try session.space(of: $0.target) }
        let root = try target.map { try session.space(of: $0.map.root) }
        var next = 0
        try Fetch(session).readCollection(space, ordinal, owners: owners.map(\.rowID)) { owner, content in
            while next < owners.count, owners[next].rowID < owner { next += 1 }
            guard next < owners.count, owners[next].rowID == owner, let block = owners[next].baseline else { return }
            let object = owners[next]
            let start = ObjectMemory.start(of: object)
            let isEdited = undo.isRefreshed(object) && object !== reloaded && !layout.isSame(slot, start, block)
            switch content {
            case .value(let value):
                if isEdited, rule(for: object) == .keep, layout.isConflict(value, slot, slot.address(in: start), block)
                {
                    return didConflict(object)
                }
                layout.setBaseline(of: slot, to: value, in: block)
                guard !isEdited else { return }
                let field = slot.address(in: start)
                ObjectMemory.checkNotBeingAccessed(field)
                let isChange = layout.isObserved && undo.isRefreshed(object) && !layout.isSame(slot, start, block)
                slot.codec.assign(value, to: field)
                if let box = slot.box(in: start) { box.state = .loaded }
                if isChange { layout.didChange(ordinal, of: start) }
            case .links(let image):
                if isEdited, rule(for: object) == .keep, layout.isConflict(image, slot, slot.address(in: start), block)
                {
                    return didConflict(object)
                }
                let old = layout.image(ordinal, in: block).ids
                if !isEdited, undo.isRefreshed(object) { undo.record(object, map, ordinal) }
                layout.setImage(image, of: ordinal, in: block)
                guard !isEdited, let target, let root else { return }
                let (found, gone) = target.identity.objects(for: image.ids)
                guard !gone.isEmpty else { return try put(found, image, into: object, map, ordinal, target, old: old) }
                if !found.isEmpty { held.append(found) }
                pending.add(
                    .init(object: object, map: map, ordinal: ordinal, image: image, old: old, root: root),
                    missing: gone)
            }
        }
    }

    /// The object stays marked as changed elsewhere until a save has checked it.
    func didConflict(_ object: PersistentObject) { object.freshness = session.memory.conflictEpoch }

    /// Fills a collection whose objects were read.
    func finish(_ link: PendingLinks.Collection) throws {
        let (object, map, ordinal) = (link.object, link.map, link.ordinal)
        let space = try session.space(of: map.baseline.slots[ordinal].links.target)
        let (found, gone) = space.identity.objects(for: link.image.ids)
        if let first = gone.first { throw GraphLoader.broken(first, space.map, object, map, ordinal) }
        try put(found, link.image, into: object, map, ordinal, space, old: link.old)
    }

    /// Stores the objects for an image's ids in a collection.
    private func put(
        _ targets: [PersistentObject], _ image: LinkImage, into object: PersistentObject, _ map: ClassMap,
        _ ordinal: Int, _ space: ClassSpace, old: [Int64]
    ) throws {
        let areAllOfClass = space.identity.keepsAll(of: targets)
        if !areAllOfClass, let wrong = targets.first(where: { !space.contains($0) }) {
            throw GraphLoader.wrongClass(wrong, object, map, ordinal)
        }
        let slot = map.baseline.slots[ordinal]
        let start = ObjectMemory.start(of: object)
        let field = slot.address(in: start)
        ObjectMemory.checkNotBeingAccessed(field)
        let isChange = map.observed != nil && undo.isRefreshed(object) && slot.links.image(field) != image
        slot.links.restore(image, to: targets, into: field)
        if let box = slot.box(in: start) { box.state = .loaded }
        if isChange { map.baseline.didChange(ordinal, of: start) }
        guard !areAllOfClass || !old.isEmpty || !space.map.links.inverses.isEmpty else { return }
        didRead(targets, after: old, object, map, ordinal, space)
    }

    static func broken(
        _ id: Int64, _ target: ClassMap, _ object: PersistentObject, _ map: ClassMap, _ ordinal: Int
    ) -> StoreError {
        StoreError(
            .brokenReference,
            "The object refers to \(target.name) #\(id), which does not exist. Another program deleted it",
            className: map.name, property: map.properties[ordinal].name, rowID: object.rowID)
    }

    static func wrongClass(
        _ target: PersistentObject, _ object: PersistentObject, _ map: ClassMap, _ ordinal: Int
    ) -> StoreError {
        let wanted = (map.properties[ordinal].codec as? any LinkCodec)?.target
        return StoreError(
            .brokenReference,
            "The object refers to row \(target.rowID), which has the class \(type(of: target)), not "
                + "\(wanted.map { "\($0)" } ?? "")",
            className: map.name, property: map.properties[ordinal].name, rowID: object.rowID)
    }
}

internal import StoreEngine

/// One fetch of objects that have links: collects what their rows refer to, and loads it level by level.
///
/// Each level takes one query for each class of which objects are missing, and
/// one for each collection. Nothing recurses: a list of a million linked
/// objects is a million levels. Objects are in the identity map before their
/// links are followed, so cycles end.
final class GraphLoader {
    let session: Session
    /// What the rows read last refer to, by class.
    private var frames: [Frame] = []
    /// All objects that the fetch made: where it fails they must not stay in the identity map, with links missing.
    private(set) var made: [PersistentObject] = []
    private var undo = GraphUndo()
    /// The object whose edits go, where it is there already.
    private var reloaded: PersistentObject?
    /// Keeps objects until whoever refers to them does.
    private var held: [[PersistentObject]] = []

    /// The objects of one class whose links are to be made; parallel to the lists of the class's `LinkPlan`.
    final class Frame {
        let map: ClassMap
        var referrers: [[PersistentObject]]
        var owners: [[PersistentObject]]
        var boxed: [PersistentObject] = []

        init(_ map: ClassMap) {
            self.map = map
            referrers = Array(repeating: [], count: map.links.references.count)
            owners = Array(repeating: [], count: map.links.eagerCollections.count)
        }
    }

    /// A link whose objects are not in memory yet.
    private enum Waiting {
        case reference(PersistentObject, map: ClassMap, place: Int, id: Int64)
        case collection(PersistentObject, map: ClassMap, place: Int, LinkImage, old: [Int64])
    }

    init(_ session: Session) { self.session = session }

    func frame(_ map: ClassMap) -> Frame {
        if let last = frames.last, last.map === map { return last }
        if let known = frames.first(where: { $0.map === map }) { return known }
        let frame = Frame(map)
        frames.append(frame)
        return frame
    }

    /// Takes a row's links for an object that was made for it, or that it brings up to date.
    ///
    /// - Parameter keepsEdits: whether what the user has changed stays.
    func add(
        _ object: PersistentObject, _ block: UnsafeMutableRawPointer, _ map: ClassMap, _ row: GraphRow, isNew: Bool,
        keepsEdits: Bool
    ) throws(ValueFault) {
        if isNew { made.append(object) }
        guard !map.links.isEmpty else { return }
        if !isNew { undo.noteRefresh(of: object) }
        if !isNew, !keepsEdits { reloaded = object }
        let frame = frame(map)
        let start = ObjectMemory.start(of: object)
        for (index, place) in map.links.references.enumerated() {
            let id = try row.referenceID(place)
            if take(id, place, of: object, map, start, block, isNew: isNew, keepsEdits: keepsEdits) {
                frame.referrers[index].append(object)
            }
        }
        for (index, place) in map.links.eagerCollections.enumerated() {
            // An optional one has a column.
            if map.baseline.slots[place].codec.acceptsNull, row.column(place).isNull {
                setNil(place, of: object, map, start, block, keepsEdits: keepsEdits)
            } else {
                frame.owners[index].append(object)
            }
        }
        guard !map.links.boxes.isEmpty else { return }
        for place in map.links.boxes { unload(place, of: object, map, start, row, block, isNew: isNew, keepsEdits) }
        frame.boxed.append(object)
    }

    /// Notes a reference's id; the answer is whether its object is wanted now.
    private func take(
        _ id: Int64, _ place: Int, of object: PersistentObject, _ map: ClassMap, _ start: UnsafeMutableRawPointer,
        _ block: UnsafeMutableRawPointer, isNew: Bool, keepsEdits: Bool
    ) -> Bool {
        let layout = map.baseline
        let slot = layout.slots[place]
        if !isNew { didLeave(layout.referenceID(place, in: block), for: id, object, map, place) }
        if let box = slot.box(in: start) {
            let isEdited = keepsEdits && !isNew && !layout.isSame(slot, start, block)
            layout.setReferenceID(id, of: place, in: block)
            if !isEdited { box.state = .unloaded }
            return false
        }
        let field = slot.address(in: start)
        if !isNew {
            let isSame = layout.isSame(slot, start, block)
            let hasDied =
                slot.content == .weakReference && isSame && id != LinkImage.none && slot.reference.object(field) == nil
            if !hasDied, isSame || keepsEdits, layout.referenceID(place, in: block) == id { return false }
            if !keepsEdits || isSame { undo.note(object, map, place) }
            layout.setReferenceID(id, of: place, in: block)
            if keepsEdits, !isSame { return false }
            ObjectMemory.checkNotBeingAccessed(field)
        } else {
            layout.setReferenceID(id, of: place, in: block)
        }
        guard id == LinkImage.none else { return true }
        if slot.reference.object(field) != nil { slot.reference.set(nil, at: field) }
        return false
    }

    private func setNil(
        _ place: Int, of object: PersistentObject, _ map: ClassMap, _ start: UnsafeMutableRawPointer,
        _ block: UnsafeMutableRawPointer, keepsEdits: Bool
    ) {
        let layout = map.baseline
        let slot = layout.slots[place]
        guard let codec = map.properties[place].codec as? CollectionCodec else { return }
        let isEdited = keepsEdits && !layout.isSame(slot, start, block)
        let old = layout.image(place, in: block).ids
        if !old.isEmpty, !isEdited, let links = codec as? any LinkCodec,
            let space = try? session.space(of: links.target)
        {
            didRead([], after: old, object, map, place, space)
        }
        let field = slot.address(in: start)
        if isEdited {
            layout.setNilCollection(place, codec, in: block)
        } else {
            ObjectMemory.checkNotBeingAccessed(field)
            codec.setNil(at: field)
            layout.setBaseline(of: slot, to: field, in: block)
        }
    }

    /// Makes a lazy property one that is read at its next access, unless the user has changed it.
    private func unload(
        _ place: Int, of object: PersistentObject, _ map: ClassMap, _ start: UnsafeMutableRawPointer, _ row: GraphRow,
        _ block: UnsafeMutableRawPointer, isNew: Bool, _ keepsEdits: Bool
    ) {
        let layout = map.baseline
        let slot = layout.slots[place]
        guard let box = slot.box(in: start) else { return }
        box.owner = object
        box.place = Int32(place)
        // A reference's state follows from its id, which has been taken.
        if slot.content == .reference || slot.content == .weakReference {
            guard layout.referenceID(place, in: block) == LinkImage.none, box.state == .unloaded else { return }
            slot.reference.set(nil, at: slot.address(in: start))
            box.state = .loaded
            return
        }
        if !isNew, keepsEdits, !layout.isSame(slot, start, block) { return }
        box.state = .unloaded
        if map.properties[place].isSelected, row.column(place).isNull {
            setNil(place, of: object, map, start, block, keepsEdits: false)
            box.state = .loaded
        }
    }

    /// The rows of one statement have been read: lazy parts of their objects are loaded together.
    func didReadRows() {
        for frame in frames where frame.boxed.count > 1 {
            let siblings = Siblings(frame.boxed.map(\.rowID))
            for object in frame.boxed {
                let start = ObjectMemory.start(of: object)
                for place in frame.map.links.boxes {
                    frame.map.baseline.slots[place].box(in: start)?.siblings = siblings
                }
            }
        }
        for frame in frames { frame.boxed = [] }
    }

    /// Loads whatever is linked and makes the links.
    func resolve() throws {
        while !frames.isEmpty {
            let level = frames
            frames = []
            var waiting: [Waiting] = []
            var missing = MissingRows()
            for frame in level {
                for (index, objects) in frame.referrers.enumerated() where !objects.isEmpty {
                    try link(objects, frame.map, frame.map.links.references[index], &waiting, &missing)
                }
                for (index, objects) in frame.owners.enumerated() where !objects.isEmpty {
                    try readCollections(objects, frame.map, frame.map.links.eagerCollections[index], &waiting, &missing)
                }
            }
            for (space, ids) in missing.all { held.append(try session.readMissing(space, ids, self)) }
            for link in waiting { try finish(link) }
            held.removeAll(keepingCapacity: true)
        }
    }

    /// Links the references whose objects are in memory, and notes the others.
    private func link(
        _ objects: [PersistentObject], _ map: ClassMap, _ place: Int, _ waiting: inout [Waiting],
        _ missing: inout MissingRows
    ) throws {
        let reference = map.baseline.slots[place].reference
        let space = try session.space(of: reference.target)
        let root = try session.space(of: space.map.root)
        // Neighbours often refer to the same object.
        var last: (id: Int64, target: PersistentObject, hasInverse: Bool)?
        for object in objects {
            guard let block = object.baseline else { continue }
            let id = map.baseline.referenceID(place, in: block)
            if let last, last.id == id {
                try link(object, map, place, to: last.target, space, tellsInverses: last.hasInverse)
            } else if let target = space.identity.object(for: id) {
                last = (id, target, session.inverses.areRead(of: target))
                try link(object, map, place, to: target, space)
            } else {
                missing.add(id, root)
                waiting.append(.reference(object, map: map, place: place, id: id))
            }
        }
    }

    private func link(
        _ object: PersistentObject, _ map: ClassMap, _ place: Int, to target: PersistentObject, _ space: ClassSpace,
        tellsInverses: Bool = true
    ) throws {
        guard space.contains(target) else { throw GraphLoader.wrongClass(target, object, map, place) }
        let slot = map.baseline.slots[place]
        let start = ObjectMemory.start(of: object)
        let reference = slot.reference
        reference.set(target, at: slot.address(in: start))
        if reference.isWeak {
            if let block = object.baseline { map.baseline.holdWeakly(target, place, in: block) }
            session.heldTargets.append(target)
        }
        if let box = slot.box(in: start) { box.state = .loaded }
        if tellsInverses { session.inverses.didLink(object, map, place, to: target) }
    }

    /// Reads the rows of a collection for its owners.
    private func readCollections(
        _ objects: [PersistentObject], _ map: ClassMap, _ place: Int, _ waiting: inout [Waiting],
        _ missing: inout MissingRows
    ) throws {
        let space = try session.space(of: map.type)
        var owners = objects
        if !zip(owners, owners.dropFirst()).allSatisfy({ $0.rowID < $1.rowID }) {
            owners.sort { $0.rowID < $1.rowID }
            // An object can be in a result twice.
            owners = owners.indices.filter { $0 == 0 || owners[$0] !== owners[$0 - 1] }.map { owners[$0] }
        }
        let layout = map.baseline
        let slot = layout.slots[place]
        let target = try (map.properties[place].codec as? any LinkCodec).map { try session.space(of: $0.target) }
        let root = try target.map { try session.space(of: $0.map.root) }
        var next = 0
        try session.readCollection(space, place, owners: owners.map(\.rowID)) { owner, content in
            while next < owners.count, owners[next].rowID < owner { next += 1 }
            guard next < owners.count, owners[next].rowID == owner, let block = owners[next].baseline else { return }
            let object = owners[next]
            let start = ObjectMemory.start(of: object)
            let isEdited = undo.isRefreshed(object) && object !== reloaded && !layout.isSame(slot, start, block)
            switch content {
            case .value(let value):
                layout.setBaseline(of: slot, to: value, in: block)
                guard !isEdited else { return }
                let field = slot.address(in: start)
                ObjectMemory.checkNotBeingAccessed(field)
                slot.codec.assign(value, to: field)
                if let box = slot.box(in: start) { box.state = .loaded }
            case .links(let image):
                let old = layout.image(place, in: block).ids
                if !isEdited, undo.isRefreshed(object) { undo.note(object, map, place) }
                layout.setImage(image, of: place, in: block)
                guard !isEdited, let target, let root else { return }
                let (found, gone) = target.identity.objects(for: image.ids)
                guard !gone.isEmpty else { return try put(found, image, into: object, map, place, target, old: old) }
                if !found.isEmpty { held.append(found) }
                missing.add(gone, root)
                waiting.append(.collection(object, map: map, place: place, image, old: old))
            }
        }
    }

    private func finish(_ link: Waiting) throws {
        switch link {
        case .reference(let object, let map, let place, let id):
            let space = try session.space(of: map.baseline.slots[place].reference.target)
            guard let target = space.identity.object(for: id) else {
                throw GraphLoader.broken(id, space.map, object, map, place)
            }
            try self.link(object, map, place, to: target, space)
        case .collection(let object, let map, let place, let image, let old):
            let space = try session.space(of: map.baseline.slots[place].links.target)
            let (found, gone) = space.identity.objects(for: image.ids)
            if let first = gone.first { throw GraphLoader.broken(first, space.map, object, map, place) }
            try put(found, image, into: object, map, place, space, old: old)
        }
    }

    /// Puts the objects of an image's ids into a collection.
    private func put(
        _ targets: [PersistentObject], _ image: LinkImage, into object: PersistentObject, _ map: ClassMap,
        _ place: Int, _ space: ClassSpace, old: [Int64]
    ) throws {
        if let wrong = targets.first(where: { !space.contains($0) }) {
            throw GraphLoader.wrongClass(wrong, object, map, place)
        }
        let slot = map.baseline.slots[place]
        let start = ObjectMemory.start(of: object)
        let field = slot.address(in: start)
        ObjectMemory.checkNotBeingAccessed(field)
        slot.links.restore(image, to: targets, into: field)
        if let box = slot.box(in: start) { box.state = .loaded }
        didRead(targets, after: old, object, map, place, space)
    }

    /// Loads lazy references or collections of some objects, as `resolve()` does with eager ones.
    func load(_ objects: [PersistentObject], _ map: ClassMap, _ place: Int) throws {
        var waiting: [Waiting] = []
        var missing = MissingRows()
        for object in objects where map.properties[place].isLink { undo.note(object, map, place) }
        if case .reference = map.properties[place].shape {
            try link(objects, map, place, &waiting, &missing)
        } else {
            try readCollections(objects, map, place, &waiting, &missing)
        }
        for (space, ids) in missing.all { held.append(try session.readMissing(space, ids, self)) }
        for link in waiting { try finish(link) }
        held = []
        try resolve()
    }

    /// Takes what was made out of the identity map: objects with links missing would be saved with them missing.
    func discard() {
        undo.run(session)
        session.heldTargets = []
        for object in made where object.lifecycle == .saved {
            guard let identity = object.keeper as? IdentityMap else { continue }
            GraphUndo.forgetInverses(of: object, identity.classMap, session)
            identity.discard(object)
        }
    }
}

/// Ids of rows that are not in memory, by hierarchy.
private struct MissingRows {
    private(set) var all: [(ClassSpace, [Int64])] = []

    /// The space is that of the hierarchy's root, so that one query finds objects of all its classes.
    mutating func add(_ ids: [Int64], _ space: ClassSpace) {
        if let place = all.firstIndex(where: { $0.0 === space }) {
            all[place].1 += ids
        } else {
            all.append((space, ids))
        }
    }

    mutating func add(_ id: Int64, _ space: ClassSpace) {
        if let place = all.firstIndex(where: { $0.0 === space }) {
            all[place].1.append(id)
        } else {
            all.append((space, [id]))
        }
    }
}

extension GraphLoader {
    fileprivate static func broken(
        _ id: Int64, _ target: ClassMap, _ object: PersistentObject, _ map: ClassMap, _ place: Int
    ) -> StoreError {
        StoreError(
            .brokenReference, "it refers to \(target.name) #\(id), which is not there; another program deleted it",
            className: map.name, property: map.properties[place].name, rowID: object.rowID)
    }

    fileprivate static func wrongClass(
        _ target: PersistentObject, _ object: PersistentObject, _ map: ClassMap, _ place: Int
    ) -> StoreError {
        let wanted = (map.properties[place].codec as? any LinkCodec)?.target
        return StoreError(
            .brokenReference,
            "it refers to row \(target.rowID), which is a \(type(of: target)), not a \(wanted.map { "\($0)" } ?? "")",
            className: map.name, property: map.properties[place].name, rowID: object.rowID)
    }
}

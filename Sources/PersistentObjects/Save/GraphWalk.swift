internal import StoreEngine

/// All objects that a save reaches: a list that grows while it is walked, so that nothing recurses.
final class GraphWalk {
    private let session: Session
    /// Objects of classes without links that are saved may be in it several times: to see that they are clean takes less
    /// than to remember them.
    private(set) var objects: [PersistentObject] = []
    /// Those of classes with links, each once.
    private var linked: [PersistentObject] = []
    private var seen: Set<ObjectIdentifier> = []
    /// How many objects' links have been followed.
    private var followed = 0
    /// How many objects' inverses have been applied.
    private var applied = 0
    /// Identity maps that are known to be the session's.
    private var owned: IdentityMap?
    private let options: SaveOptions
    private let sides: OtherSides
    /// Those that are asked before they are saved; saved ones may be in it several times.
    private(set) var hooked: [PersistentObject] = []
    /// What was given to be saved, where nothing else is.
    private var roots: Set<ObjectIdentifier> = []

    init(_ session: Session, _ options: SaveOptions, _ sides: OtherSides) {
        self.session = session
        self.options = options
        self.sides = sides
    }

    /// Adds an object that the save was given.
    func addRoot(_ object: PersistentObject) throws {
        if options.ignores(object) { return }
        if options.flags.contains(.shallow) { roots.insert(ObjectIdentifier(object)) }
        try add(object)
    }

    /// Whether the save leaves an object out that it reaches.
    private func leavesOut(_ object: PersistentObject) -> Bool {
        if options.reachesAll { return false }
        return options.ignores(object)
            || options.flags.contains(.shallow) && !roots.contains(ObjectIdentifier(object))
    }

    private func refusal(_ target: PersistentObject, _ map: ClassMap, _ property: Property, _ object: PersistentObject)
        -> StoreError
    {
        let what = target.lifecycle == .new ? "a new \(type(of: target))" : "\(type(of: target)) #\(target.rowID)"
        let why = target.lifecycle == .new ? "it refers to \(what)" : "\(what) would have to change with it"
        return StoreError(
            .misuse, "\(why), which the save's options leave out; save that first, or both without the option",
            className: map.name, property: property.name, rowID: object.id)
    }

    /// Adds an object that is to be saved.
    private func add(_ object: PersistentObject) throws {
        if let refusal = SavePlan.refusal(object) { throw refusal }
        if let identity = object.identityMap, identity !== owned {
            try session.checkOwns(object)
            owned = identity
        }
        let map = try map(of: object)
        let hasLinks = !map.links.isEmpty
        if hasLinks || object.lifecycle == .new {
            guard seen.insert(ObjectIdentifier(object)).inserted else { return }
            if hasLinks { linked.append(object) }
        }
        objects.append(object)
        if !map.hooks.isDisjoint(with: .beforeSave) { hooked.append(object) }
    }

    func run() throws {
        while applied < linked.count {
            while followed < linked.count {
                try follow(linked[followed])
                followed += 1
            }
            try applyInverses(of: linked[applied])
            applied += 1
        }
    }

    private func map(of object: PersistentObject) throws -> ClassMap {
        if let identity = object.identityMap { return identity.classMap }
        return try ClassMap.map(of: type(of: object))
    }

    private func follow(_ object: PersistentObject) throws {
        let map = try map(of: object)
        let start = ObjectMemory.start(of: object)
        for place in map.links.boxes {
            // An element appended to what could not be read would replace all that is in the file.
            if let problem = map.properties[place].box(in: start)?.problemOfEdited { throw problem }
        }
        guard !map.links.targets.isEmpty else { return }
        for place in map.links.targets {
            let property = map.properties[place]
            guard let links = property.codec as? any LinkCodec else { continue }
            guard property.isLoaded(in: start) else {
                try followReleased(object, map, place, links.target)
                continue
            }
            var failure: (any Error)?
            links.forEachTarget(property.address(in: start)) { target in
                guard failure == nil else { return }
                do {
                    if target.lifecycle == .deleted {
                        // Others have moved the link away, which is read when the object's row is.
                        if isUnedited(place, of: object, map) { return }
                        throw StoreError(
                            .objectIsDeleted,
                            "it refers to \(type(of: target)) #\(target.rowID), which was deleted; set another or nil",
                            className: map.name, property: property.name, rowID: object.id)
                    }
                    if leavesOut(target) {
                        if target.lifecycle == .new { throw refusal(target, map, property, object) }
                        // It is referred to all the same.
                        if let refusal = SavePlan.refusal(target) { throw refusal }
                        return try session.checkOwns(target)
                    }
                    try add(target)
                } catch { failure = error }
            }
            if let failure { throw failure }
        }
    }

    /// What is in memory of an inverse that nobody keeps.
    private func followReleased(
        _ object: PersistentObject, _ map: ClassMap, _ place: Int, _ target: PersistentObject.Type
    ) throws {
        let slot = map.baseline.slots[place]
        guard let block = object.baseline, slot.box(in: ObjectMemory.start(of: object))?.state == .released
        else { return }
        let identity = try session.space(of: target).identity
        for target in identity.objects(for: map.baseline.image(place, in: block).ids).found where !leavesOut(target) {
            try add(target)
        }
    }

    private func isUnedited(_ place: Int, of object: PersistentObject, _ map: ClassMap) -> Bool {
        guard let block = object.baseline else { return false }
        return map.baseline.isSame(map.baseline.slots[place], ObjectMemory.start(of: object), block)
    }

    // MARK: Inverses

    /// Sets the other sides of inverses that the user has changed.
    private func applyInverses(of object: PersistentObject) throws {
        let map = try map(of: object)
        let start = ObjectMemory.start(of: object)
        for place in map.links.inverses {
            let property = map.properties[place]
            guard let box = property.box(in: start), box.state != .unloaded,
                let codec = property.codec as? InverseCodec
            else { continue }
            let field = property.address(in: start)
            if isUnedited(place, of: object, map) { continue }
            let side = try InverseSide.of(property, in: map)
            let wanted = codec.objects(field)
            let former = try formerObjects(of: object, map, place, box, side)
            let kept = Set(wanted.map { ObjectIdentifier($0) })
            let before = Set(former.map { ObjectIdentifier($0) })
            if !options.reachesAll {
                let leaving = former.filter { !kept.contains(ObjectIdentifier($0)) && $0.lifecycle == .saved }
                let coming = wanted.filter { !before.contains(ObjectIdentifier($0)) }
                if let other = (leaving + coming).first(where: leavesOut) {
                    throw refusal(other, map, property, object)
                }
            }
            for other in former where !kept.contains(ObjectIdentifier(other)) && other.lifecycle == .saved {
                try unlink(other, side, from: object)
                try add(other)
            }
            var refused: Set<ObjectIdentifier> = []
            for other in wanted where !before.contains(ObjectIdentifier(other)) {
                if try !link(other, side, to: object) { refused.insert(ObjectIdentifier(other)) }
                try add(other)
            }
            // What the user has set on the other side counts more.
            if !refused.isEmpty {
                ObjectMemory.checkNotBeingAccessed(field)
                sides.willSet(object, map, place)
                codec.set(wanted.filter { !refused.contains(ObjectIdentifier($0)) }, at: field)
            }
        }
    }

    private func formerObjects(
        of object: PersistentObject, _ map: ClassMap, _ place: Int, _ box: LinkBox, _ side: InverseSide
    ) throws -> [PersistentObject] {
        guard object.lifecycle == .saved, let block = object.baseline else { return [] }
        if box.state == .assigned {
            return try session.objectsReferring(to: [object.rowID], side)[object.rowID] ?? []
        }
        return try session.find(try session.space(of: side.other.type), map.baseline.image(place, in: block).ids)
    }

    /// The other object's map, and where it has the property of the side.
    private func place(_ side: InverseSide, in other: PersistentObject) throws -> (ClassMap, Int)? {
        let map = try map(of: other)
        let place = map === side.other ? side.place : map.place(of: side.other.properties[side.place].name)
        return place.map { (map, $0) }
    }

    /// Makes `other` refer to `object`; false where the user has made it refer to another.
    private func link(_ other: PersistentObject, _ side: InverseSide, to object: PersistentObject) throws -> Bool {
        guard let (map, place) = try place(side, in: other) else { return true }
        let property = map.properties[place]
        let start = ObjectMemory.start(of: other)
        if let box = property.box(in: start), box.state == .unloaded { try box.load() }
        let field = property.address(in: start)
        if let reference = property.codec as? ReferenceCodec {
            let current = reference.object(field)
            if current === object { return true }
            let isEdited = other.baseline.map { !map.baseline.isSame(map.baseline.slots[place], start, $0) } ?? true
            if isEdited, current != nil { return false }
            ObjectMemory.checkNotBeingAccessed(field)
            sides.willSet(other, map, place)
            reference.set(object, at: field)
        } else if let collection = property.codec as? CollectionCodec {
            var isThere = false
            (property.codec as? any LinkCodec)?.forEachTarget(field) { if $0 === object { isThere = true } }
            guard !isThere else { return true }
            ObjectMemory.checkNotBeingAccessed(field)
            sides.willSet(other, map, place)
            guard collection.insert(object, into: field) else {
                throw StoreError(
                    .misuse, "the inverse of a dictionary cannot be added to; set the dictionary",
                    className: map.name, property: property.name, rowID: other.id)
            }
        }
        return true
    }

    private func unlink(_ other: PersistentObject, _ side: InverseSide, from object: PersistentObject) throws {
        guard let (map, place) = try place(side, in: other) else { return }
        let property = map.properties[place]
        let start = ObjectMemory.start(of: other)
        if let box = property.box(in: start), box.state == .unloaded { try box.load() }
        let field = property.address(in: start)
        if let reference = property.codec as? ReferenceCodec {
            guard reference.object(field) === object else { return }
            ObjectMemory.checkNotBeingAccessed(field)
            sides.willSet(other, map, place)
            reference.set(nil, at: field)
        } else if let collection = property.codec as? CollectionCodec {
            ObjectMemory.checkNotBeingAccessed(field)
            sides.willSet(other, map, place)
            collection.remove(object, from: field)
        }
    }
}

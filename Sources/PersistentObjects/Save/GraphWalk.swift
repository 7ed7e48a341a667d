internal import StoreEngine

/// All objects that a save reaches. The list grows while it is walked, which avoids recursion.
///
/// During the walk a reached object is marked in its header. Most objects are clean and lead to no new objects: they
/// are only checked, not added.
final class GraphWalk {
    let session: SessionParts
    /// The reached objects, without the clean objects that the walk skips.
    private(set) var objects: [PersistentObject] = []
    /// The indices in `objects` of objects whose classes have links.
    private var linked: [Int] = []
    /// The objects whose inverses may differ from the other sides.
    private var inverted: [PersistentObject] = []
    /// The number of objects whose links have been followed.
    private var followed = 0
    /// The number of objects whose inverses have been applied.
    private var applied = 0
    /// Whether the objects of `objects` are marked.
    private var isMarking = true
    /// The passages of classes whose objects belong to the session, by keeper.
    private(set) var passages: [Address: Passage] = [:]
    /// The last passage used, because consecutive objects often have the same class.
    private var last: Passage?
    let options: SaveOptions
    let sides: OtherSides
    /// The objects whose hooks or validation run before the save.
    private(set) var hooked: [PersistentObject] = []
    /// Saved objects that were removed from an inverse that owns its objects.
    private(set) var leaving: [LeavingObject] = []
    /// The objects given to the save, if it is limited to them.
    private var roots: Set<ObjectIdentifier> = []

    init(_ session: SessionParts, _ options: SaveOptions, _ sides: OtherSides) {
        self.session = session
        self.options = options
        self.sides = sides
    }

    /// Records an object that was removed from an inverse that owns its objects.
    func recordLeaving(_ leaver: LeavingObject) { leaving.append(leaver) }

    /// The objects of `hooked`, without objects that the save deletes as far as memory shows.
    var validated: [PersistentObject] {
        guard !leaving.isEmpty else { return hooked }
        let leavers = Set(leaving.filter { !$0.isOwned }.map { ObjectIdentifier($0.object) })
        return hooked.filter { !leavers.contains(ObjectIdentifier($0)) }
    }

    /// Adds an object that was given to the save.
    func addRoot(_ object: PersistentObject) throws {
        if options.ignores(object) { return }
        if options.flags.contains(.shallow) { roots.insert(ObjectIdentifier(object)) }
        try add(object)
    }

    deinit { removeMarks() }

    /// Whether the save leaves out an object that it reaches.
    func leavesOut(_ object: PersistentObject) -> Bool {
        if options.reachesAll { return false }
        return options.ignores(object)
            || options.flags.contains(.shallow) && !roots.contains(ObjectIdentifier(object))
    }

    func refusal(_ target: PersistentObject, _ map: ClassMap, _ property: Property, _ object: PersistentObject)
        -> StoreError
    {
        let what = target.lifecycle == .new ? "a new \(type(of: target))" : "\(type(of: target)) #\(target.rowID)"
        let why = target.lifecycle == .new ? "The object refers to \(what)" : "\(what) must change with it"
        return StoreError(
            .misuse,
            "\(why), but the save's options exclude that. Nothing was saved. Save that first, or both without the "
                + "option",
            className: map.name, property: property.name, rowID: object.id)
    }

    /// Adds an object to save.
    func add(_ object: PersistentObject) throws {
        let start = ObjectMemory.start(of: object)
        guard !start.header.isMarked else { return }
        if let refusal = SavePlan.refusal(object) { throw refusal }
        let map: ClassMap
        if start.header.lifecycle == .saved, let keeper = start.header.keeper {
            let passage = try passage(keeper, object)
            if passes(start, passage) { return }
            map = passage.map
        } else {
            if object.identityMap != nil { try session.checkOwns(object) }
            map = try self.map(of: object)
        }
        start.header.isMarked = true
        if !map.links.isEmpty {
            linked.append(objects.count)
            if !map.links.inverses.isEmpty { inverted.append(object) }
        }
        objects.append(object)
        if !map.hooks.isDisjoint(with: .beforeSave) { hooked.append(object) }
    }

    private func passage(_ keeper: Borrowed<ObjectKeeper>, _ object: PersistentObject) throws -> Passage {
        if let known = knownPassage(keeper) { return known }
        try session.checkOwns(object)
        let passage = Passage(keeper, try map(of: object))
        passages[keeper.address] = passage
        last = passage
        return passage
    }

    /// The passage for a keeper's objects, if the walk has reached one of them.
    @inline(__always)
    func knownPassage(_ keeper: Borrowed<ObjectKeeper>) -> Passage? {
        if let last, last.keeper == keeper { return last }
        guard let known = passages[keeper.address] else { return nil }
        last = known
        return known
    }

    func run() throws {
        defer { removeMarks() }
        while applied < inverted.count || followed < linked.count {
            while followed < linked.count {
                try follow(objects[linked[followed]])
                followed += 1
            }
            guard applied < inverted.count else { break }
            try applyInverses(of: inverted[applied])
            applied += 1
        }
    }

    /// Removes the marks even if the walk fails, because the next walk would not save a marked object.
    private func removeMarks() {
        guard isMarking else { return }
        isMarking = false
        for object in objects { ObjectMemory.start(of: object).header.isMarked = false }
    }

    func map(of object: PersistentObject) throws -> ClassMap {
        if let identity = object.identityMap { return identity.classMap }
        return try ClassMap.map(of: type(of: object))
    }

    private func follow(_ object: PersistentObject) throws {
        let map = try map(of: object)
        let start = ObjectMemory.start(of: object)
        for ordinal in map.links.boxes {
            // An element appended to a collection that could not be read would replace all stored elements.
            if let problem = map.properties[ordinal].box(in: start)?.problemOfEdited { throw problem }
        }
        for step in map.links.steps {
            // Most references lead to objects that the walk has reached, or to unchanged objects.
            switch step.lead(in: start) {
            case .nowhere: continue
            case .object(let target): if isPassed(target) { continue }
            case .unknown: break
            }
            guard step.isLoaded(in: start) else {
                try followReleased(object, map, step.ordinal, map.links.codecs[step.index].target)
                continue
            }
            let codec = map.links.codecs[step.index]
            if let targets = codec.targets(step.address(in: start)) {
                try reach(targets, from: object, map, step.ordinal)
                continue
            }
            var failure: (any Error)?
            codec.forEachTarget(step.address(in: start)) { target in
                guard failure == nil else { return }
                do { try reach(target, from: object, map, step.ordinal) } catch { failure = error }
            }
            if let failure { throw failure }
        }
    }

    func reach(_ target: PersistentObject, from object: PersistentObject, _ map: ClassMap, _ ordinal: Int) throws {
        if target.lifecycle == .deleted {
            // An unedited link was changed elsewhere. It is refreshed when the object's row is read.
            if isUnedited(ordinal, of: object, map) { return }
            throw StoreError(
                .objectIsDeleted,
                "The object refers to \(type(of: target)) #\(target.rowID), which was deleted. Nothing was saved. "
                    + "Set another object or nil",
                className: map.name, property: map.properties[ordinal].name, rowID: object.id)
        }
        if leavesOut(target) {
            if target.lifecycle == .new { throw refusal(target, map, map.properties[ordinal], object) }
            // The saved row refers to the target, so the target must be valid even if the save leaves it out.
            if let refusal = SavePlan.refusal(target) { throw refusal }
            return try session.checkOwns(target)
        }
        try add(target)
    }

    /// Adds the live objects of an inverse that released them.
    private func followReleased(
        _ object: PersistentObject, _ map: ClassMap, _ ordinal: Int, _ target: PersistentObject.Type
    ) throws {
        let slot = map.baseline.slots[ordinal]
        guard let block = object.baseline, slot.box(in: ObjectMemory.start(of: object))?.state == .released
        else { return }
        let identity = try session.space(of: target).identity
        for target in unpassed(map.baseline.image(ordinal, in: block).ids, of: identity, referringTo: object)
        where !leavesOut(target) {
            try add(target)
        }
    }

    func isUnedited(_ ordinal: Int, of object: PersistentObject, _ map: ClassMap) -> Bool {
        guard let block = object.baseline else { return false }
        return map.baseline.isSame(map.baseline.slots[ordinal], ObjectMemory.start(of: object), block)
    }
}

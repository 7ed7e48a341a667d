internal import StoreEngine

/// All objects that a save reaches: a list that grows while it is walked, so that nothing recurses.
///
/// An object that was reached has a mark in its header while the walk is under way. Most of them are clean and lead to
/// nothing new: these are only looked at, not counted.
final class GraphWalk {
    let session: Session
    /// Saved ones of classes that lead to nothing, and whose hooks do not ask, are there only where they have changes,
    /// and then perhaps several times.
    private(set) var objects: [PersistentObject] = []
    /// Where those of classes with links are, each once.
    private var linked: [Int] = []
    /// Those whose inverses may say more than the other sides do.
    private var inverted: [PersistentObject] = []
    /// The number of objects whose links have been followed.
    private var followed = 0
    /// The number of objects whose inverses have been applied.
    private var applied = 0
    /// Whether `objects` have marks.
    private var isMarking = true
    /// The classes of saved objects that are known to be the session's, by their keepers.
    private(set) var passages: [Address: Passage] = [:]
    /// The passage of the object before.
    private var last: Passage?
    let options: SaveOptions
    let sides: OtherSides
    /// Those that are asked before they are saved; saved ones may be in it several times.
    private(set) var hooked: [PersistentObject] = []
    /// Saved objects that left an inverse which owns its objects.
    private(set) var leaving: [LeavingObject] = []
    /// The objects given to be saved, if nothing else is saved.
    private var roots: Set<ObjectIdentifier> = []

    init(_ session: Session, _ options: SaveOptions, _ sides: OtherSides) {
        self.session = session
        self.options = options
        self.sides = sides
    }

    /// An object is not in an inverse any more that owns its objects.
    func noteLeaving(_ leaver: LeavingObject) { leaving.append(leaver) }

    /// Those that are asked before they are saved, without those that go instead, as far as memory can tell.
    var asked: [PersistentObject] {
        guard !leaving.isEmpty else { return hooked }
        let gone = Set(leaving.filter { !$0.isOwned }.map { ObjectIdentifier($0.object) })
        return hooked.filter { !gone.contains(ObjectIdentifier($0)) }
    }

    /// Adds an object that the save was given.
    func addRoot(_ object: PersistentObject) throws {
        if options.ignores(object) { return }
        if options.flags.contains(.shallow) { roots.insert(ObjectIdentifier(object)) }
        try add(object)
    }

    deinit { removeMarks() }

    /// Whether the save leaves an object out that it reaches.
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

    /// Adds an object that is to be saved.
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

    /// The passage of objects of a keeper that the walk has already met.
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

    /// However the walk ends, the next one begins without marks: an object that has one is not saved.
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
        for place in map.links.boxes {
            // An element appended to what could not be read would replace all that is in the file.
            if let problem = map.properties[place].box(in: start)?.problemOfEdited { throw problem }
        }
        for step in map.links.steps {
            // Most references lead to what the walk has met, or to clean objects.
            switch step.lead(in: start) {
            case .nowhere: continue
            case .object(let target): if isPassed(target) { continue }
            case .unknown: break
            }
            guard step.isLoaded(in: start) else {
                try followReleased(object, map, step.place, map.links.codecs[step.index].target)
                continue
            }
            let codec = map.links.codecs[step.index]
            if let targets = codec.targets(step.address(in: start)) {
                try reach(targets, from: object, map, step.place)
                continue
            }
            var failure: (any Error)?
            codec.forEachTarget(step.address(in: start)) { target in
                guard failure == nil else { return }
                do { try reach(target, from: object, map, step.place) } catch { failure = error }
            }
            if let failure { throw failure }
        }
    }

    func reach(_ target: PersistentObject, from object: PersistentObject, _ map: ClassMap, _ place: Int) throws {
        if target.lifecycle == .deleted {
            // The link was changed elsewhere; it is read when the object's row is.
            if isUnedited(place, of: object, map) { return }
            throw StoreError(
                .objectIsDeleted,
                "The object refers to \(type(of: target)) #\(target.rowID), which was deleted. Nothing was saved. "
                    + "Set another object or nil",
                className: map.name, property: map.properties[place].name, rowID: object.id)
        }
        if leavesOut(target) {
            if target.lifecycle == .new { throw refusal(target, map, map.properties[place], object) }
            // It is referred to all the same.
            if let refusal = SavePlan.refusal(target) { throw refusal }
            return try session.checkOwns(target)
        }
        try add(target)
    }

    /// The objects in memory of an inverse that does not keep them.
    private func followReleased(
        _ object: PersistentObject, _ map: ClassMap, _ place: Int, _ target: PersistentObject.Type
    ) throws {
        let slot = map.baseline.slots[place]
        guard let block = object.baseline, slot.box(in: ObjectMemory.start(of: object))?.state == .released
        else { return }
        let identity = try session.space(of: target).identity
        for target in unpassed(map.baseline.image(place, in: block).ids, of: identity, referringTo: object)
        where !leavesOut(target) {
            try add(target)
        }
    }

    func isUnedited(_ place: Int, of object: PersistentObject, _ map: ClassMap) -> Bool {
        guard let block = object.baseline else { return false }
        return map.baseline.isSame(map.baseline.slots[place], ObjectMemory.start(of: object), block)
    }
}

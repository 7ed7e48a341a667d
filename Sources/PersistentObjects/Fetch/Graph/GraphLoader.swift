// Graph: loads the objects that the rows of a fetch refer to, level by level. It knows links and boxes, and must not
// know the query.

/// One fetch of objects that have links. It collects what their rows refer to and loads it level by level.
///
/// Each level takes one query for each class with missing objects, and one for each collection. Nothing recurses, and a
/// list of a million linked objects takes a few long levels (`ChainReading`). Cycles end, because objects are in the
/// identity map before their links are followed.
final class GraphLoader {
    let session: SessionParts
    /// The references of the rows read last, by class.
    var frames: [Frame] = []
    /// All objects that the fetch created. If the fetch fails, they must leave the identity map, because some of their
    /// links are missing. A list of lists, because the list of a statement's objects is usually its result and needs no
    /// copy.
    private(set) var made: [[PersistentObject]] = []
    /// The objects that the running statement created one by one.
    private var latest: [PersistentObject] = []
    private(set) var madeCount = 0
    /// Whether any created object has a class that overrides `didLoad`.
    var callsDidLoad = false
    var undo = GraphUndo()
    /// The object whose edits are dropped, for a reload.
    var reloaded: PersistentObject?
    /// The objects whose edits are kept on top of the current values of their rows.
    var rebased: Set<ObjectIdentifier> = []
    /// Objects with edits of properties that were also changed elsewhere.
    var conflicted: Set<ObjectIdentifier> = []
    /// Whether created objects receive their pending edits; otherwise the caller applies them.
    var appliesPendingEdits = true
    /// The references of a class to itself that the levels followed.
    private var chains = ChainReading()
    /// The number of rows that each property led to, by class and property; in debug builds.
    private(set) var led: [String: Int] = [:]
    /// Keeps objects alive until other objects refer to them.
    var held: [[PersistentObject]] = []

    /// The objects of one class whose links are to be made. The lists are parallel to the lists of the class's
    /// `LinkPlan`.
    final class Frame {
        let map: ClassMap
        var fresh: [NewObjects] = []
        private(set) var referrers: [[PersistentObject]] = []
        private(set) var owners: [[PersistentObject]] = []
        var boxed: [PersistentObject] = []

        init(_ map: ClassMap) { self.map = map }

        /// New objects whose plain references are to be made.
        struct NewObjects {
            let objects: [PersistentObject]
            /// The ids of all plain references of each object, object by object.
            let ids: [Int64]
            /// For each plain reference, the number of objects at the start of `objects` in which it is already linked;
            /// empty if none is.
            let linkedCounts: [Int]
        }

        func addReferrer(_ object: PersistentObject, _ index: Int) {
            if referrers.isEmpty { referrers = Array(repeating: [], count: map.links.references.count) }
            referrers[index].append(object)
        }

        func addOwner(_ object: PersistentObject, _ index: Int) {
            if owners.isEmpty { owners = Array(repeating: [], count: map.links.eagerCollections.count) }
            owners[index].append(object)
        }
    }

    init(_ session: SessionParts) { self.session = session }
    init(_ session: Session) { self.session = session.parts }

    /// The treatment of the edits of an existing object.
    func rule(for object: PersistentObject) -> EditRule {
        if object === reloaded { return .drop }
        return !rebased.isEmpty && rebased.contains(ObjectIdentifier(object)) ? .rebase : .keep
    }

    func frame(_ map: ClassMap) -> Frame {
        if let last = frames.last, last.map === map { return last }
        if let known = frames.first(where: { $0.map === map }) { return known }
        let frame = Frame(map)
        frames.append(frame)
        return frame
    }

    /// Loads all linked objects and makes the links.
    func resolve() throws {
        while !frames.isEmpty {
            let level = frames
            frames = []
            var pending = PendingLinks()
            for frame in level {
                try linkReferences(frame, &pending)
                for (index, objects) in frame.owners.enumerated() where !objects.isEmpty {
                    try readCollections(objects, frame.map, frame.map.links.eagerCollections[index], &pending)
                }
            }
            try finish(pending)
        }
    }

    private func linkReferences(_ frame: Frame, _ pending: inout PendingLinks) throws {
        let links = frame.map.links
        for (index, ordinal) in links.references.enumerated() {
            if !frame.referrers.isEmpty, !frame.referrers[index].isEmpty {
                try link(frame.referrers[index], frame.map, ordinal, &pending)
            }
            guard !frame.fresh.isEmpty, let turn = links.plainReferences.firstIndex(where: { $0.ordinal == ordinal })
            else {
                continue
            }
            let count = links.plainReferences.count
            for new in frame.fresh {
                let ids = count == 1 ? new.ids : new.objects.indices.map { new.ids[$0 * count + turn] }
                let linkedCount = new.linkedCounts.isEmpty ? 0 : new.linkedCounts[turn]
                try link(new.objects, ids, frame.map, ordinal, linkedCount: linkedCount, &pending)
            }
        }
    }

    /// Records a created object.
    func record(_ object: PersistentObject, _ map: ClassMap) {
        latest.append(object)
        madeCount += 1
        if map.hooks.contains(.didLoad) { callsDidLoad = true }
    }

    /// Records created objects of one class.
    func record(_ objects: [PersistentObject], _ map: ClassMap) {
        guard !objects.isEmpty else { return }
        made.append(objects)
        madeCount += objects.count
        if map.hooks.contains(.didLoad) { callsDidLoad = true }
    }

    /// Records the objects that a finished statement created one by one, after the objects of earlier statements.
    func recordLatest() {
        if latest.isEmpty { return }
        made.append(exchange(&latest, with: []))
    }

    /// Loads lazy references or collections of some objects, as `resolve()` loads eager references and collections.
    func load(_ objects: [PersistentObject], _ map: ClassMap, _ ordinal: Int) throws {
        var pending = PendingLinks()
        for object in objects where map.properties[ordinal].isLink { undo.record(object, map, ordinal) }
        if case .reference = map.properties[ordinal].shape {
            try link(objects, map, ordinal, &pending)
        } else {
            try readCollections(objects, map, ordinal, &pending)
        }
        try finish(pending)
        try resolve()
    }

    /// Reads the missing rows and makes the links that waited for them.
    private func finish(_ pending: PendingLinks) throws {
        #if DEBUG
            count(pending)
        #endif
        let chained = try readChains(pending)
        for (space, ids) in pending.missing {
            let left = chained.contains { $0 === space } ? space.identity.objects(for: ids).missing : ids
            held.append(
                try Fetch(session).readMissing(space, left, self, elementsOf: pending.collection(of: left, space)))
        }
        for links in pending.references { try finish(links) }
        for collection in pending.collections { try finish(collection) }
        held.removeAll(keepingCapacity: true)
    }

    /// Reads ahead along a reference of a class to itself, so that a long chain takes few statements. Returns the
    /// hierarchies of which rows were read.
    private func readChains(_ pending: PendingLinks) throws -> [ClassSpace] {
        var chained: [ClassSpace] = []
        for (links, depth) in chains.next(pending.references) {
            let root = try session.space(of: links.target.map.root)
            let column = links.map.properties[links.ordinal].column
            let before = madeCount
            guard let objects = try Fetch(session).readChain(root, links.ids, column, depth, self) else { continue }
            held.append(objects)
            chained.append(root)
            #if DEBUG
                led[links.name, default: 0] += madeCount - before
            #endif
        }
        return chained
    }

    #if DEBUG
        private func count(_ pending: PendingLinks) {
            for links in pending.references {
                led[links.name, default: 0] += Set(links.ids).subtracting([LinkImage.none]).count
            }
            for links in pending.collections {
                led["\(links.map.name).\(links.map.properties[links.ordinal].name)", default: 0] +=
                    links.image.ids.count
            }
        }
    #endif

    /// Applies pending edits to the created objects, once the graph is complete.
    func applyPendingEdits() {
        guard appliesPendingEdits, !session.memory.pendingEdits.isEmpty else { return }
        Fetch(session).applyPendingEdits(to: Array(made.joined()))
    }

    /// Applies pending edits and calls `didLoad` of each created object whose class overrides it.
    func callDidLoad() {
        applyPendingEdits()
        guard callsDidLoad else { return }
        for object in made.joined() where object.lifecycle == .saved {
            // An object belongs to no session if its init() fetched the same row and another object won.
            guard let identity = object.identityMap, identity.classMap.hooks.contains(.didLoad) else {
                continue
            }
            object.didLoad()
        }
    }

    /// Removes the created objects from the identity map, because a save would store their missing links as missing.
    func discard() {
        undo.run(session)
        session.memory.dropHeldTargets()
        recordLatest()
        for object in made.joined() where object.lifecycle == .saved {
            guard let identity = object.identityMap else { continue }
            GraphUndo.forgetInverses(of: object, identity.classMap, session)
            identity.discard(object)
        }
    }
}

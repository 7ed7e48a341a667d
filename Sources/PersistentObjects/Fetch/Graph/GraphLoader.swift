// Graph: what the rows of a fetch refer to, level by level, one query a level. It knows links and boxes, and must
// not know what was asked for.

/// One fetch of objects that have links: collects what their rows refer to, and loads it level by level.
///
/// Each level takes one query for each class of which objects are missing, and
/// one for each collection. Nothing recurses, and a list of a million linked
/// objects is a few long levels (`ChainReading`). Objects are in the identity
/// map before their links are followed, so cycles end.
final class GraphLoader {
    let session: Session
    /// What the rows read last refer to, by class.
    var frames: [Frame] = []
    /// All objects that the fetch made: where it fails they must not stay in the identity map, with links missing. Many
    /// lists, since those of a statement are mostly the statement's answer, and no copy of it.
    private(set) var made: [[PersistentObject]] = []
    /// Those of the statement under way that were made one by one.
    private var latest: [PersistentObject] = []
    private(set) var madeCount = 0
    /// Whether any of these is of a class that overrides `didLoad`.
    var callsDidLoad = false
    var undo = GraphUndo()
    /// The object whose edits go, where it is there already.
    var reloaded: PersistentObject?
    /// The objects whose edits are put on top of what their rows have now.
    var rebased: Set<ObjectIdentifier> = []
    /// Objects with edits of properties that were also changed elsewhere.
    var conflicted: Set<ObjectIdentifier> = []
    /// Whether the created objects get their pending edits; otherwise the caller applies them.
    var appliesPendingEdits = true
    /// The references of a class to itself that the levels have followed.
    private var chains = ChainReading()
    /// How many rows each property has led to, by class and property; in debug builds.
    private(set) var led: [String: Int] = [:]
    /// Keeps objects until the objects that refer to them do.
    var held: [[PersistentObject]] = []

    /// The objects of one class whose links are to be made; parallel to the lists of the class's `LinkPlan`.
    final class Frame {
        let map: ClassMap
        var fresh: [NewObjects] = []
        private(set) var referrers: [[PersistentObject]] = []
        private(set) var owners: [[PersistentObject]] = []
        var boxed: [PersistentObject] = []

        init(_ map: ClassMap) { self.map = map }

        /// New objects, whose plain references are to be made.
        struct NewObjects {
            let objects: [PersistentObject]
            /// Of all that each refers to so, one object's after the other's.
            let ids: [Int64]
            /// For each such reference, in how many objects, from the first on, it is made already; none where it is in
            /// no object.
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

    init(_ session: Session) { self.session = session }

    /// What becomes of the edits of an object that is there already.
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

    /// Loads whatever is linked and makes the links.
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
        for (index, place) in links.references.enumerated() {
            if !frame.referrers.isEmpty, !frame.referrers[index].isEmpty {
                try link(frame.referrers[index], frame.map, place, &pending)
            }
            guard !frame.fresh.isEmpty, let turn = links.plainReferences.firstIndex(where: { $0.place == place }) else {
                continue
            }
            let count = links.plainReferences.count
            for new in frame.fresh {
                let ids = count == 1 ? new.ids : new.objects.indices.map { new.ids[$0 * count + turn] }
                let linkedCount = new.linkedCounts.isEmpty ? 0 : new.linkedCounts[turn]
                try link(new.objects, ids, frame.map, place, linkedCount: linkedCount, &pending)
            }
        }
    }

    /// Notes an object that was made.
    func note(_ object: PersistentObject, _ map: ClassMap) {
        latest.append(object)
        madeCount += 1
        if map.hooks.contains(.didLoad) { callsDidLoad = true }
    }

    /// Notes objects of one class that were made.
    func note(_ objects: [PersistentObject], _ map: ClassMap) {
        guard !objects.isEmpty else { return }
        made.append(objects)
        madeCount += objects.count
        if map.hooks.contains(.didLoad) { callsDidLoad = true }
    }

    /// A statement is through: those that it made one by one come after those of the statements before it.
    func noteLatest() {
        if latest.isEmpty { return }
        made.append(exchange(&latest, with: []))
    }

    /// Loads lazy references or collections of some objects, as `resolve()` does with eager ones.
    func load(_ objects: [PersistentObject], _ map: ClassMap, _ place: Int) throws {
        var pending = PendingLinks()
        for object in objects where map.properties[place].isLink { undo.note(object, map, place) }
        if case .reference = map.properties[place].shape {
            try link(objects, map, place, &pending)
        } else {
            try readCollections(objects, map, place, &pending)
        }
        try finish(pending)
        try resolve()
    }

    /// Reads the rows that are missing and makes the links that waited for them.
    private func finish(_ pending: PendingLinks) throws {
        #if DEBUG
            count(pending)
        #endif
        let chained = try readChains(pending)
        for (space, ids) in pending.missing {
            let left = chained.contains { $0 === space } ? space.identity.objects(for: ids).missing : ids
            held.append(try Fetch(session).readMissing(space, left, self))
        }
        for links in pending.references { try finish(links) }
        for collection in pending.collections { try finish(collection) }
        held.removeAll(keepingCapacity: true)
    }

    /// Reads on where the levels go along one reference of a class to itself, so that a long chain takes few statements;
    /// the answer is for which hierarchies something was read.
    private func readChains(_ pending: PendingLinks) throws -> [ClassSpace] {
        var chained: [ClassSpace] = []
        for (links, depth) in chains.next(pending.references) {
            let root = try session.space(of: links.target.map.root)
            let column = links.map.properties[links.place].column
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
                led["\(links.map.name).\(links.map.properties[links.place].name)", default: 0] += links.image.ids.count
            }
        }
    #endif

    /// The graph is complete: the objects that were made get the edits that wait for them.
    func applyPendingEdits() {
        guard appliesPendingEdits, !session.memory.pendingEdits.isEmpty else { return }
        Fetch(session).applyPendingEdits(to: Array(made.joined()))
    }

    /// The same, and tells them, where their classes want to know.
    func callDidLoad() {
        applyPendingEdits()
        guard callsDidLoad else { return }
        for object in made.joined() where object.lifecycle == .saved {
            // An object that lost to another object of its row, which its init() had fetched, belongs to no session.
            guard let identity = object.identityMap, identity.classMap.hooks.contains(.didLoad) else {
                continue
            }
            object.didLoad()
        }
    }

    /// Takes what was made out of the identity map: objects with links missing would be saved with them missing.
    func discard() {
        undo.run(session)
        session.memory.dropHeldTargets()
        noteLatest()
        for object in made.joined() where object.lifecycle == .saved {
            guard let identity = object.identityMap else { continue }
            GraphUndo.forgetInverses(of: object, identity.classMap, session)
            identity.discard(object)
        }
    }
}

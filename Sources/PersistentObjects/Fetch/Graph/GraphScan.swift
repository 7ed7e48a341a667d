@_spi(Columns) internal import StoreEngine

/// The new objects of a statement whose rows all have one class, and in parallel the ids of their plain references.
///
/// A fetch may have millions of objects, so only ids are kept for each. The objects themselves are the statement's
/// result until the result contains an object that is not new.
struct GraphScan {
    private let loader: GraphLoader
    private let map: ClassMap
    /// Nil for a class without links.
    private let frame: GraphLoader.Frame?
    private let references: [PlainReference]
    /// Parallel to `references`, the links that are set immediately; empty if no possible target is in memory.
    private var links: [PromptLinks] = []
    private let hasOthers: Bool
    private var ids: [Int64] = []
    /// The new objects; nil while all objects of the result are new.
    private var made: [PersistentObject]?

    init(_ loader: GraphLoader, _ map: ClassMap) {
        self.loader = loader
        self.map = map
        frame = map.links.isEmpty ? nil : loader.frame(map)
        references = map.links.plainReferences
        hasOthers = !map.links.isEmpty && !map.links.hasOnlyPlainReferences
        for (turn, reference) in references.enumerated() {
            let target = map.baseline.slots[reference.ordinal].reference.target
            guard let identity = loader.session.classes.usedSpace(of: target)?.identity, !identity.isEmpty else {
                continue
            }
            if links.isEmpty { links = Array(repeating: PromptLinks(), count: references.count) }
            links[turn] = PromptLinks(to: identity)
        }
    }

    /// Adds the row of an object that was created for it.
    @inline(__always)
    mutating func take(
        _ object: PersistentObject, _ block: Address, _ statement: Statement, _ values: ColumnValues?
    ) throws(ValueFault) {
        made?.append(object)
        let start = ObjectMemory.start(of: object)
        // A loop over indices, and a row created only if needed, because an iterator and a row are each retained.
        for turn in 0..<references.count {
            let reference = references[turn]
            let id: Int64
            if let found = values?[Int32(truncatingIfNeeded: reference.ordinal) &+ 1].integer {
                id = found
            } else {
                id = try GraphRow(statement: statement, columns: nil).referenceID(reference.ordinal)
            }
            ids.append(id)
            (block + reference.blockOffset).storeBytes(of: id, as: Int64.self)
            // The object's init() may have assigned an object.
            let field = start + reference.objectOffset
            if field.load(as: Address?.self) != nil { field[as: PersistentObject?.self] = nil }
            if !links.isEmpty { link(turn, id, field) }
        }
        guard hasOthers, let frame else { return }
        try loader.addOthers(object, block, frame, GraphRow(statement: statement, columns: nil))
    }

    /// Links a reference whose object is in memory. Inlined, the array would be made unique for each row, even if empty.
    @inline(never)
    private mutating func link(_ turn: Int, _ id: Int64, _ field: Address) { links[turn].add(id, field) }

    /// Called before an object that was already in memory is appended to the result.
    @inline(__always)
    mutating func willFind(after answer: [PersistentObject]) {
        if made == nil { made = answer }
    }

    /// Removes the last created object, which lost to another object of its row that its init() had fetched.
    mutating func didLose(in answer: [PersistentObject]) {
        if made == nil { made = answer }
        made?.removeLast()
        ids.removeLast(Swift.min(ids.count, references.count))
        for turn in links.indices { links[turn].end(at: ids.count / references.count) }
    }

    /// Passes all objects to the loader once the statement has finished or failed.
    func end(_ answer: [PersistentObject]) {
        let objects = made ?? answer
        loader.record(objects, map)
        guard let frame, !objects.isEmpty, !references.isEmpty else { return }
        frame.fresh.append(.init(objects: objects, ids: ids, linkedCounts: links.map(\.count)))
    }
}

/// The references of one property in new objects, as long as the referenced objects are in memory. A reference is set
/// immediately, because the object is still in the processor's cache. Neighbors often refer to the same object.
private struct PromptLinks {
    /// The map of the referenced objects; nil after the first missing object, whose link must wait. The session keeps
    /// it alive.
    private var identity: Borrowed<IdentityMap>?
    /// The last target that was set.
    private var last: (id: Int64, target: PersistentObject?) = (LinkImage.none, nil)
    /// The number of objects, from the first on, whose reference is complete.
    private(set) var count = 0

    /// For a property whose targets are all missing in memory.
    init() {}

    init(to identity: IdentityMap) { self.identity = Borrowed(identity) }

    /// Adds the reference of the next object, whose field is empty.
    @inline(__always)
    mutating func add(_ id: Int64, _ field: Address) {
        guard let identity else { return }
        if id != LinkImage.none {
            guard let target = target(id, identity) else {
                self.identity = nil
                return
            }
            field[as: PersistentObject?.self] = target
        }
        count += 1
    }

    @inline(__always)
    private mutating func target(_ id: Int64, _ identity: Borrowed<IdentityMap>) -> PersistentObject? {
        // The init() of a later object may have deleted the target.
        if id == last.id, let target = last.target, target.lifecycle == .saved { return target }
        // An object of a subclass is checked when the remaining references are linked.
        guard let found = identity.with({ $0.object(for: id) }),
            ObjectMemory.start(of: found).header.keeper == identity.cast(to: ObjectKeeper.self)
        else { return nil }
        last = (id, found)
        return found
    }

    /// Counts the objects from a place on as not linked, because the object there was replaced.
    mutating func end(at place: Int) { count = Swift.min(count, place) }
}

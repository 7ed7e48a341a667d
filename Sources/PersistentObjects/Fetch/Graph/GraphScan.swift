@_spi(Columns) internal import StoreEngine

/// The new objects of a statement whose rows are all of one class, with the ids of the objects that they refer to in
/// parallel.
///
/// A fetch may have as many as rows, so nothing is kept for each but its ids: the objects are the statement's answer,
/// until one of them is not new.
struct GraphScan {
    private let loader: GraphLoader
    private let map: ClassMap
    /// Nil for a class without links.
    private let frame: GraphLoader.Frame?
    private let references: [PlainReference]
    /// In parallel, the links that are set at once; empty if no object that they could refer to is in memory.
    private var links: [PromptLinks] = []
    private let hasOthers: Bool
    private var ids: [Int64] = []
    /// The new objects, if the answer contains others too.
    private var made: [PersistentObject]?

    init(_ loader: GraphLoader, _ map: ClassMap) {
        self.loader = loader
        self.map = map
        frame = map.links.isEmpty ? nil : loader.frame(map)
        references = map.links.plainReferences
        hasOthers = !map.links.isEmpty && !map.links.hasOnlyPlainReferences
        for (turn, reference) in references.enumerated() {
            let target = map.baseline.slots[reference.place].reference.target
            guard let identity = loader.session.classes.usedSpace(of: target)?.identity, !identity.isEmpty else {
                continue
            }
            if links.isEmpty { links = Array(repeating: PromptLinks(), count: references.count) }
            links[turn] = PromptLinks(to: identity)
        }
    }

    /// Takes the row of an object that was made for it.
    @inline(__always)
    mutating func take(
        _ object: PersistentObject, _ block: Address, _ statement: Statement, _ values: ColumnValues?
    ) throws(ValueFault) {
        made?.append(object)
        let start = ObjectMemory.start(of: object)
        // By index, and the row where it is needed only: an iterator and a row each count a reference.
        for turn in 0..<references.count {
            let reference = references[turn]
            let id: Int64
            if let found = values?[Int32(truncatingIfNeeded: reference.place) &+ 1].integer {
                id = found
            } else {
                id = try GraphRow(statement: statement, columns: nil).referenceID(reference.place)
            }
            ids.append(id)
            (block + reference.blockOffset).storeBytes(of: id, as: Int64.self)
            // The object's init() may have put one there.
            let field = start + reference.objectOffset
            if field.load(as: Address?.self) != nil { field[as: PersistentObject?.self] = nil }
            if !links.isEmpty { links[turn].add(id, field) }
        }
        guard hasOthers, let frame else { return }
        try loader.addOthers(object, block, frame, GraphRow(statement: statement, columns: nil))
    }

    /// An object that was there before is about to be put into the answer.
    @inline(__always)
    mutating func willFind(after answer: [PersistentObject]) {
        if made == nil { made = answer }
    }

    /// The last object made lost to another of its row, which its init() had fetched.
    mutating func didLose(in answer: [PersistentObject]) {
        if made == nil { made = answer }
        made?.removeLast()
        ids.removeLast(Swift.min(ids.count, references.count))
        for turn in links.indices { links[turn].end(at: ids.count / references.count) }
    }

    /// Gives all to the loader: the statement is through, or has failed.
    func end(_ answer: [PersistentObject]) {
        let objects = made ?? answer
        loader.note(objects, map)
        guard let frame, !objects.isEmpty, !references.isEmpty else { return }
        frame.fresh.append(.init(objects: objects, ids: ids, linkedCounts: links.map(\.count)))
    }
}

/// The references of one property in new objects, as long as what they refer to is in memory: it is put in while the
/// object is in the processor's cache. Neighbours often refer to the same object.
private struct PromptLinks {
    /// Where the referenced objects are; nil from the first on that is not there, and has to wait. The session keeps it.
    private var identity: Borrowed<IdentityMap>?
    /// The last that was put in.
    private var last: (id: Int64, target: PersistentObject?) = (LinkImage.none, nil)
    /// Of how many objects, from the first on, nothing is left to be done.
    private(set) var count = 0

    /// Nothing that is referred to is there.
    init() {}

    init(to identity: IdentityMap) { self.identity = Borrowed(identity) }

    /// Takes the reference of the next object, whose field is empty.
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
        // The init() of an object since may have deleted it.
        if id == last.id, let target = last.target, target.lifecycle == .saved { return target }
        // An object of a subclass is checked when it is linked with the others.
        guard let found = identity.with({ $0.object(for: id) }),
            ObjectMemory.start(of: found).header.keeper == identity.cast(to: ObjectKeeper.self)
        else { return nil }
        last = (id, found)
        return found
    }

    /// The objects from a place on were not what they seemed.
    mutating func end(at place: Int) { count = Swift.min(count, place) }
}

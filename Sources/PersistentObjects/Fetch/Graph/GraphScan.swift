internal import StoreEngine

/// The new objects of a statement whose rows are all of one class, and beside them the ids of what they refer to.
///
/// A fetch may have as many as rows, so nothing is kept for each but its ids: the objects are the statement's answer,
/// until one of them is not new.
struct GraphScan {
    private let loader: GraphLoader
    private let map: ClassMap
    /// Nil for a class without links.
    private let frame: GraphLoader.Frame?
    private var ids: [Int64] = []
    /// The new ones, where others are in the answer too.
    private var made: [PersistentObject]?

    init(_ loader: GraphLoader, _ map: ClassMap) {
        self.loader = loader
        self.map = map
        frame = map.links.isEmpty ? nil : loader.frame(map)
    }

    /// Takes the row of an object that was made for it.
    @inline(__always)
    mutating func take(
        _ object: PersistentObject, _ block: Address, _ statement: Statement
    ) throws(ValueFault) {
        made?.append(object)
        guard let frame else { return }
        let start = ObjectMemory.start(of: object)
        let row = GraphRow(statement: statement, columns: nil)
        for place in map.links.plainReferences {
            let id = try row.referenceID(place)
            ids.append(id)
            let slot = map.baseline.slots[place]
            (block + slot.blockOffset).storeBytes(of: id, as: Int64.self)
            // The object's init() may have put one there.
            if (start + slot.objectOffset).load(as: Address?.self) != nil {
                (start + slot.objectOffset)[as: PersistentObject?.self] = nil
            }
        }
        if !map.links.hasOnlyPlainReferences { try loader.addOthers(object, block, frame, row) }
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
        ids.removeLast(Swift.min(ids.count, map.links.plainReferences.count))
    }

    /// Gives all to the loader: the statement is through, or has failed.
    func end(_ answer: [PersistentObject]) {
        let objects = made ?? answer
        loader.note(objects, map)
        if let frame, !objects.isEmpty, map.links.plainReferences.count > 0 { frame.fresh.append((objects, ids)) }
    }
}

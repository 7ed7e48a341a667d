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
    /// The plain references, with what is asked of them for each row.
    private let references: [Reference]
    private let hasOthers: Bool
    private var ids: [Int64] = []
    /// The new ones, where others are in the answer too.
    private var made: [PersistentObject]?

    private struct Reference {
        let place: Int
        let blockOffset: Int
        let objectOffset: Int
    }

    init(_ loader: GraphLoader, _ map: ClassMap) {
        self.loader = loader
        self.map = map
        frame = map.links.isEmpty ? nil : loader.frame(map)
        references = map.links.plainReferences.map { place in
            let slot = map.baseline.slots[place]
            return Reference(place: place, blockOffset: slot.blockOffset, objectOffset: slot.objectOffset)
        }
        hasOthers = !map.links.isEmpty && !map.links.hasOnlyPlainReferences
    }

    /// Takes the row of an object that was made for it.
    @inline(__always)
    mutating func take(
        _ object: PersistentObject, _ block: Address, _ statement: Statement
    ) throws(ValueFault) {
        made?.append(object)
        let start = ObjectMemory.start(of: object)
        let row = GraphRow(statement: statement, columns: nil)
        for reference in references {
            let id = try row.referenceID(reference.place)
            ids.append(id)
            (block + reference.blockOffset).storeBytes(of: id, as: Int64.self)
            // The object's init() may have put one there.
            let field = start + reference.objectOffset
            if field.load(as: Address?.self) != nil { field[as: PersistentObject?.self] = nil }
        }
        if hasOthers, let frame { try loader.addOthers(object, block, frame, row) }
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
    }

    /// Gives all to the loader: the statement is through, or has failed.
    func end(_ answer: [PersistentObject]) {
        let objects = made ?? answer
        loader.note(objects, map)
        if let frame, !objects.isEmpty, !references.isEmpty { frame.fresh.append((objects, ids)) }
    }
}

/// The contents of an inverse for each of its owners: the objects that refer to them, and their ids.
struct ObjectsByOwner {
    typealias Group = (objects: [PersistentObject], ids: [Int64])

    private var groups: [Int64: Group] = [:]

    init() {}

    /// Objects by what they refer to, each owner's in the order in which they come.
    init(_ objects: [PersistentObject], _ side: InverseSide) {
        var reader = OwnerReader(side)
        // Mostly the objects of one owner come one after the other.
        var first = 0
        var owner = LinkImage.none
        Address.with(objects) { list in
            guard let list else { return }
            func start(_ index: Int) -> Address {
                (list + index * MemoryLayout<Address>.stride).load(as: Address.self)
            }
            for index in objects.indices {
                // Of many, the first have left the processor's cache since they were made.
                if index + 16 < objects.count { start(index + 16).prefetch() }
                if index + 8 < objects.count { start(index + 8).header.baseline?.prefetch() }
                let next = reader.owner(of: start(index)) { objects[index] }
                if next != owner {
                    add(objects[first..<index], of: owner)
                    (first, owner) = (index, next)
                }
            }
        }
        add(objects[first...], of: owner)
    }

    subscript(owner: Int64) -> Group { groups[owner] ?? ([], []) }

    /// Adds objects to those of an owner.
    mutating func add(_ objects: ArraySlice<PersistentObject>, of owner: Int64) {
        if objects.isEmpty || owner == LinkImage.none { return }
        let ids = objects.map { $0.rowID }
        if groups[owner] == nil {
            groups[owner] = (Array(objects), ids)
        } else {
            groups[owner]?.objects += objects
            groups[owner]?.ids += ids
        }
    }
}

/// Reads from one baseline after the other what its object refers to.
private struct OwnerReader {
    private let side: InverseSide
    /// Of the class of the object before, which mostly is that of all: what keeps its objects, and where their baselines
    /// have the id.
    private var keeper: Borrowed<ObjectKeeper>?
    private var offset: Int?

    init(_ side: InverseSide) { self.side = side }

    /// The id of what an object refers to.
    @inline(__always)
    mutating func owner(of start: Address, _ object: () -> PersistentObject) -> Int64 {
        // Without a baseline it was deleted by whatever code was called meanwhile.
        guard let block = start.header.baseline else { return LinkImage.none }
        if keeper == nil || keeper != start.header.keeper { change(to: object()) }
        return offset.map { (block + $0).load(as: Int64.self) } ?? LinkImage.none
    }

    private mutating func change(to object: PersistentObject) {
        guard let identity = object.identityMap else { return (keeper, offset) = (nil, nil) }
        keeper = Borrowed(identity)
        let map = identity.classMap
        let place = map === side.other ? side.place : map.place(of: side.property.name)
        offset = place.map { map.baseline.slots[$0].blockOffset }
    }
}

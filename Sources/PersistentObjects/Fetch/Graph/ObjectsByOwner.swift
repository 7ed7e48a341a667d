/// The contents of an inverse for each of its owners: the objects that refer to them, and their ids.
struct ObjectsByOwner {
    typealias Group = (objects: [PersistentObject], ids: [Int64])

    private var groups: [Int64: Group] = [:]

    init() {}

    /// Groups objects by what they refer to. Each group keeps the order of the objects.
    init(_ objects: [PersistentObject], _ side: InverseSide) {
        var reader = OwnerReader(side)
        // Usually the objects of one owner are adjacent.
        var first = 0
        var owner = LinkImage.none
        Address.with(objects) { list in
            guard let list else { return }
            func start(_ index: Int) -> Address {
                (list + index * MemoryLayout<Address>.stride).load(as: Address.self)
            }
            for index in objects.indices {
                // Of many objects, the first have left the processor's cache since they were created.
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

    /// Groups objects in any order by what they refer to, which is in a range. Each group keeps the order of the objects.
    init(_ objects: [PersistentObject], _ side: InverseSide, of owners: ClosedRange<Int64>) {
        var reader = OwnerReader(side)
        var lists: [Group] = Array(repeating: ([], []), count: owners.count)
        for object in objects {
            let owner = reader.owner(of: ObjectMemory.start(of: object)) { object }
            // User code changed the object meanwhile.
            guard owners.contains(owner) else { continue }
            lists[Int(owner - owners.lowerBound)].objects.append(object)
            lists[Int(owner - owners.lowerBound)].ids.append(object.rowID)
        }
        for (owner, list) in zip(owners, lists) where !list.objects.isEmpty { groups[owner] = list }
    }

    subscript(owner: Int64) -> Group { groups[owner] ?? ([], []) }

    /// Adds objects to the group of an owner.
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

/// Reads from one baseline after the other the id that its object refers to.
private struct OwnerReader {
    private let side: InverseSide
    /// The keeper of the previous object's class, which is usually the class of all objects, and the offset of the id
    /// in its baselines.
    private var keeper: Borrowed<ObjectKeeper>?
    private var offset: Int?

    init(_ side: InverseSide) { self.side = side }

    /// The id that an object refers to.
    @inline(__always)
    mutating func owner(of start: Address, _ object: () -> PersistentObject) -> Int64 {
        // An object without a baseline was deleted by user code meanwhile.
        guard let block = start.header.baseline else { return LinkImage.none }
        if keeper == nil || keeper != start.header.keeper { change(to: object()) }
        return offset.map { (block + $0).load(as: Int64.self) } ?? LinkImage.none
    }

    private mutating func change(to object: PersistentObject) {
        guard let identity = object.identityMap else { return (keeper, offset) = (nil, nil) }
        keeper = Borrowed(identity)
        let map = identity.classMap
        let ordinal = map === side.other ? side.ordinal : map.ordinal(of: side.property.name)
        offset = ordinal.map { map.baseline.slots[$0].blockOffset }
    }
}

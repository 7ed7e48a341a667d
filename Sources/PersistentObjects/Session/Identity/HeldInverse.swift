/// One inverse of one object.
struct HeldInverse {
    let owner: PersistentObject
    let place: Int
    let box: LinkBox
    private let map: ClassMap
    private let codec: InverseCodec

    init?(_ owner: PersistentObject, _ map: ClassMap, _ place: Int) {
        guard let box = map.properties[place].box(in: ObjectMemory.start(of: owner)),
            let codec = map.properties[place].codec as? InverseCodec
        else { return nil }
        (self.owner, self.map, self.place) = (owner, map, place)
        (self.box, self.codec) = (box, codec)
    }

    static func all(of owner: PersistentObject, _ map: ClassMap) -> [HeldInverse] {
        map.links.inverses.compactMap { HeldInverse(owner, map, $0) }
    }

    private var start: Address { ObjectMemory.start(of: owner) }
    private var field: Address { map.properties[place].address(in: start) }

    /// Whether it may keep objects.
    var isHeld: Bool { box.isFilled || !box.state.isAway }

    /// Whether the user has changed it.
    var isEdited: Bool {
        guard let block = owner.baseline else { return false }
        return !map.baseline.isSame(map.baseline.slots[place], start, block)
    }

    /// Whether its objects have to stay: it is edited, or one of them is, which a save of the owner takes along.
    var isNeeded: Bool {
        if box.isBeingEdited || isEdited { return true }
        return codec.objects(field).contains { element in
            guard let identity = element.identityMap else { return element.lifecycle == .new }
            return !identity.changes(of: element).isEmpty
        }
    }

    /// Takes the objects out, which the answer has; nothing while the user is editing it.
    func empty(leaving state: LinkBox.State) -> [PersistentObject] {
        guard !box.isBeingEdited else { return [] }
        let objects = codec.objects(field)
        codec.set([], at: field)
        box.state = state
        box.isFilled = false
        return objects
    }
}

extension IdentityMap {
    /// An object leaves the map for good: ids say nothing of it any more.
    func leaveInverses(of object: PersistentObject, _ lifecycle: Lifecycle) {
        let all = HeldInverse.all(of: object, classMap)
        for held in all where held.box.state == .released { held.box.state = .loaded }
        guard lifecycle == .deleted, all.contains(where: \.box.isFilled) else { return }
        session?.heldInverses.noteDeparture(of: object, classMap)
    }
}

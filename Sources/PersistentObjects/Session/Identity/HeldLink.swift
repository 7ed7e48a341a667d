/// One link of one object that keeps its objects for a while only: an inverse, or a weak reference that is lazy.
struct HeldLink {
    let owner: PersistentObject
    let place: Int
    let box: LinkBox
    private let map: ClassMap

    init?(_ owner: PersistentObject, _ map: ClassMap, _ place: Int) {
        guard let box = map.properties[place].box(in: ObjectMemory.start(of: owner)) else { return nil }
        (self.owner, self.map, self.place, self.box) = (owner, map, place, box)
    }

    static func all(of owner: PersistentObject, _ map: ClassMap) -> [HeldLink] {
        map.links.held.compactMap { HeldLink(owner, map, $0) }
    }

    private var start: Address { ObjectMemory.start(of: owner) }
    private var field: Address { map.properties[place].address(in: start) }

    /// Whether it keeps objects though it was not noted that it does.
    var isUnnoted: Bool { !box.isFilled && !objects.isEmpty }

    /// Whether it may keep objects.
    var isHeld: Bool { box.isFilled || !box.state.isAway }

    /// Whether the user has changed it.
    var isEdited: Bool {
        guard let block = owner.baseline else { return false }
        return !map.baseline.isSame(map.baseline.slots[place], start, block)
    }

    /// Whether its objects must be kept: it is edited, or one of them is, and a save of the owner includes it.
    var isNeeded: Bool {
        if box.isBeingEdited || isEdited { return true }
        return objects.contains { element in
            guard let identity = element.identityMap else { return element.lifecycle == .new }
            return !identity.changes(of: element).isEmpty
        }
    }

    private var objects: [PersistentObject] {
        switch map.properties[place].codec {
        case let inverse as InverseCodec: inverse.objects(field)
        case let reference as ReferenceCodec: reference.object(field).map { [$0] } ?? []
        default: []
        }
    }

    /// Takes the objects out, which the answer has; nothing while the user is editing it.
    func empty(leaving state: LinkBox.State) -> [PersistentObject] {
        guard !box.isBeingEdited else { return [] }
        let objects = objects
        switch map.properties[place].codec {
        case let inverse as InverseCodec: inverse.set([], at: field)
        case let reference as ReferenceCodec: reference.set(nil, at: field)
        default: break
        }
        box.state = state
        box.isFilled = false
        return objects
    }

    /// Takes the objects out, which the next access looks up again: the baseline has their ids.
    func letGo() -> [PersistentObject] {
        guard map.properties[place].codec is InverseCodec else { return empty(leaving: .unloaded) }
        return empty(leaving: box.state == .loaded ? .released : box.state)
    }
}

extension IdentityMap {
    /// An object leaves the map for good: ids say nothing of it any more.
    func leaveHeldLinks(of object: PersistentObject, _ lifecycle: Lifecycle) {
        let all = HeldLink.all(of: object, classMap)
        for held in all where held.box.state == .released { held.box.state = .loaded }
        guard lifecycle == .deleted, all.contains(where: \.box.isFilled) else { return }
        session?.didDelete(object, keepingLinks: classMap)
    }
}

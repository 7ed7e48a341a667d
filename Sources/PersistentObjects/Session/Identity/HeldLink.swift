/// A link of an object that retains its objects only for a while: an inverse, or a lazy weak reference.
struct HeldLink {
    let owner: PersistentObject
    let ordinal: Int
    let box: LinkBox
    private let map: ClassMap

    init?(_ owner: PersistentObject, _ map: ClassMap, _ ordinal: Int) {
        guard let box = map.properties[ordinal].box(in: ObjectMemory.start(of: owner)) else { return nil }
        (self.owner, self.map, self.ordinal, self.box) = (owner, map, ordinal, box)
    }

    static func all(of owner: PersistentObject, _ map: ClassMap) -> [HeldLink] {
        map.links.held.compactMap { HeldLink(owner, map, $0) }
    }

    private var start: Address { ObjectMemory.start(of: owner) }
    private var field: Address { map.properties[ordinal].address(in: start) }

    /// Whether it holds objects although `HeldLinks` has no entry for it.
    var isUnrecorded: Bool { !box.isFilled && !objects.isEmpty }

    /// Whether it may hold objects.
    var isHeld: Bool { box.isFilled || !box.state.isAway }

    /// Whether the user changed the link.
    var isEdited: Bool {
        guard let block = owner.baseline else { return false }
        return !map.baseline.isSame(map.baseline.slots[ordinal], start, block)
    }

    /// Whether its objects must be held, because it or one of them has edits that a save of the owner includes.
    var isNeeded: Bool {
        if box.isBeingEdited || isEdited { return true }
        return objects.contains { element in
            guard let identity = element.identityMap else { return element.lifecycle == .new }
            return !identity.changes(of: element).isEmpty
        }
    }

    private var objects: [PersistentObject] {
        switch map.properties[ordinal].codec {
        case let inverse as InverseCodec: inverse.objects(field)
        case let reference as ReferenceCodec: reference.object(field).map { [$0] } ?? []
        default: []
        }
    }

    /// Removes and returns the objects; does nothing while the user is editing the link.
    func empty(leaving state: LinkBox.State) -> [PersistentObject] {
        guard !box.isBeingEdited else { return [] }
        let objects = objects
        switch map.properties[ordinal].codec {
        case let inverse as InverseCodec: inverse.set([], at: field)
        case let reference as ReferenceCodec: reference.set(nil, at: field)
        default: break
        }
        box.state = state
        box.isFilled = false
        return objects
    }

    /// Removes and returns the objects. The next access looks them up again by their ids in the baseline.
    func detachObjects() -> [PersistentObject] {
        guard map.properties[ordinal].codec is InverseCodec else { return empty(leaving: .unloaded) }
        return empty(leaving: box.state == .loaded ? .released : box.state)
    }
}

extension IdentityMap {
    /// Called when an object leaves the map, so that its links can no longer be looked up by ids.
    func leaveHeldLinks(of object: PersistentObject, _ lifecycle: Lifecycle) {
        let all = HeldLink.all(of: object, classMap)
        for held in all where held.box.state == .released { held.box.state = .loaded }
        guard lifecycle == .deleted, all.contains(where: \.box.isFilled) else { return }
        session?.didDelete(object, keepingLinks: classMap)
    }
}

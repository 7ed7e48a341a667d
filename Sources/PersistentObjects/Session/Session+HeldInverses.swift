// Inverses let go of their objects: some calls after the last access, and with their session.
extension Session {
    /// Counts a call, and looks after inverses that nobody has read for a while.
    @inline(__always)
    func countCall() { if inverses.held.countCall() { lookAfterInverses() } }

    private func lookAfterInverses() {
        // A transaction may have to go back to what is there now.
        guard level == nil, !isWriting, !isUnderWay, !inverses.held.isPaused else { return }
        let (batches, departed) = inverses.held.takeAll()
        // Looking for edits can run the user's `encode(to:)`. What is taken out dies at the end of this.
        var gone: [PersistentObject] = []
        try? saving {
            // One can be in several batches, so all are asked before any of them is told.
            for (batch, all, isUsed) in batches.map(seen) { look(after: batch, all, isUsed, &gone) }
        }
        for departed in departed {
            guard let owner = departed.owner else { continue }
            let boxes = HeldInverse.all(of: owner, departed.map).filter(\.box.isFilled)
            guard owner.lifecycle == .deleted else {
                // The deletion was taken back.
                for held in boxes { inverses.didFill(owner, held.place, size: 1) }
                continue
            }
            if boxes.isEmpty { continue }
            let isUsed = boxes.contains { $0.box.wasUsed || $0.box.isBeingEdited }
            for held in boxes {
                if isUsed { held.box.wasUsed = false } else { gone += held.empty(leaving: .loaded) }
            }
            if isUsed { inverses.held.noteDeparture(of: owner, departed.map) }
        }
        withExtendedLifetime(gone) {}
    }

    /// The inverses of a batch that keep objects, and whether one was used: those of one fetch are read one after the
    /// other.
    private func seen(_ batch: HeldInverses.Batch) -> (HeldInverses.Batch, [HeldInverse], isUsed: Bool) {
        let owners = batch.ids.compactMap { batch.identity.object(for: $0) }.filter { $0.keeper === batch.identity }
        let all = owners.compactMap { HeldInverse($0, batch.identity.classMap, batch.place) }.filter(\.box.isFilled)
        return (batch, all, all.contains { $0.box.wasUsed })
    }

    private func look(
        after batch: HeldInverses.Batch, _ all: [HeldInverse], _ isUsed: Bool, _ gone: inout [PersistentObject]
    ) {
        var left: [Int64] = []
        for held in all {
            held.box.wasUsed = false
            if isUsed || held.isNeeded {
                left.append(held.owner.rowID)
            } else {
                gone += held.empty(leaving: held.box.state == .loaded ? .released : held.box.state)
            }
        }
        inverses.held.note(batch.identity, batch.place, left, size: batch.size)
    }

    /// Empties all inverses: call it where the session ends, or forgets its objects, and where these are used.
    func letGoOfInverses() {
        for departed in inverses.held.takeAll().departed {
            guard let owner = departed.owner, owner.lifecycle == .deleted else { continue }
            for held in HeldInverse.all(of: owner, departed.map) { _ = held.empty(leaving: .loaded) }
        }
        for identity in allIdentities where !identity.classMap.links.inverses.isEmpty {
            for owner in identity.ownersOfHeldInverses() {
                for held in HeldInverse.all(of: owner, identity.classMap) where held.isHeld {
                    if identity.reportsLostEdits, held.isEdited { identity.reportLostEdit(held.place, of: owner) }
                    _ = held.empty(leaving: .unloaded)
                }
            }
        }
    }
}

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

    private var start: UnsafeMutableRawPointer { ObjectMemory.start(of: owner) }
    private var field: UnsafeMutableRawPointer { map.properties[place].address(in: start) }

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
            guard let identity = element.keeper as? IdentityMap else { return element.lifecycle == .new }
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
        session?.inverses.held.noteDeparture(of: object, classMap)
    }
}

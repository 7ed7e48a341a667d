internal import StoreEngine

// Single properties compared with the values of the row.
extension ObjectState {
    /// Whether a property differs from the row's value.
    func hasChanged(_ path: AnyKeyPath) -> Bool {
        guard let map = try? identity?.classMap ?? ClassMap.map(of: type(of: object)) else { return false }
        let ordinals = ObjectState.ordinals(of: path, in: map)
        switch object.lifecycle {
        case .new: return !ordinals.isEmpty
        case .deleted, .untracked: return false
        case .saved:
            guard let block = object.baseline else { return false }
            let start = ObjectMemory.start(of: object)
            return ordinals.contains { !map.baseline.isSame(map.baseline.slots[$0], start, block) }
        }
    }

    /// The value of a property before its edit, as `read` finds it in an object with that value; nil if there is no
    /// row.
    func original<V>(_ path: AnyKeyPath, _ read: (PersistentObject) -> V) throws -> V? {
        switch object.lifecycle {
        case .new, .deleted:
            let map = try ClassMap.map(of: type(of: object))
            if KeyPathResolver.embedded(path, in: map) == nil { _ = try KeyPathResolver.subject(of: path, in: map) }
            return nil
        case .untracked: throw StoreError.untracked(object, "so its values before an edit are unknown")
        case .saved: break
        }
        let session = try session()
        return try session.enter(of: type(of: object)) {
            if let embedded = originalOfEmbedded(path, read) { return embedded }
            guard let identity, let block = object.baseline,
                case .property(let ordinal) = try KeyPathResolver.subject(of: path, in: identity.classMap)
            else { return read(object) }
            let layout = identity.classMap.baseline
            let slot = layout.slots[ordinal]
            let start = ObjectMemory.start(of: object)
            if let box = slot.box(in: start) {
                if box.state == .assigned {
                    return try LinkLoader(session).loadBeneath(box, object, identity.classMap, read)
                }
                if box.state.isAway { try LinkLoader(session).load(box, of: object) }
            }
            if layout.isSame(slot, start, block) { return read(object) }
            let other = type(of: object).init()
            let targets = try LinkLoader(session).originals(slot, ordinal, object, identity.classMap, block)
            for ordinal in identity.classMap.valueOrdinals(around: ordinal) {
                layout.restore(ordinal, of: ObjectMemory.start(of: other), from: block) { targets[$1] }
            }
            return withExtendedLifetime(targets) { read(other) }
        }
    }

    /// The value of an embedded property before its edit, from the baseline; nil for other properties.
    private func originalOfEmbedded<V>(_ path: AnyKeyPath, _ read: (PersistentObject) -> V) -> V? {
        guard let identity, let block = object.baseline,
            let index = KeyPathResolver.embedded(path, in: identity.classMap)
        else { return nil }
        let other = type(of: object).init()
        for ordinal in identity.classMap.embedded[index].ordinals {
            identity.classMap.baseline.restore(ordinal, of: ObjectMemory.start(of: other), from: block) { _, _ in nil }
        }
        return read(other)
    }
}

extension LinkLoader {
    /// Loads a property that was assigned without being read. The edit stays, and its difference from the row is known
    /// from now on.
    fileprivate func loadBeneath<V>(
        _ box: LinkBox, _ object: PersistentObject, _ map: ClassMap, _ read: (PersistentObject) -> V
    ) throws -> V {
        let ordinal = Int(box.ordinal)
        let edit = ObjectCopy(of: object, map, ColumnSet([ordinal]))
        box.state = .unloaded
        do { try load(box, of: object) } catch {
            edit.restore(ordinal, of: object)
            throw error
        }
        let value = read(object)
        edit.restore(ordinal, of: object)
        box.state = .loaded
        return value
    }

    /// The objects that a property referred to.
    fileprivate func originals(
        _ slot: BaselineLayout.Slot, _ ordinal: Int, _ object: PersistentObject, _ map: ClassMap, _ block: Address
    ) throws -> [Int64: PersistentObject] {
        guard slot.holdsObjects else { return [:] }
        let ids = map.baseline.image(slot, in: block).ids
        let found = try Fetch(session).find(try session.space(of: slot.links.target), ids)
        let targets = Dictionary(found.map { ($0.rowID, $0) }, uniquingKeysWith: { first, _ in first })
        guard let missing = ids.first(where: { targets[$0] == nil }) else { return targets }
        throw StoreError(
            .rowGone, "The object referred to \(slot.links.target) #\(missing), which was deleted",
            className: map.name, property: map.properties[ordinal].name, rowID: object.rowID)
    }
}

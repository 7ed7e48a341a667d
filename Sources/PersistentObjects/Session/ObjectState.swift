internal import StoreEngine

/// The implementation of the calls on one object.
package struct ObjectState {
    package let object: PersistentObject

    package init(_ object: PersistentObject) { self.object = object }

    /// The identity map of a saved object.
    @inline(__always)
    var identity: IdentityMap? {
        object.identityMap
    }

    /// The session that an object belongs to; for a new object, the current session.
    func session() throws -> Session {
        guard let identity else { return try CurrentSession.session(for: type(of: object)) }
        guard let session = identity.session else {
            throw StoreError(
                .sessionEnded,
                "\(identity.endOfSession). Find the object in an open session by its id",
                className: identity.classMap.name, rowID: object.rowID)
        }
        return session
    }

    /// Whether it is softly deleted, according to its property in memory.
    var isSoftlyDeleted: Bool {
        guard type(of: object).softDeletes, let map = try? ClassMap.map(of: type(of: object)),
            let ordinal = map.softDeleteOrdinal
        else { return false }
        let time = try? map.properties[ordinal].codec.encode(
            map.properties[ordinal].address(in: ObjectMemory.start(of: object)))
        return time != nil && time != .null
    }

    var hasChanges: Bool {
        switch object.lifecycle {
        case .new: return true
        case .deleted, .untracked: return false
        case .saved:
            guard let identity, let block = object.baseline else { return false }
            return !identity.classMap.changesToSave(ObjectMemory.start(of: object), block).isEmpty
        }
    }

    var changes: [PropertyChange] {
        let start = ObjectMemory.start(of: object)
        switch object.lifecycle {
        case .deleted, .untracked: return []
        case .saved:
            guard let identity, let block = object.baseline else { return [] }
            let map = identity.classMap
            return map.propertyChanges(map.baseline.changes(start, block), of: start, block)
        case .new:
            // A class that cannot be mapped has no properties; saving its objects throws the reason.
            guard let map = try? ClassMap.map(of: type(of: object)) else { return [] }
            return map.properties.map { property in
                PropertyChange(
                    name: property.name, old: nil, new: property.codec.sendableValue(property.address(in: start)),
                    isEncrypted: property.sealing != nil)
            }
        }
    }

    func revert() {
        guard let identity, let block = object.baseline else { return }
        let layout = identity.classMap.baseline
        let start = ObjectMemory.start(of: object)
        gathering { layout.changes(start, block).forEach { restore($0, layout, start, block) } }
    }

    /// Calls `body`, which changes the object, and notifies its observers when `body` has returned.
    func gathering<R>(_ body: () throws -> R) rethrows -> R {
        guard let identity, identity.classMap.observed != nil, let session = identity.session else { return try body() }
        return try session.gatheringChanges(body)
    }

    private func restore(
        _ ordinal: Int, _ layout: BaselineLayout, _ start: Address, _ block: Address
    ) {
        layout.restore(ordinal, of: start, from: block, linked)
        // The original objects do not exist any more. The next query that returns the object reads the row's new value.
        guard layout.slots[ordinal].holdsObjects, !layout.isSame(layout.slots[ordinal], start, block) else { return }
        layout.makeSame(ordinal, start, block)
        object.freshness &-= 1
    }

    func revert(_ path: AnyKeyPath) {
        guard let identity, let block = object.baseline else { return }
        let layout = identity.classMap.baseline
        let start = ObjectMemory.start(of: object)
        let ordinals = ObjectState.ordinals(of: path, in: identity.classMap).filter {
            !layout.isSame(layout.slots[$0], start, block)
        }
        guard !ordinals.isEmpty else { return }
        gathering { for ordinal in ordinals { restore(ordinal, layout, start, block) } }
    }

    /// The property that a key path names, or all fields of the embedded value that it names.
    static func ordinals(of path: AnyKeyPath, in map: ClassMap) -> [Int] {
        if let index = KeyPathResolver.embedded(path, in: map) { return map.embedded[index].ordinals }
        guard case .property(let ordinal)? = try? KeyPathResolver.subject(of: path, in: map) else { return [] }
        return [ordinal]
    }

    /// The object of a link: in memory, or read again if the user has released it.
    private func linked(_ type: PersistentObject.Type, _ id: Int64) -> PersistentObject? {
        guard let session = identity?.session else { return nil }
        return try? session.enter { try session.find(try session.space(of: type), id) }
    }

    func copy() -> PersistentObject {
        let copy = type(of: object).init()
        guard let map = try? ClassMap.map(of: type(of: object)) else { return copy }
        let source = ObjectMemory.start(of: object)
        let target = ObjectMemory.start(of: copy)
        for property in map.properties {
            // Objects on the other side would be moved from the original to the copy, and a key belongs to one object.
            if case .inverse = property.shape { continue }
            if property.isKey { continue }
            load(property, source)
            property.codec.assign(property.address(in: source), to: property.address(in: target))
        }
        return copy
    }
}

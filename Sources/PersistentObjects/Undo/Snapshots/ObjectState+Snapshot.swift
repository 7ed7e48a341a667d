internal import StoreEngine

extension ObjectState {
    /// The current values of the object.
    func snapshot<T: Persistent>(_: T.Type, loading: Bool) -> Snapshot<T> {
        let identity = object.identityMap
        let map = identity?.classMap ?? (try? ClassMap.map(of: type(of: object)))
        let start = ObjectMemory.start(of: object)
        if loading { for property in map?.properties ?? [] { load(property, start) } }
        let properties = (map?.properties ?? []).indices.map { ordinal in
            SnapshotProperty(ordinal, map?.properties[ordinal], map?.baseline, start, object.baseline)
        }
        return Snapshot(
            persistentID: PersistentID(of: object), isNew: object.lifecycle == .new, map: map,
            location: identity?.session.map { SnapshotStore(location: $0.store.location) },
            properties: properties.compactMap { $0 })
    }
}

extension SnapshotProperty {
    fileprivate init?(
        _ ordinal: Int, _ property: Property?, _ layout: BaselineLayout?, _ start: Address,
        _ block: Address?
    ) {
        guard let property, let layout else { return nil }
        let box = property.box(in: start)
        let released = box?.state == .released && box?.isStale == false ? block : nil
        isLoaded = released != nil || property.isLoaded(in: start)
        if let released {
            // The objects are not retained, but their ids are known.
            value = layout.baselineValue(ordinal, in: released)
            image = layout.snapshotImage(ordinal, property, in: released)
            base = image
            baseValue = value
            return
        }
        // A property that is not loaded may have an old value in its box.
        value = isLoaded ? property.codec.sendableValue(property.address(in: start)) : nil
        image = isLoaded ? property.image(in: start) : nil
        let isRead = property.box(in: start).map { $0.state == .loaded } ?? true
        if let block, isRead, isLoaded {
            let isSame = layout.isSame(layout.slots[ordinal], start, block)
            base = isSame ? image : layout.snapshotImage(ordinal, property, in: block)
            baseValue = isSame ? value : layout.baselineValue(ordinal, in: block)
        } else {
            // A property that was set without being read has no base value, and neither has a new object.
            base = nil
            baseValue = nil
        }
    }
}

extension BaselineLayout {
    /// The baseline's value of a property.
    func snapshotImage(_ ordinal: Int, _ property: Property, in block: Address) -> SnapshotImage? {
        property.isLink ? .links(image(ordinal, in: block)) : storedValue(ordinal, in: block).map { .value($0) }
    }
}

/// A saved object that was removed from an inverse that owns its objects. It is deleted unless another object owns it.
struct LeavingObject {
    let object: PersistentObject
    let map: ClassMap
    /// The property on the other side of the inverse.
    let ordinal: Int

    /// Whether an owning inverse of another object contains the object, because the property on its other side is set.
    var isOwned: Bool {
        if object.lifecycle != .saved || isSet(ordinal) { return true }
        let others = (map.links.references + map.links.collections).filter { $0 != ordinal }
        return others.contains { hasOwningInverse($0) && isSet($0) }
    }

    private func isSet(_ ordinal: Int) -> Bool {
        let property = map.properties[ordinal]
        let start = ObjectMemory.start(of: object)
        guard let codec = property.codec as? any LinkCodec, let block = object.baseline else { return false }
        if let box = property.box(in: start), box.state.isAway {
            return !map.baseline.image(ordinal, in: block).ids.isEmpty
        }
        var isSet = false
        codec.forEachTarget(property.address(in: start)) { _ in isSet = true }
        return isSet
    }

    /// Whether the other side of a link is an inverse that owns its objects.
    private func hasOwningInverse(_ ordinal: Int) -> Bool {
        let property = map.properties[ordinal]
        guard let target = (property.codec as? any LinkCodec)?.target, let other = try? ClassMap.map(of: target)
        else { return false }
        return other.links.inverses.contains { inverse in
            guard other.properties[inverse].deleteRule == .cascade,
                let side = try? InverseSide.of(other.properties[inverse], in: other)
            else { return false }
            let isRelated = map.derives(from: side.other) || side.other.derives(from: map)
            return isRelated && side.property.name == property.name
        }
    }
}

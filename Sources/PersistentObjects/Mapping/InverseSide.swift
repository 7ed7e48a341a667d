@_spi(Locks) internal import StoreEngine

/// The other side of an inverse: a reference, or a collection of references.
struct InverseSide {
    /// The class on the other side.
    let other: ClassMap
    /// The ordinal of its property.
    let ordinal: Int

    var property: Property { other.properties[ordinal] }

    private struct Key: Hashable {
        let map: ObjectIdentifier
        let ordinal: Int
    }

    private static let known = Locked<[Key: InverseSide]>([:])

    /// The other side of a property that is an inverse.
    ///
    /// - Throws: `SchemaError.unknownInverse` if its key path is not a link to the class.
    static func of(_ property: Property, in map: ClassMap) throws -> InverseSide {
        let key = map.ordinal(of: property.name).map { Key(map: ObjectIdentifier(map), ordinal: $0) }
        if let key, let side = known.withLock({ $0[key] }) { return side }
        let side = try find(property, in: map)
        if let key { known.withLock { $0[key] = side } }
        return side
    }

    /// Makes this the other side of an inverse of a described class, which has no key path.
    func register(for ordinal: Int, of map: ClassMap) {
        InverseSide.known.withLock { $0[Key(map: ObjectIdentifier(map), ordinal: ordinal)] = self }
    }

    private static func find(_ property: Property, in map: ClassMap) throws -> InverseSide {
        guard case .inverse(let sendable) = property.shape, let codec = property.codec as? any LinkCodec else {
            throw SchemaError.unknownInverse(
                className: map.name, property: property.name, path: property.name, reason: "is not an inverse")
        }
        let path = sendable.path
        func refusal(_ reason: String) -> SchemaError {
            .unknownInverse(className: map.name, property: property.name, path: "\(path)", reason: reason)
        }
        let other = try ClassMap.map(of: codec.target)
        switch KeyPathProbe(other.properties, other.scratch).property(of: path) {
        case .failure(let refused): throw refusal(refused.reason)
        case .success(let ordinal):
            guard let target = target(of: other.properties[ordinal]) else { throw refusal("holds no objects") }
            guard ClassLineage.areRelated(target, map.type) else {
                throw refusal("holds objects of class \(target), not \(map.name)")
            }
            do { _ = try (codec as? InverseCodec)?.ordering?.keys(of: other) } catch {
                throw SchemaError.notOrderable(
                    className: map.name, property: property.name, path: error.path, reason: error.reason)
            }
            guard property.deleteRule == .nullify || (codec as? InverseCodec)?.condition == nil else {
                throw SchemaError.notFilterable(
                    className: map.name, property: property.name,
                    reason: "an inverse with a condition cannot have a delete rule, because it contains only some "
                        + "of the objects. Declare the delete rule on an inverse without a condition")
            }
            return InverseSide(other: other, ordinal: ordinal)
        }
    }

    private static func target(of property: Property) -> PersistentObject.Type? {
        switch property.shape {
        case .reference: (property.codec as? ReferenceCodec)?.target
        case .collection: ((property.codec as? CollectionCodec)?.element as? ReferenceCodec)?.target
        case .scalar, .inverse: nil
        }
    }
}

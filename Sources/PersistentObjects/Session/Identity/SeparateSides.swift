@_spi(Locks) internal import StoreEngine

/// Notes about properties that resemble two sides of one relation and are stored as two relations. In debug builds,
/// each pair is reported once in a process.
enum SeparateSides {
    /// The reported pairs, by the names of both sides.
    private static let reported = Locked<Set<String>>([])

    /// The notes for some classes that are used for the first time.
    static func warnings(of maps: [ClassMap]) -> [String] {
        maps.flatMap { map in
            map.properties.indices.compactMap { ordinal in
                guard let warning = warning(of: ordinal, in: map) else { return nil }
                let names = [name(map.properties[ordinal], map), warning.other].sortedUnspecialized().joined(
                    separator: " ")
                return reported.withLock { $0.insert(names).inserted } ? warning.text : nil
            }
        }
    }

    private static func warning(of ordinal: Int, in map: ClassMap) -> (other: String, text: String)? {
        let property = map.properties[ordinal]
        guard isStoredLink(property), let target = property.linkedClass, target != map.type,
            let other = try? ClassMap.map(of: target)
        else { return nil }
        // If several properties refer back, the pair is ambiguous.
        let back = other.properties.filter { isStoredLink($0) && $0.linkedClass == map.type }
        guard back.count == 1,
            map.properties.count(where: { isStoredLink($0) && $0.linkedClass == target }) == 1,
            !hasInverse(of: property, map, in: other), !hasInverse(of: back[0], other, in: map)
        else { return nil }
        // The side that stays stored is the reference, if only one side is a reference.
        let (kept, keeper, read, reader) =
            isReference(property) && !isReference(back[0])
            ? (property, map, back[0], other) : (back[0], other, property, map)
        let names = [name(property, map), name(back[0], other)]
        return (
            names[1],
            "\(names[0]) and \(names[1]) are stored as two separate relations, so a change of one does not change "
                + "the other. If they are two sides of one relation, write in \(reader.name): "
                + "@Inverse(\\\(keeper.name).\(kept.name)) var \(read.name): \(written(read))"
        )
    }

    /// The property's type in Swift syntax.
    private static func written(_ property: Property) -> String {
        let target = property.linkedClass.map { String(describing: $0) } ?? property.typeName
        return isReference(property)
            ? target + "?"
            : (property.codec as? CollectionCodec)?.style == .array ? "[\(target)]" : "Set<\(target)>"
    }

    private static func name(_ property: Property, _ map: ClassMap) -> String { "\(map.name).\(property.name)" }

    private static func isReference(_ property: Property) -> Bool {
        if case .reference = property.shape { true } else { false }
    }

    /// Whether it holds objects that are stored on this side. A dictionary is excluded, because an inverse has no keys.
    private static func isStoredLink(_ property: Property) -> Bool {
        switch property.shape {
        case .reference: true
        case .collection: property.linkedClass != nil && (property.codec as? CollectionCodec)?.style != .dictionary
        case .scalar, .inverse: false
        }
    }

    private static func hasInverse(of property: Property, _ map: ClassMap, in other: ClassMap) -> Bool {
        other.links.inverses.contains { ordinal in
            guard let side = try? InverseSide.of(other.properties[ordinal], in: other) else { return false }
            return side.property.name == property.name && side.other.type == map.type
        }
    }
}

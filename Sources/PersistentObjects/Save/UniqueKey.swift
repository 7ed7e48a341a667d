internal import StoreEngine

/// Properties whose values are unique together. An upsert compares new objects with rows by them.
struct UniqueKey {
    private let space: ClassSpace
    private let ordinals: [Int]
    /// Whether soft-deleted rows are ignored.
    private let isLive: Bool
    /// A key in its stored form. Most keys have one property, whose value needs no array.
    struct Name: Hashable {
        let first: DatabaseValue
        var others: [DatabaseValue] = []

        fileprivate init?<E: Error>(_ ordinals: [Int], _ value: (Int) throws(E) -> DatabaseValue?) throws(E) {
            guard let first = try value(ordinals[0]) else { return nil }
            self.first = first
            for ordinal in ordinals.dropFirst() {
                guard let value = try value(ordinal) else { return nil }
                others.append(value)
            }
        }
    }

    /// The maximum number of keys in one query if the key has several properties.
    private static let batchSize = 100

    /// Throws if rows can have the same values of the properties that the key paths specify.
    init(_ paths: [AnyKeyPath], _ space: ClassSpace) throws {
        let map = space.map
        self.space = space
        ordinals = try paths.compactMap { path in
            guard case .property(let ordinal) = try KeyPathResolver.subject(of: path, in: map) else { return nil }
            return ordinal
        }
        let isUnique =
            map.isUniqueKey(ordinals) || map.isUniqueHash(ordinals)
            || map.isPrimaryKey(ordinals) && map.isInMemory(ordinals)
        let columns = Set(ordinals.map { map.properties[$0].column })
        isLive = try !isUnique && map.isUniqueAmongLive(columns, space.session.dialect)
        guard ordinals.count == paths.count, isUnique || isLive && map.isInMemory(ordinals),
            ordinals.allSatisfy({ map.properties[$0].isLink || map.properties[$0].codec.isComparedAsStored })
        else {
            let names = ordinals.map { map.properties[$0].name }.joined(separator: ", ")
            throw StoreError(
                .misuse,
                paths.count == 1
                    ? "An upsert requires a stored property that is unique by itself, as @Unique or primaryKey "
                        + "declares it, and has no custom format"
                    : "An upsert by \(names) requires a unique index of exactly these properties in class var "
                        + "indexes or primaryKey, and stored properties without custom formats",
                className: map.name)
        }
    }

    /// The key of each object in its stored form; nil for an object that has a row, and if no row can have the key.
    func names(of objects: [PersistentObject]) throws -> [Name?] {
        try objects.map { object in
            guard object.lifecycle == .new, !isLive || !space.map.isDeletedSoftly(object) else { return nil }
            let start = ObjectMemory.start(of: object)
            var current = ordinals[0]
            do throws(ValueFault) {
                return try Name(ordinals) { (ordinal) throws(ValueFault) in
                    current = ordinal
                    let property = space.map.properties[ordinal]
                    let value = try property.codec.encode(property.address(in: start))
                    // No row refers to a new object, and nil equals nothing.
                    return value == .null || property.isLink && value == .integer(LinkImage.none) ? nil : value
                }
            } catch { throw space.located(error, property: current) }
        }
    }

    /// The objects whose rows have the given keys.
    func objects(having names: [Name]) throws -> [Name: PersistentObject] {
        var found: [Name: PersistentObject] = [:]
        for condition in conditions(names) {
            var definition = QueryDefinition(space.map.type)
            definition.add(condition)
            if isLive, let ordinal = space.map.softDeleteOrdinal {
                definition.add(QueryExpression(.column(scope: 0, QueryPath(.ordinal(ordinal)))).applying(.isNil))
            }
            let objects = try BoundQuery(definition, space).rows()
            if let ordinal = ordinals.first(where: { space.map.properties[$0].sealing != nil }) {
                try LinkLoader(space.session).loadSealed(objects, space.map.properties[ordinal].name)
            }
            for object in objects {
                if let name = name(ofRow: object) { found[name] = object }
            }
        }
        return found
    }

    private func conditions(_ names: [Name]) -> [QueryExpression] {
        let columns = ordinals.map { QueryExpression(.column(scope: 0, QueryPath(.ordinal($0)))) }
        guard columns.count > 1 else {
            return names.isEmpty ? [] : [columns[0].isIn(names.map { .value($0.first) })]
        }
        return stride(from: 0, to: names.count, by: UniqueKey.batchSize).map { first in
            let each = names[first..<min(first + UniqueKey.batchSize, names.count)].map { name in
                let equal = zip(columns, [name.first] + name.others).map { $0.applying(.equal, .value($1)) }
                return equal.dropFirst().reduce(equal[0]) { $0.applying(.and, $1) }
            }
            return each.dropFirst().reduce(each[0]) { $0.applying(.or, $1) }
        }
    }

    /// The key of the object's row, without the object's edits.
    private func name(ofRow object: PersistentObject) -> Name? {
        // The object may belong to a subclass.
        guard let block = object.baseline, let map = object.identityMap?.classMap else { return nil }
        return Name(ordinals) { ordinal in
            let own = map === space.map ? ordinal : map.ordinal(of: space.map.properties[ordinal].name)
            guard let own else { return nil }
            return map.properties[own].isLink
                ? map.baseline.image(own, in: block).ids.first.map { .integer($0) }
                : map.baseline.storedValue(own, in: block)
        }
    }
}

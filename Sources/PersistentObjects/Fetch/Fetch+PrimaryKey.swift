internal import StoreEngine

// Rows of existing tables by their primary keys.
extension Fetch {
    /// The object whose `primaryKey` has these values, in the order of `primaryKey`; nil if there is none.
    func find(_ space: ClassSpace, primaryKey values: [Any?]) throws -> PersistentObject? {
        let map = space.map
        guard let ordinals = map.foreign?.key, !ordinals.isEmpty else {
            guard map.keyOrdinal != nil, values.count == 1, let text = values[0].flatMap({ "\($0)" }) else {
                throw StoreError(
                    .noSuchProperty,
                    "The class has no key. Override class var primaryKey, or find the object by its id",
                    className: map.name)
            }
            return try find(space, key: text)
        }
        guard values.count == ordinals.count else {
            let names = ordinals.map { map.properties[$0].name }.joined(separator: ", ")
            throw StoreError(
                .misuse, "The key has \(ordinals.count) values (\(names)), but the call has \(values.count)",
                className: map.name)
        }
        var definition = QueryDefinition(map.type)
        for (ordinal, value) in zip(ordinals, values) {
            guard let stored = try keyValue(value, ordinal, space) else { return nil }
            let column = QueryExpression(.column(scope: 0, QueryPath(.ordinal(ordinal))))
            definition.add(column.applying(.equal, QueryExpression(argument: .value(stored))))
        }
        return try BoundQuery(definition, space).first()
    }

    /// A part of a key as the statement binds it; nil if the part refers to a row that does not exist.
    private func keyValue(_ value: Any?, _ ordinal: Int, _ space: ClassSpace) throws -> DatabaseValue? {
        let property = space.map.properties[ordinal]
        // The text of a key contains values as their columns store them.
        if let stored = value as? DatabaseValue { return stored }
        do {
            if let stored = try property.codec.encodeQueryArgument(value), stored != .null { return stored }
        } catch { throw space.located(error, property: ordinal) }
        // A reference is given as the key of its target.
        if let codec = property.codec as? ReferenceCodec, let value {
            if codec.target.primaryKey.isEmpty {
                if let id = (value as? any BinaryInteger).flatMap({ Int64(exactly: $0) }) { return .integer(id) }
            } else if let target = try find(try session.space(of: codec.target), primaryKey: [value]) {
                return .integer(target.rowID)
            } else {
                return nil
            }
        }
        throw StoreError(
            .typeMismatch,
            "A part of the key has the type \(property.typeName), but the given value is "
                + "\(value.map { "of type \(TypeSpelling.ofValue($0))" } ?? "nil")",
            className: space.map.name, property: property.name)
    }
}

extension ObjectState {
    /// Assigns the user's id to a new object.
    func setID(_ id: Int64) throws {
        let map = try ClassMap.map(of: type(of: object))
        guard map.takesGivenIDs else {
            throw StoreError(
                .misuse,
                "The store assigns the ids of this class. Override class var identity: Identity { .given } to "
                    + "assign them yourself",
                className: map.name, rowID: object.id)
        }
        guard object.lifecycle == .new else {
            throw StoreError(
                .misuse, "The id of a saved object cannot change. Call copy() and assign another id to the copy",
                className: map.name,
                rowID: object.id)
        }
        guard id > 0 else {
            throw StoreError(.misuse, "\(id) is not a valid id. Assign an integer of at least 1", className: map.name)
        }
        object.rowID = id
    }
}

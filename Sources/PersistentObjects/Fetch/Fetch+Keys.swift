package import StoreEngine

// Objects by assigned keys.
extension Session {
    /// Returns the object that an id identifies, or nil if there is none.
    public func object<T: Persistent>(for id: PersistentID<T>) throws -> T? {
        try enter {
            let space = try space(of: ObjectMemory.objectClass(T.self))
            return ObjectMemory.cast(try Fetch(self).find(space, named: id), to: T.self)
        }
    }
}

extension Fetch {
    /// The object with a key, from memory without SQL if it is there, otherwise from the database.
    func find(_ space: ClassSpace, key: String) throws -> PersistentObject? {
        if space.map.foreign?.key.count == 1 { return try find(space, primaryKey: [key]) }
        if let id = id(writtenAs: key, space) { return try find(space, id) }
        let ordinal = try keyOrdinal(space, for: key)
        let plan = try space.planForKey {
            var definition = QueryDefinition(space.map.type)
            let column = QueryExpression(.column(scope: 0, QueryPath(.ordinal(ordinal))))
            definition.add(column.applying(.equal, QueryExpression(argument: .value(.null))))
            return try space.makePlan(definition)
        }
        let value = try canonical(key, ordinal, space)
        return try BoundQuery(space, plan, key: value) { try $0.bind(value, at: 1) }.first()
    }

    /// The objects with some keys, in the order of `keys`. Missing objects are left out.
    func find(_ space: ClassSpace, keys: [String]) throws -> [PersistentObject] {
        let ids = keys.compactMap { id(writtenAs: $0, space) }
        if !ids.isEmpty, ids.count == keys.count { return try find(space, ids) }
        let ordinal = try keyOrdinal(space, for: keys.first { id(writtenAs: $0, space) == nil })
        let wanted = try keys.map { try canonical($0, ordinal, space) }
        var found: [DatabaseValue: PersistentObject] = [:]
        var missing: [DatabaseValue] = []
        let property = space.map.properties[ordinal]
        for value in Set(wanted) {
            if let object = space.knownObject(ordinal, value) {
                found[value] = object
            } else {
                missing.append(value)
            }
        }
        if !missing.isEmpty {
            let statement = try connection.statement(space.sql.selectHaving(property.column))
            statement.beginBinding()
            do { try statement.bind(list: missing, at: 1) } catch {
                statement.finish()
                throw space.located(error)
            }
            for object in try fetch(space, statement) {
                space.indexKeys(of: object)
                let field = property.address(in: ObjectMemory.start(of: object))
                do throws(ValueFault) { found[try property.codec.encode(field)] = object } catch {
                    throw space.located(error, property: ordinal)
                }
            }
        }
        return wanted.compactMap { found[$0] }
    }

    /// The object that an id names. If the id has a key, the key is used, because row ids differ between files.
    func find(_ space: ClassSpace, named id: any ObjectIdentifying) throws -> PersistentObject? {
        if let key = id.key, space.map.keyOrdinal != nil { return try find(space, key: key) }
        if let key = id.key, let values = PrimaryKeyText.values(of: key, in: space.map) {
            return try find(space, primaryKey: values)
        }
        return try find(space, id.value)
    }

    /// The integer that a string is the canonical form of; nil if the class identifies its rows by keys.
    private func id(writtenAs text: String, _ space: ClassSpace) -> Int64? {
        guard space.map.keyOrdinal == nil, space.map.foreign == nil, let id = Int64(text), "\(id)" == text else {
            return nil
        }
        return id
    }

    /// - Parameter key: The key that the caller looks for, or nil.
    private func keyOrdinal(_ space: ClassSpace, for key: String?) throws -> Int {
        guard let ordinal = space.map.keyOrdinal else {
            throw StoreError.hasNoKeys(space.map, requested: key)
        }
        return ordinal
    }

    private func canonical(_ key: String, _ ordinal: Int, _ space: ClassSpace) throws -> DatabaseValue {
        do { return try space.map.properties[ordinal].codec.encodeArgument(key) ?? .null } catch {
            throw space.located(error, property: ordinal)
        }
    }
}

extension StoreError {
    /// - Parameter key: The key that the caller looked for, or nil.
    static func hasNoKeys(_ map: ClassMap, requested key: String? = nil) -> StoreError {
        let number = key.flatMap { Int64($0) }
        return StoreError(
            .noSuchProperty,
            number.map { "The class has integer ids instead of keys. Write find(\($0))" }
                ?? "The class has no keys. Write override class var identity: Identity { .string } or { .uuid }",
            className: map.name, property: Property.keyName)
    }
}

extension ClassMap {
    /// A key as its column stores it.
    package func storedKey(_ key: String) throws -> DatabaseValue {
        guard let keyOrdinal, let stored = try properties[keyOrdinal].codec.encodeArgument(key) else {
            throw StoreError.hasNoKeys(self)
        }
        return stored
    }
}

extension ObjectState {
    func setKey(_ key: String) throws {
        let map = try ClassMap.map(of: type(of: object))
        guard let ordinal = map.keyOrdinal else { throw StoreError.hasNoKeys(map) }
        guard map.sealedOrdinals.isEmpty || object.lifecycle == .new else {
            throw StoreError(
                .misuse,
                "The object has encrypted properties, whose values belong to its key. Copy the object to give it another "
                    + "key", className: map.name, property: Property.keyName, rowID: object.id)
        }
        guard !map.isSynced || object.lifecycle == .new else {
            throw StoreError(
                .misuse,
                "Other devices know the object by its key, because the class is synced. Copy the object to give it "
                    + "another key", className: map.name, property: Property.keyName, rowID: object.id)
        }
        let codec = map.properties[ordinal].codec
        let old = object.objectKey
        try set(Property.keyName, to: key)
        // Values that the column cannot store are rejected here.
        do throws(ValueFault) {
            _ = try codec.encode(map.properties[ordinal].address(in: ObjectMemory.start(of: object)))
        } catch {
            object.objectKey = old
            throw StoreError.value(error).at(className: map.name, property: Property.keyName, rowID: object.id)
        }
    }
}

extension BackgroundSession {
    /// Returns the object that an id identifies, or nil if there is none.
    public func object<T: Persistent>(for id: PersistentID<T>) throws -> T? { try box.session.object(for: id) }
}

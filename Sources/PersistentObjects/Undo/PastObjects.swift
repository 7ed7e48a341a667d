internal import StoreEngine

/// Creates objects with the values of an earlier time from the history.
struct PastObjects {
    let session: Session

    init(_ session: Session) { self.session = session }

    var connection: any Connection { session.connection }
    var memory: Memory { session.memory }
}

// Objects with the values that their rows had at a time.
extension PastObjects {
    /// Creates an object with the values of a row. Properties for which the row had no value keep their initial values.
    ///
    /// A reference to an object that was deleted since is nil, and collections leave out such objects, because the
    /// deletion would have removed the links.
    func pastObject(_ map: ClassMap, _ id: Int64, _ row: PastRow) throws -> PersistentObject {
        let object = try map.newObject()
        let start = ObjectMemory.start(of: object)
        for property in map.properties where property.isInHistory {
            var stored = row.value(of: property)
            let field = property.address(in: start)
            do {
                if let sealing = property.sealing { stored = try opened(stored, sealing, map, id) }
                if case .reference = property.shape, let codec = property.codec as? ReferenceCodec {
                    let target = try target(stored, codec)
                    _ = codec.store(target, into: field)
                    // The session retains the target of a weak reference, because nothing else may retain it.
                    if let target, codec.isWeak || property.isWeaklyLazy { memory.heldTargets.append(target) }
                } else if let codec = property.codec as? CollectionCodec {
                    let isNil = codec.acceptsNull && stored == .null
                    try put(isNil ? nil : row.elements(of: property, map), codec, into: field)
                } else if stored != .null || property.codec.acceptsNull {
                    try stored.withCell { (cell) throws(ValueFault) in try property.codec.read(cell, into: field) }
                }
            } catch let fault as ValueFault {
                throw StoreError.value(fault).at(className: map.name, property: property.name, rowID: id)
            }
            property.box(in: start)?.state = .loaded
        }
        return object
    }

    /// Decrypts a value of the history.
    func opened(
        _ stored: DatabaseValue, _ sealing: PropertySealing, _ map: ClassMap, _ id: Int64
    ) throws -> DatabaseValue {
        guard stored != .null, let sealed = session.store.sealed else { return stored }
        var history = try SealedHistory(
            of: "", in: map.table, hasKeys: map.keyOrdinal != nil, connection)
        let key = try history?.key(of: id) ?? .null
        do throws(StoreError) { return try sealed.value(stored, sealing.context, key: key, connection) } catch {
            throw error.at(className: map.name, property: sealing.property, rowID: id)
        }
    }

    /// Whether a row had the same value of a property at two times.
    func isSame(_ property: Property, _ map: ClassMap, _ id: Int64, _ one: PastRow, _ other: PastRow) throws -> Bool {
        if one.isSame(property, as: other, map) { return true }
        guard let sealing = property.sealing else { return false }
        // One value has different bytes each time it is encrypted.
        return try opened(one.value(of: property), sealing, map, id)
            == opened(other.value(of: property), sealing, map, id)
    }

    private func target(_ stored: DatabaseValue, _ codec: ReferenceCodec) throws -> PersistentObject? {
        switch stored {
        case .null: return nil
        case .integer(let id): return try stillThere([id], try session.space(of: codec.target)).first
        default: throw ValueFault.typeMismatch(expected: "INTEGER", found: stored.storageClass)
        }
    }

    /// Replaces a collection by the given elements, or by nil.
    func put(_ elements: PastElements?, _ codec: CollectionCodec, into field: Address) throws {
        guard let rows = elements?.rows else { return codec.setNil(at: field) }
        if let links = codec as? any LinkCodec {
            try put(rows, codec, links, into: field)
        } else {
            let builder = codec.makeBuilder()
            builder.begin()
            for row in rows {
                try row.value.withCell { (value) throws(ValueFault) in
                    guard codec.key != nil else { return try builder.append(key: nil, value: value) }
                    try row.place.withCell { (key) throws(ValueFault) in try builder.append(key: key, value: value) }
                }
            }
            builder.finish(into: field)
        }
    }

    private func put(
        _ rows: [(place: DatabaseValue, value: DatabaseValue)], _ codec: CollectionCodec, _ links: any LinkCodec,
        into field: Address
    ) throws {
        var image = LinkImage()
        let keyMemory = codec.key.map { ElementMemory($0) }
        for row in rows {
            guard case .integer(let id) = row.value else {
                throw ValueFault.typeMismatch(expected: "INTEGER", found: row.value.storageClass)
            }
            image.ids.append(id)
            guard let key = codec.key, let keyMemory else { continue }
            try row.place.withCell { (cell) throws(ValueFault) in try key.create(cell, at: keyMemory.address) }
            defer { key.destroy(keyMemory.address) }
            image.keys.append(try key.encode(keyMemory.address))
        }
        var objects: [Int64: PersistentObject] = [:]
        for object in try stillThere(image.ids, try session.space(of: links.target)) { objects[object.rowID] = object }
        links.restore(image, into: field) { objects[$0] }
    }

    /// The objects of the given rows that still exist. The rows are queried, because another session may have deleted a
    /// row whose object is in memory.
    private func stillThere(_ ids: [Int64], _ space: ClassSpace) throws -> [PersistentObject] {
        try Fetch(session).find(space, try connection.integers(space.sql.selectIDs, Array(Set(ids))))
    }
}

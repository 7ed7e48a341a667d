internal import StoreEngine

/// The name of an object in JSON: its key in classes with keys, otherwise its id.
package enum LinkName: Hashable {
    case id(Int64)
    case key(String)

    init(_ json: JSONValue, target: PersistentObject.Type) throws(ValueFault) {
        switch (json, target.identity) {
        case (.number(let text), .integer), (.number(let text), .given):
            guard let id = Int64(text) else { throw .notStorable(reason: "the number is not a valid id") }
            self = .id(id)
        case (.text(let text), .uuid), (.text(let text), .string): self = .key(text)
        case (_, .integer), (_, .given):
            throw .notStorable(reason: "expected the id of an object of \(target), not \(json.kind)")
        default: throw .notStorable(reason: "expected the key of an object of \(target), not \(json.kind)")
        }
    }

    /// Nil for an object without a key or an id.
    init?(_ object: PersistentObject) {
        if let key = object.objectKey {
            self = .key(key.text)
        } else if object.linkID != LinkImage.none {
            self = .id(object.linkID)
        } else {
            return nil
        }
    }

    package var json: JSONValue {
        switch self {
        case .id(let id): .number(String(id))
        case .key(let key): .text(key)
        }
    }
}

/// Returns the object that a name in JSON identifies.
package typealias LinkSource = (PersistentObject.Type, LinkName) throws -> PersistentObject

// From memory to JSON.
extension PropertyCodec {
    /// The value at `field` as JSON.
    func json(_ field: Address) throws -> JSONValue {
        if isKey { return (value(field) as? String).map { .text($0) } ?? .null }
        if let collection = asCollection { return try collection.collectionJSON(field) }
        guard let reference = self as? ReferenceCodec else { return try ValueShape(self).json(plain(encode(field))) }
        guard let object = reference.object(field) else { return .null }
        guard let name = LinkName(object) else {
            throw ValueFault.notStorable(
                reason:
                    "the value refers to an object of \(type(of: object)) that has neither id nor key. Save that "
                    + "object first")
        }
        return name.json
    }
}

extension CollectionCodec {
    fileprivate func collectionJSON(_ field: Address) throws -> JSONValue {
        guard !isNil(field) else { return .null }
        var elements: [JSONValue] = []
        var members: [JSONValue.Member] = []
        let form = CollectionShape(self)
        try forEachRow(field) { itsKey, element in
            let value = try self.element.json(element)
            if let key, let shape = form.key, let itsKey {
                members.append(.init(name: shape.name(ofKey: try shape.json(key.encode(itsKey))), value: value))
            } else {
                elements.append(value)
            }
        }
        return form.json(elements, members)
    }
}

// From a column to JSON.
extension PropertyCodec {
    /// The JSON of a decrypted value.
    func json(stored: DatabaseValue) throws -> JSONValue {
        guard let collection = asCollection else { return try ValueShape(self).json(plain(stored)) }
        let memory = ElementMemory(self)
        try stored.withCell { (cell) throws(ValueFault) in try create(cell, at: memory.address) }
        defer { destroy(memory.address) }
        return try collection.collectionJSON(memory.address)
    }
}

// From JSON to memory.
extension PropertyCodec {
    /// Replaces the value at `field` with a JSON value.
    func store(_ json: JSONValue, into field: Address, _ links: LinkSource) throws {
        if isKey { return try storeKey(json, into: field) }
        if let collection = asCollection { return try collection.storeCollection(json, into: field, links) }
        if let reference = self as? ReferenceCodec {
            guard json != .null else { return reference.set(nil, at: field) }
            let object = try links(reference.target, LinkName(json, target: reference.target))
            guard ClassMap.isClass(type(of: object), reference.target) else {
                throw ValueFault.notStorable(reason: "expected \(reference.target), not \(type(of: object))")
            }
            return reference.set(object, at: field)
        }
        try stored(json).withCell { (cell) throws(ValueFault) in try read(cell, into: field) }
    }

    /// The stored form of a JSON value. The codec must not be a codec of links or collections.
    fileprivate func stored(_ json: JSONValue) throws(ValueFault) -> DatabaseValue {
        if acceptsNull, json == .null { return .null }
        let shape = ValueShape(self)
        // A `Codable` type may encode a value as null.
        guard json != .null || shape == .json else {
            throw .notStorable(reason: "null is not a value of \(TypeSpelling.of(valueType))")
        }
        return try recoded(try shape.stored(json))
    }

    private func storeKey(_ json: JSONValue, into field: Address) throws {
        guard case .text(let text) = json, store(text as Any, into: field) else {
            throw ValueFault.notStorable(reason: "expected a string, not \(json.kind)")
        }
        // Values that the column cannot store are rejected here.
        _ = try encode(field)
    }
}

extension CollectionCodec {
    fileprivate func storeCollection(_ json: JSONValue, into field: Address, _ links: LinkSource) throws {
        let rows = try rows(json)
        guard let rows else { return setNil(at: field) }
        guard let link = self as? any LinkCodec else {
            let builder = makeBuilder()
            builder.begin()
            for row in rows { try append(row, to: builder) }
            return builder.finish(into: field)
        }
        var keys: [DatabaseValue] = []
        var objects: [PersistentObject] = []
        for row in rows {
            objects.append(try links(link.target, LinkName(row.value, target: link.target)))
            if let itsKey = row.key { keys.append(itsKey) }
        }
        if style == .set, Set(objects.map { ObjectIdentifier($0) }).count != objects.count {
            throw ValueFault.notStorable(reason: "the set contains an object twice")
        }
        let image = LinkImage(ids: objects.indices.map { Int64($0) }, keys: keys)
        link.restore(image, to: objects, into: field)
    }

    /// The rows of a JSON collection; nil for a nil collection.
    private func rows(_ json: JSONValue) throws -> [(key: DatabaseValue?, value: JSONValue)]? {
        switch (style, json) {
        case (_, .null) where acceptsNull: return nil
        case (.array, .list(let elements)), (.set, .list(let elements)):
            return elements.map { (key: nil, value: $0) }
        case (.dictionary, .object(let members)):
            guard let key else { return [] }
            let shape = ValueShape(key)
            return try members.map { member in
                let stored = try shape.stored(shape.key(named: member.name))
                try check(stored, key)
                return (key: stored, value: member.value)
            }
        case (.dictionary, _): throw ValueFault.notStorable(reason: "expected an object, not \(json.kind)")
        default: throw ValueFault.notStorable(reason: "expected a list, not \(json.kind)")
        }
    }

    /// Checks that a codec can decode a stored value.
    private func check(_ stored: DatabaseValue, _ codec: PropertyCodec) throws {
        let memory = ElementMemory(codec)
        try stored.withCell { (cell) throws(ValueFault) in try codec.create(cell, at: memory.address) }
        codec.destroy(memory.address)
    }

    private func append(_ row: (key: DatabaseValue?, value: JSONValue), to builder: CollectionBuilder) throws {
        let value = try element.stored(row.value)
        guard let key = row.key else {
            return try value.withCell { (cell) throws(ValueFault) in try builder.append(key: nil, value: cell) }
        }
        try key.withCell { (keyCell) throws(ValueFault) in
            try value.withCell { (cell) throws(ValueFault) in try builder.append(key: keyCell, value: cell) }
        }
    }
}

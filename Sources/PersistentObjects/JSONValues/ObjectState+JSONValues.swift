package import StoreEngine

// Properties of an object as JSON.
extension ObjectState {
    /// Loads the lazy properties that a key path names.
    func loadIfNeeded(_ path: AnyKeyPath) throws {
        let map = try identity?.classMap ?? ClassMap.map(of: type(of: object))
        for ordinal in ObjectState.ordinals(of: path, in: map) { try loadIfNeeded(map.properties[ordinal]) }
    }

    /// Loads a lazy property that is not in memory.
    package func loadIfNeeded(_ property: Property) throws {
        let start = ObjectMemory.start(of: object)
        load(property, start)
        if let problem = property.box(in: start)?.problem { throw problem }
    }

    /// The value of a loaded property. The property must not be an inverse.
    package func json(of property: Property) throws -> JSONValue {
        try property.codec.json(property.address(in: ObjectMemory.start(of: object)))
    }

    /// Sets a property to a JSON value. Observers are not notified.
    package func set(_ property: Property, json: JSONValue, _ links: LinkSource) throws {
        let start = ObjectMemory.start(of: object)
        let field = property.address(in: start)
        property.checkNotBeingAccessed(field)
        try property.codec.store(json, into: field, links)
        if let box = property.box(in: start), box.state.isAway { box.state = .assigned }
    }

    /// Sets a reference, or a collection of objects. `keys` are the stored keys of a dictionary.
    package func set(_ property: Property, to objects: [PersistentObject], keys: [DatabaseValue] = []) {
        let start = ObjectMemory.start(of: object)
        if let reference = property.codec as? ReferenceCodec {
            reference.set(objects.first, at: property.address(in: start))
        } else if let link = property.codec as? any LinkCodec {
            let image = LinkImage(ids: objects.indices.map { Int64($0) }, keys: keys)
            link.restore(image, to: objects, into: property.address(in: start))
        }
        if let box = property.box(in: start), box.state.isAway { box.state = .assigned }
    }

    /// Sets the id of a new object from a dictionary or JSON, if the class's ids are given; otherwise the id is
    /// ignored.
    package func setGivenID(_ json: JSONValue?) throws {
        let map = try ClassMap.map(of: type(of: object))
        guard map.takesGivenIDs, json != .null else { return }
        guard case .number(let text)? = json, let id = Int64(text) else {
            throw StoreError(
                .typeMismatch, "The id must be a positive integer, not \(json?.shown ?? "another value")",
                className: map.name, property: "id")
        }
        try setID(id)
    }

    /// The object that a name in JSON identifies in the current session; nil if there is none.
    package static func linked(_ type: PersistentObject.Type, _ name: LinkName) throws -> PersistentObject? {
        switch name {
        case .id(let id): try ClassCalls.find(type, id)
        case .key(let key): try ClassCalls.find(type, key: key)
        }
    }
}

// Setting properties from dictionaries that may contain JSON values.
extension ObjectState {
    /// Sets many properties. Fields of an optional embedded value are set last, when the value exists.
    func setLeniently(_ values: [String: Any?]) throws {
        let map = try? ClassMap.map(of: type(of: object))
        let fields = map.map { map in values.filter { map.isInOptional($0.key) } } ?? [:]
        let names =
            fields.isEmpty ? [] : Set(fields.lazy.filter { OptionalValue.flattened($0.value) != nil }.map(\.key))
        for (name, value) in values where !fields.keys.contains(name) {
            try setLeniently(name, to: value, with: names)
        }
        for (name, value) in fields { try setLeniently(name, to: value) }
    }

    /// Sets a property by name, to a value of its type or to the JSON form of such a value.
    func setLeniently(_ name: String, to value: Any?, with others: Set<String> = []) throws {
        do { try set(name, to: value, with: others) } catch {
            guard let map = try? ClassMap.map(of: type(of: object)), let ordinal = map.ordinal(of: name),
                let json = JSONValue(value)
            else { throw error }
            if case .inverse = map.properties[ordinal].shape { throw error }
            if refusal(of: ordinal, isNil: json == .null, map, others) != nil { throw error }
            let property = map.properties[ordinal]
            do {
                try set(property, json: json) { type, name in
                    // If there is no such object, the original error is thrown, which states that the value has the
                    // wrong type.
                    guard let found = try ObjectState.linked(type, name) else { throw error }
                    return found
                }
            } catch let cause {
                // If the property accepts JSON values of this kind, the value itself is wrong, not its type.
                guard let fault = cause as? ValueFault, fault.isOfValue || property.codec.isScaled else { throw error }
                throw StoreError(
                    .noSuchProperty, "\(fault)", className: map.name, property: name, rowID: object.id)
            }
        }
    }
}

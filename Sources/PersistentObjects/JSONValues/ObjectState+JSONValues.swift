package import StoreEngine

// Properties of an object as JSON.
extension ObjectState {
    /// Reads a lazy property that is not in memory.
    package func bringIn(_ property: Property) throws {
        let start = ObjectMemory.start(of: object)
        load(property, start)
        if let problem = property.box(in: start)?.problem { throw problem }
    }

    /// The value of a property that is in memory; not of an inverse.
    package func json(of property: Property) throws -> JSONValue {
        try property.codec.json(property.address(in: ObjectMemory.start(of: object)))
    }

    /// Sets one property to the value that some JSON means; observers are not told.
    package func set(_ property: Property, json: JSONValue, _ links: LinkSource) throws {
        let start = ObjectMemory.start(of: object)
        let field = property.address(in: start)
        property.checkNotBeingAccessed(field)
        try property.codec.store(json, into: field, links)
        if let box = property.box(in: start), box.state.isAway { box.state = .assigned }
    }

    /// Sets a reference, or a collection of objects with the keys of a dictionary as columns hold them.
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

    /// Gives a new object the id that a dictionary or JSON has, where the class's ids are given; elsewhere it is left out.
    package func setGivenID(_ json: JSONValue?) throws {
        let map = try ClassMap.map(of: type(of: object))
        guard map.takesGivenIDs, json != .null else { return }
        guard case .number(let text)? = json, let id = Int64(text) else {
            throw StoreError(
                .typeMismatch, "The id must be an integer from 1 on, not \(json?.shown ?? "another value")",
                className: map.name, property: "id")
        }
        try setID(id)
    }

    /// The object of the current session that a name means; nil if there is none.
    package static func linked(_ type: PersistentObject.Type, _ name: LinkName) throws -> PersistentObject? {
        switch name {
        case .id(let id): try ClassCalls.find(type, id)
        case .key(let key): try ClassCalls.find(type, key: key)
        }
    }
}

// Dictionaries of values that came as JSON.
extension ObjectState {
    /// The same for many properties: a field of an embedded value is set in a value that is there.
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

    /// Sets a property by name: to a value of its type, or to what stands for one in JSON.
    func setLeniently(_ name: String, to value: Any?, with others: Set<String> = []) throws {
        do { try set(name, to: value, with: others) } catch {
            guard let map = try? ClassMap.map(of: type(of: object)), let place = map.place(of: name),
                let json = JSONValue(value)
            else { throw error }
            if case .inverse = map.properties[place].shape { throw error }
            if refusal(of: place, isNil: json == .null, map, others) != nil { throw error }
            let property = map.properties[place]
            do {
                try set(property, json: json) { type, name in
                    // Without such an object the value is of another type, as the error says.
                    guard let found = try ObjectState.linked(type, name) else { throw error }
                    return found
                }
            } catch let cause {
                // If JSON has such values for the property, this one is wrong, not its type.
                guard let fault = cause as? ValueFault, fault.isOfValue || property.codec.isScaled else { throw error }
                throw StoreError(
                    .noSuchProperty, "\(fault)", className: map.name, property: name, rowID: object.id)
            }
        }
    }
}

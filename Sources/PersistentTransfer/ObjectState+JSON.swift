internal import StoreEngine

/// The names in JSON that are no properties.
enum JSONNames {
    /// A name that a property cannot have.
    static let id = "id"
    /// The class, where it is not clear without.
    static let className = "$class"
}

// Objects as JSON.
extension ObjectState {
    /// All stored properties but inverses, and the id of an object that has one; members in the order of their names.
    func json() throws -> JSONValue {
        let map = try ClassMap.map(of: type(of: object))
        let start = ObjectMemory.start(of: object)
        var members: [JSONValue.Member] = []
        if let id = object.id { members.append(.init(name: JSONNames.id, value: .number(String(id)))) }
        for property in map.properties {
            if case .inverse = property.shape { continue }
            load(property, start)
            if let problem = property.box(in: start)?.problem { throw problem }
            do {
                let value = try property.codec.json(property.address(in: start))
                if property.isKey, value == .null { continue }
                members.append(.init(name: property.name, value: value))
            } catch {
                var error = TransferError(error).at(className: map.name, property: property.name)
                error.rowID = object.id
                throw error
            }
        }
        return .object(members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
    }

    /// Sets all properties that some JSON has. The id, and the name of the class, are left out.
    ///
    /// - Returns: the places of the properties.
    @discardableResult
    func set(json: JSONValue, _ links: LinkSource) throws -> [Int] {
        let map = try ClassMap.map(of: type(of: object))
        guard case .object(let members) = json else {
            throw TransferError("an object is wanted, not \(json.kind)", className: map.name)
        }
        var places: [Int] = []
        places.reserveCapacity(members.count)
        var fields: [JSONValue.Member] = []
        let names = map.embedded.isEmpty ? [] : Set(members.lazy.filter { $0.value != .null }.map(\.name))
        for member in members where member.name != JSONNames.id && member.name != JSONNames.className {
            // A field is set in a value that is there.
            guard !map.isInOptional(member.name) else {
                fields.append(member)
                continue
            }
            places.append(try set(member, map, links, with: names))
        }
        for member in fields { places.append(try set(member, map, links, with: names)) }
        return places
    }

    private func set(
        _ member: JSONValue.Member, _ map: ClassMap, _ links: LinkSource, with others: Set<String>
    ) throws -> Int {
        guard let place = map.place(of: member.name) else { throw TransferError.unknown(member.name, in: map) }
        let property = map.properties[place]
        if case .inverse = property.shape {
            throw TransferError(
                "it is read from the other side; set the references there", className: map.name,
                property: property.name)
        }
        let isNoValue = property.part?.presence == .sign && member.value == .bool(false)
        let json = isNoValue ? .null : member.value
        if let reason = refusal(of: place, isNil: json == .null, map, others) {
            throw TransferError(reason, className: map.name, property: property.name)
        }
        do { try set(property, json: json, links) } catch {
            throw TransferError(error, value: member.value).at(className: map.name, property: property.name)
        }
        return place
    }

    /// Sets one property to what some JSON says.
    func set(_ property: Property, json: JSONValue, _ links: LinkSource) throws {
        let start = ObjectMemory.start(of: object)
        let field = property.address(in: start)
        property.checkNotBeingAccessed(field)
        try property.codec.store(json, into: field, links)
        if let box = property.box(in: start), box.state.isAway { box.state = .assigned }
    }

    /// Gives a new object the id that a dictionary or JSON has, where the class's ids are given; elsewhere it is left out.
    func setGivenID(_ json: JSONValue?) throws {
        let map = try ClassMap.map(of: type(of: object))
        guard map.takesGivenIDs, json != .null else { return }
        guard case .number(let text)? = json, let id = Int64(text) else {
            throw StoreError(
                .typeMismatch, "the id is an integer from 1 on, not \(json?.shown ?? "another value")",
                className: map.name,
                property: JSONNames.id)
        }
        try setID(id)
    }

    /// Sets all properties by some JSON, references to objects of the current session.
    func setFinding(json: JSONValue) throws {
        if let name = json.member(JSONNames.className), name != .text("\(type(of: object))") {
            throw TransferError("it is an object of another class", className: "\(type(of: object))").with(name)
        }
        try set(json: json, ObjectState.findLink)
    }

    /// The object of the current session that a name means.
    static func findLink(_ type: PersistentObject.Type, _ name: LinkName) throws -> PersistentObject {
        let found =
            switch name {
            case .id(let id): try ClassCalls.find(type, id)
            case .key(let key): try ClassCalls.find(type, key: key)
            }
        guard let found else { throw TransferError("there is no such \(type)").with(name.json) }
        return found
    }
}

extension TransferError {
    /// The error of a name that no property has.
    static func unknown(_ name: String, in map: ClassMap) -> TransferError {
        let names = map.inDeclaredOrder.map { map.properties[$0].name }
        let near = NameSuggestions(names).nearest(to: name)?.names ?? []
        let help =
            near.isEmpty ? "it has \(names.joined(separator: ", "))" : "did you mean \(near.joined(separator: " or "))?"
        return TransferError(
            "there is no stored property \"\(VisibleText.of(name, 60))\"; \(help)", className: map.name)
    }

    func with(_ value: JSONValue) -> TransferError {
        var error = self
        error.value = value.shown
        return error
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
            do { try set(property, json: json, ObjectState.findLink) } catch let cause {
                // If JSON has such values for the property, this one is wrong, not its type.
                guard let fault = cause as? ValueFault, fault.isOfValue || property.codec.isScaled else { throw error }
                throw StoreError(
                    .noSuchProperty, "\(fault)", className: map.name, property: name, rowID: object.id)
            }
        }
    }
}

internal import PersistentObjects
internal import StoreEngine

/// The names in JSON that are not properties.
enum JSONNames {
    /// The id. No property can have this name.
    static let id = "id"
    /// The class, if it would be ambiguous otherwise.
    static let className = "$class"
    /// The form of encrypted values, which a separate line specifies.
    static let values = "$values"
}

// Conversion of objects to and from JSON.
extension ObjectState {
    /// All stored properties except inverses, and the id if the object has one, sorted by name.
    func json() throws -> JSONValue {
        let map = try ClassMap.map(of: type(of: object))
        var members: [JSONValue.Member] = []
        if let id = object.id { members.append(.init(name: JSONNames.id, value: .number(String(id)))) }
        for property in map.properties where !property.isInverse {
            try loadIfNeeded(property)
            do {
                let value = try json(of: property)
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

    /// Sets all properties that the JSON names. The id and the class name are ignored.
    ///
    /// - Returns: The indices of the properties.
    @discardableResult
    func set(json: JSONValue, _ links: LinkSource) throws -> [Int] {
        let map = try ClassMap.map(of: type(of: object))
        guard case .object(let members) = json else {
            throw TransferError("Expected an object, not \(json.kind)", className: map.name)
        }
        var ordinals: [Int] = []
        ordinals.reserveCapacity(members.count)
        // The fields of optional embedded values come last, because the embedded value must exist before they are set.
        let fields = members.filter { map.isInOptional($0.name) }
        let names = fields.isEmpty ? [] : Set(fields.lazy.filter { $0.value != .null }.map(\.name))
        for member in members where member.name != JSONNames.id && member.name != JSONNames.className {
            if fields.isEmpty || !map.isInOptional(member.name) {
                ordinals.append(try set(member, map, links, with: names))
            }
        }
        for member in fields { ordinals.append(try set(member, map, links, with: names)) }
        return ordinals
    }

    private func set(
        _ member: JSONValue.Member, _ map: ClassMap, _ links: LinkSource, with others: Set<String>
    ) throws -> Int {
        guard let ordinal = map.ordinal(of: member.name) else { throw TransferError.unknown(member.name, in: map) }
        let property = map.properties[ordinal]
        if property.isInverse {
            throw TransferError(
                "The property is an inverse, which cannot be set here. Set the references of the other side",
                className: map.name, property: property.name)
        }
        let json = property.meaning(of: member.value)
        if let reason = refusal(of: ordinal, isNil: json == .null, map, others) {
            throw TransferError(reason, className: map.name, property: property.name)
        }
        do { try set(property, json: json, links) } catch {
            // An error must not contain the value of an encrypted property.
            let value = property.isEncrypted ? nil : member.value
            throw TransferError(error, value: value).at(className: map.name, property: property.name)
        }
        return ordinal
    }

    /// Sets all properties that the JSON names. References mean objects of the current session.
    func setFinding(json: JSONValue) throws {
        if let name = json.member(JSONNames.className), name != .text("\(type(of: object))") {
            throw TransferError("The JSON describes an object of another class", className: "\(type(of: object))")
                .with(name)
        }
        try set(json: json, ObjectState.findLink)
    }

    /// The object of the current session with an id or key.
    static func findLink(_ type: PersistentObject.Type, _ name: LinkName) throws -> PersistentObject {
        if let found = try linked(type, name) { return found }
        throw TransferError("There is no such object of \(type)").with(name.json)
    }
}

extension TransferError {
    /// The error for a name that no property has.
    static func unknown(_ name: String, in map: ClassMap) -> TransferError {
        let names = map.inDeclaredOrder.map { map.properties[$0].name }
        let near = NameSuggestions(names).nearest(to: name)?.names ?? []
        let help =
            near.isEmpty
            ? ". It has \(names.joined(separator: ", "))" : "; did you mean \(near.joined(separator: " or "))?"
        return TransferError(
            "The class has no stored property \"\(VisibleText.of(name, 60))\"\(help)", className: map.name)
    }

    func with(_ value: JSONValue) -> TransferError {
        var error = self
        error.value = value.shown
        return error
    }
}

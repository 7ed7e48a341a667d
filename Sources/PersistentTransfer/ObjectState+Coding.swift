internal import PersistentObjects
internal import StoreEngine

/// The name of a property as a coding key.
struct PropertyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

// Encoding and decoding of objects with any encoder and decoder.
extension ObjectState {
    /// Encodes the members of `json()`, with each value in the encoder's form.
    func encode(to encoder: any Encoder) throws {
        let map = try ClassMap.map(of: type(of: object))
        guard !CanonicalJSON.isOfColumn(encoder.userInfo) else {
            throw ValueFault.notStorable(
                reason:
                    "the value contains an object of \(map.name), but objects can be stored only as references of "
                    + "a class")
        }
        var container = encoder.container(keyedBy: PropertyKey.self)
        if let id = object.id { try container.encode(id, forKey: PropertyKey(JSONNames.id)) }
        for property in map.properties where !property.isInverse {
            try loadIfNeeded(property)
            let key = PropertyKey(property.name)
            if let type = property.codableType {
                try ObjectState.encode(value(of: property), as: type, in: &container, key)
                continue
            }
            let json: JSONValue
            do { json = try self.json(of: property) } catch {
                let cause = TransferError(error).at(rowID: object.id, className: map.name, property: property.name)
                throw EncodingError.invalidValue(
                    property.name,
                    .init(
                        codingPath: encoder.codingPath + [key], debugDescription: "\(cause)", underlyingError: cause))
            }
            if property.isKey, json == .null { continue }
            try container.encode(CodedJSON(json), forKey: key)
        }
    }

    private static func encode<T: Encodable>(
        _ value: Any?, as type: T.Type, in container: inout KeyedEncodingContainer<PropertyKey>, _ key: PropertyKey
    ) throws {
        if let value = value as? T {
            try container.encode(value, forKey: key)
        } else {
            try container.encodeNil(forKey: key)
        }
    }

    /// Sets all properties that a decoder names. References mean objects of the current session.
    func setCoded(by decoder: any Decoder) throws {
        let map = try ClassMap.map(of: type(of: object))
        let container = try decoder.container(keyedBy: PropertyKey.self)
        let keys = container.allKeys.filter { $0.stringValue != JSONNames.id }
        if map.takesGivenIDs, let id = container.allKeys.first(where: { $0.stringValue == JSONNames.id }) {
            try setGivenID(try container.decode(CodedJSON.self, forKey: id).json)
        }
        let names = Set(try keys.filter { try !container.decodeNil(forKey: $0) }.map(\.stringValue))
        // The fields of optional embedded values come last, because the embedded value must exist before they are set.
        let (fields, first) = (
            keys.filter { map.isInOptional($0.stringValue) }, keys.filter { !map.isInOptional($0.stringValue) }
        )
        for key in first + fields {
            do { try set(key, of: container, map, with: names) } catch let error as DecodingError { throw error } catch
            {
                let cause = TransferError(error).at(
                    className: map.name, property: map.ordinal(of: key.stringValue) == nil ? nil : key.stringValue)
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: container.codingPath + [key], debugDescription: "\(cause)", underlyingError: cause))
            }
        }
    }

    private func set(
        _ key: PropertyKey, of container: KeyedDecodingContainer<PropertyKey>, _ map: ClassMap, with names: Set<String>
    ) throws {
        let name = key.stringValue
        if let ordinal = map.ordinal(of: name), let type = map.properties[ordinal].codableType {
            let value = try ObjectState.decode(type, of: container, key, orNil: map.properties[ordinal].acceptsNull)
            return try set(name, to: value, with: names)
        }
        let json = try container.decodeNil(forKey: key) ? .null : try container.decode(CodedJSON.self, forKey: key).json
        let member = JSONValue.Member(name: name, value: json)
        if name == JSONNames.className { return try setFinding(json: .object([member])) }
        try set(json: .object([member]), ObjectState.findLink)
    }

    private static func decode<T: Decodable>(
        _ type: T.Type, of container: KeyedDecodingContainer<PropertyKey>, _ key: PropertyKey, orNil: Bool
    ) throws -> Any? {
        if orNil, try container.decodeNil(forKey: key) { return nil }
        return try container.decode(type, forKey: key)
    }
}

extension Property {
    /// The property's type if it is `Codable`; nil for objects, keys and other types.
    fileprivate var codableType: (any (Decodable & Encodable).Type)? {
        isKey || isLink ? nil : valueType as? any (Decodable & Encodable).Type
    }
}

/// JSON that any encoder and decoder can code.
private struct CodedJSON: Codable {
    let json: JSONValue

    init(_ json: JSONValue) { self.json = json }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch json {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .text(let text): try container.encode(text)
        case .number(let text):
            if let integer = Int64(text) {
                try container.encode(integer)
            } else if let integer = UInt64(text) {
                try container.encode(integer)
            } else {
                try container.encode(Double(text))
            }
        case .list(let elements): try container.encode(elements.map { CodedJSON($0) })
        case .object(let members):
            try container.encode(
                Dictionary(members.map { ($0.name, CodedJSON($0.value)) }, uniquingKeysWith: { first, _ in first }))
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            json = .null
        } else if let value = try? container.decode(Bool.self) {
            json = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            json = .number("\(value)")
        } else if let value = try? container.decode(UInt64.self) {
            json = .number("\(value)")
        } else if let value = try? container.decode(Double.self) {
            json = .number("\(value)")
        } else if let value = try? container.decode(String.self) {
            json = .text(value)
        } else if let list = try? container.decode([CodedJSON].self) {
            json = .list(list.map(\.json))
        } else {
            json = .object(
                try container.decode([String: CodedJSON].self).map { .init(name: $0.key, value: $0.value.json) }
                    .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
        }
    }
}
